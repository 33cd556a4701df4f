// What is wrong with a file, kind by kind: how often, in which rows first, and what would be right.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { api, read, type Schemas } from '../api/client.ts'
import { DataTable, type Column } from '../components/data-table.tsx'
import { Loaded } from '../components/loading-and-error.tsx'
import { useFormat } from '../i18n/format.ts'
import { useMessages } from '../i18n/language.tsx'
import de from './messages.de.json'
import en from './messages.en.json'
import type { ImportState } from './settings.ts'
import { Reason, Suggestion, Written } from './cell-text.tsx'

type Group = Schemas['ImportErrorGroup']

export function ErrorGroups({ one }: { readonly one: ImportState }) {
  const say = useMessages({ en, de })
  const { full } = useFormat()
  const importId = String(one.import_id)
  const found = useQuery({
    queryKey: ['import fault groups', importId, one.rows_rejected],
    queryFn: ({ signal }) =>
      read(api.GET('/api/imports/{import_id}/error-groups', { params: { path: { import_id: importId } }, signal })),
    placeholderData: keepPreviousData,
  })
  const columns: readonly Column<Group>[] = [
    { key: 'errors', header: say('howOften'), isName: true, cell: ({ errors }) => full(errors) },
    { key: 'column', header: say('column'), cell: ({ column }) => column ?? <span className="muted">–</span> },
    { key: 'reason', header: say('reason'), cell: ({ reason }) => <Reason text={reason} /> },
    { key: 'values', header: say('values'), cell: ({ values }) => <Values values={values} /> },
    {
      key: 'rows',
      header: say('firstRows'),
      cell: ({ rows, errors }) => `${rows.map(full).join(', ')}${errors > rows.length ? ' …' : ''}`,
    },
  ]
  return (
    <Loaded query={found}>
      {({ rows, is_complete: isWhole, groups }) => (
        <>
          <DataTable
            caption={say('faultGroups')}
            columns={columns}
            rows={groups}
            keyOf={({ column, reason }) => `${column} ${reason}`}
          />
          {!isWhole && <p className="muted">{say('groupsOfFirst', { rows: full(rows) })}</p>}
        </>
      )}
    </Loaded>
  )
}

function Values({ values }: Pick<Group, 'values'>) {
  const { full } = useFormat()
  return (
    <ul className="import-values">
      {values.map(({ value, suggestion, errors }, at) => (
        <li key={at}>
          <Written text={value} />
          {suggestion !== null && (
            <>
              {' → '}
              <Suggestion text={suggestion} />
            </>
          )}
          {values.length > 1 && <span className="muted"> {full(errors)} ×</span>}
        </li>
      ))}
    </ul>
  )
}
