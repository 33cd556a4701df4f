// What is running: the service's version, the release of its datasets, and how long this session lasts.
import { useFormat } from '../i18n/format.ts'
import { useMessages } from '../i18n/language.tsx'
import { useSession } from '../session/session.tsx'
import { useAccount } from '../demo/fleet.ts'
import de from './messages.de.json'
import en from './messages.en.json'

export function Service() {
  const t = useMessages({ en, de })
  const { time } = useFormat()
  const { version, datasetRelease, expires_at: until, key } = useSession()
  const { data: account } = useAccount()
  const facts = [
    ['version', version],
    ['release', datasetRelease],
    ['accountSince', account ? time(account.created_at) : '–'],
    ['mappings', account ? String(account.mappings_version) : '–'],
    ['session', t('sessionUntil', { key, time: time(until) })],
  ] as const
  return (
    <section className="card" aria-labelledby="service">
      <h2 id="service">{t('service')}</h2>
      <dl className="facts settings-facts">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{t(name)}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <p>
        <a href="/docs">{t('reference')}</a>
      </p>
    </section>
  )
}
