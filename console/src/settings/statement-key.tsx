// The fingerprint of the key that statements are signed with, to be told to whoever checks them.
import { useStatementKey } from '../api/statement-key.ts'
import { CodeToCopy } from '../components/copyable-code.tsx'
import { CopyButton } from '../components/copy-button.tsx'
import { Loaded } from '../components/loading-and-error.tsx'
import { useFormat } from '../i18n/format.ts'
import { useMessages } from '../i18n/language.tsx'
import de from './messages.de.json'
import en from './messages.en.json'

/** In groups that can be read out. */
const inGroups = (fingerprint: string): string => fingerprint.replace(/(.{4})(?=.)/g, '$1 ')

export function StatementKey() {
  const t = useMessages({ en, de })
  const { time } = useFormat()
  const key = useStatementKey()
  return (
    <section className="card" aria-labelledby="statement-key">
      <h2 id="statement-key">{t('statementKey')}</h2>
      <p>{t('statementKeyLead')}</p>
      <Loaded query={key}>
        {({ fingerprint, created_at: since }) => (
          <div>
            <code className="settings-fingerprint">{inGroups(fingerprint)}</code>
            <p className="row">
              <CopyButton text={fingerprint} name={t('fingerprint')} look="small" />
              <span className="muted">{t('since', { time: time(since) })}</span>
            </p>
            <p className="muted">{t('verify')}</p>
            <CodeToCopy code={`npm run -s cradle -- verify-statement statement.json --key ${fingerprint}`} />
          </div>
        )}
      </Loaded>
    </section>
  )
}
