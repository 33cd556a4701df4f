// The warnings about the orders of a file that were stored, or would be, by kind: their number and first rows.
import { type Schemas } from '../api/client.ts'
import { DataTable, type Column } from '../components/data-table.tsx'
import { useFormat } from '../i18n/format.ts'
import { useMessages } from '../i18n/language.tsx'
import de from './messages.de.json'
import en from './messages.en.json'
import type { ImportState } from './settings.ts'
import { Reason, messageOf } from './cell-text.tsx'

type Group = Schemas['ImportWarningGroup']

export function ImportWarnings({ one }: { readonly one: ImportState }) {
  const t = useMessages({ en, de })
  const { full } = useFormat()
  const columns: readonly Column<Group>[] = [
    { key: 'warnings', header: t('howOften'), isName: true, cell: ({ warnings }) => full(warnings) },
    { key: 'column', header: t('column'), cell: ({ column }) => column ?? <span className="muted">–</span> },
    { key: 'reason', header: t('warning'), cell: (group) => <Reason message={messageOf(group)} /> },
    {
      key: 'rows',
      header: t('firstRows'),
      cell: ({ rows, warnings }) => `${rows.map(full).join(', ')}${warnings > rows.length ? ' …' : ''}`,
    },
  ]
  return (
    <section className="stack" aria-label={t('warnings')}>
      <div>
        <h2>{t('warnings')}</h2>
        <p className="muted">{t('warningsLead', { count: one.number_of_warnings })}</p>
      </div>
      <DataTable
        caption={t('warnings')}
        columns={columns}
        rows={one.warnings}
        keyOf={({ column, code }) => `${column} ${code}`}
      />
    </section>
  )
}
