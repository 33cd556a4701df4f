// The errors of a file by kind and by row, and its rejected rows: to download, or to correct here.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, readPage, type Schemas } from '../api/client.ts'
import { useCursorPages } from '../api/cursor-pages.ts'
import { DataTable, type Column } from '../components/data-table.tsx'
import { Loaded } from '../components/loading-and-error.tsx'
import { useFormat } from '../i18n/format.ts'
import { useMessages } from '../i18n/language.tsx'
import { ErrorGroups } from './error-groups.tsx'
import { FixRows, type FixRowsProps } from './fix-rows.tsx'
import de from './messages.de.json'
import en from './messages.en.json'
import type { ImportState } from './settings.ts'
import { CellText, Reason, Suggestions, messageOf, suggestionsOf } from './cell-text.tsx'

type RowError = Schemas['ImportError']
const PAGE_ROWS = 20

export function ImportErrors({ one, sender }: FixRowsProps) {
  const t = useMessages({ en, de })
  const [isByRow, setByRow] = useState(false)
  return (
    <section className="stack import-errors" aria-label={t('errors')}>
      <div className="row row-apart">
        <div>
          <h2>{t('errors')}</h2>
          <p className="muted">{t('errorsLead', { count: one.rows_rejected })}</p>
          {one.rows_rejected_stored < one.rows_rejected && (
            <p className="muted">{t('errorsStored', { count: one.rows_rejected_stored })}</p>
          )}
        </div>
        <a className="button" href={`/api/imports/${one.import_id}/rejected-rows`} download>
          {t('rejectedRowsFile')}
        </a>
      </div>
      <ErrorGroups one={one} />
      <FixRows one={one} sender={sender} />
      <details onToggle={({ currentTarget }) => setByRow(currentTarget.open)}>
        <summary>{t('rowByRow')}</summary>
        {isByRow && <ErrorList one={one} />}
      </details>
    </section>
  )
}

function ErrorList({ one }: { readonly one: ImportState }) {
  const t = useMessages({ en, de })
  const { full } = useFormat()
  const { cursor, pagingTo } = useCursorPages()
  const importId = String(one.import_id)
  const errors = useQuery({
    queryKey: ['import errors', importId, cursor, one.rows_rejected],
    queryFn: ({ signal }) =>
      readPage(
        api.GET('/api/imports/{import_id}/errors', {
          params: { path: { import_id: importId }, query: { limit: PAGE_ROWS, ...(cursor && { cursor }) } },
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
  })
  const columns: readonly Column<RowError>[] = [
    { key: 'row', header: t('row'), isName: true, cell: ({ row }) => full(row) },
    { key: 'column', header: t('column'), cell: ({ column }) => column ?? <span className="muted">–</span> },
    { key: 'value', header: t('value'), cell: ({ value }) => <CellText text={value} /> },
    { key: 'reason', header: t('reason'), cell: (error) => <Reason message={messageOf(error)} /> },
    {
      key: 'suggestion',
      header: t('suggestion'),
      cell: (error) => <Suggestions values={suggestionsOf(error)} />,
    },
  ]
  return (
    <Loaded query={errors}>
      {({ data, next }) => (
        <DataTable
          caption={t('rowByRow')}
          columns={columns}
          rows={data}
          keyOf={({ row, column, reason }) => `${row} ${column} ${reason}`}
          paging={pagingTo(next)}
        />
      )}
    </Loaded>
  )
}
