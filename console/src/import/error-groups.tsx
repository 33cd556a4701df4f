// The errors of a file by kind: their number, first rows, most frequent values, and suggestions.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { api, read, type Schemas } from '../api/client.ts'
import { DataTable, type Column } from '../components/data-table.tsx'
import { Loaded } from '../components/loading-and-error.tsx'
import { useFormat } from '../i18n/format.ts'
import { useMessages } from '../i18n/language.tsx'
import de from './messages.de.json'
import en from './messages.en.json'
import type { ImportState } from './settings.ts'
import { CellText, Reason, Suggestions, messageOf, suggestionsOf } from './cell-text.tsx'

type Group = Schemas['ImportErrorGroup']

export function ErrorGroups({ one }: { readonly one: ImportState }) {
  const t = useMessages({ en, de })
  const { full } = useFormat()
  const importId = String(one.import_id)
  const groups = useQuery({
    queryKey: ['import error groups', importId, one.rows_rejected],
    queryFn: ({ signal }) =>
      read(api.GET('/api/imports/{import_id}/error-groups', { params: { path: { import_id: importId } }, signal })),
    placeholderData: keepPreviousData,
  })
  const columns: readonly Column<Group>[] = [
    { key: 'errors', header: t('howOften'), isName: true, cell: ({ errors }) => full(errors) },
    { key: 'column', header: t('column'), cell: ({ column }) => column ?? <span className="muted">–</span> },
    { key: 'reason', header: t('reason'), cell: (group) => <Reason message={messageOf(group)} /> },
    { key: 'values', header: t('values'), cell: ({ values }) => <Values values={values} /> },
    {
      key: 'rows',
      header: t('firstRows'),
      cell: ({ rows, errors }) => `${rows.map(full).join(', ')}${errors > rows.length ? ' …' : ''}`,
    },
  ]
  return (
    <Loaded query={groups}>
      {({ rows, is_complete: isComplete, groups }) => (
        <>
          <DataTable
            caption={t('errorGroups')}
            columns={columns}
            rows={groups}
            keyOf={({ column, reason }) => `${column} ${reason}`}
          />
          {!isComplete && <p className="muted">{t('groupsOfFirst', { rows: full(rows) })}</p>}
        </>
      )}
    </Loaded>
  )
}

function Values({ values }: Pick<Group, 'values'>) {
  const { full } = useFormat()
  return (
    <ul className="import-values">
      {values.map(({ value, errors, ...suggested }, at) => (
        <li key={at}>
          <CellText text={value} />
          {suggested.suggestion !== null && (
            <>
              {' → '}
              <Suggestions values={suggestionsOf(suggested)} />
            </>
          )}
          {values.length > 1 && <span className="muted"> {full(errors)} ×</span>}
        </li>
      ))}
    </ul>
  )
}
