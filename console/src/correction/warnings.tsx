// What is probably wrong in the corrected content, and what the ledgers of its devices say against it.
import type { Schemas } from '../api/client.ts'
import { DataTable, type Column } from '../components/data-table.tsx'
import { useLocalPages } from '../components/local-pages.ts'
import { useMessages } from '../i18n/language.tsx'
import { Tell } from '../i18n/service-text.tsx'
import { useChangeTexts } from './change-texts.ts'
import de from './messages.de.json'
import en from './messages.en.json'

type Warning = Schemas['Problem']

const PAGE_ROWS = 5

export function CorrectionWarnings({ warnings }: { readonly warnings: readonly Warning[] }) {
  const t = useMessages({ en, de })
  const { nameOf } = useChangeTexts()
  const [shown, paging] = useLocalPages(warnings, PAGE_ROWS)
  const columns: readonly Column<Warning>[] = [
    { key: 'path', header: t('where'), isName: true, cell: ({ path }) => nameOf(path) },
    { key: 'warning', header: t('warning'), cell: (warning) => <Tell text={warning} /> },
  ]
  return (
    <section className="section" aria-label={t('warnings')}>
      <div>
        <h3>{t('warnings')}</h3>
        <p className="muted">{t('warningsLead')}</p>
      </div>
      <DataTable
        caption={t('warnings')}
        columns={columns}
        rows={shown}
        keyOf={({ path, code }) => `${path} ${code}`}
        paging={paging}
      />
    </section>
  )
}
