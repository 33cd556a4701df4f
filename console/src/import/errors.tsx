// What is wrong with the rows of a file, kind by kind and row by row, and those rows to mend: as a file, or here.
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
import { Reason, Suggestion, Written } from './cell-text.tsx'

type Fault = Schemas['ImportError']
const PAGE_ROWS = 20

export function ImportErrors({ one, sender }: FixRowsProps) {
  const say = useMessages({ en, de })
  const [isByRow, setByRow] = useState(false)
  return (
    <section className="stack import-errors" aria-label={say('errors')}>
      <div className="row row-apart">
        <div>
          <h2>{say('errors')}</h2>
          <p className="muted">{say('faultsLead', { count: one.rows_rejected })}</p>
          {one.rows_rejected_stored < one.rows_rejected && (
            <p className="muted">{say('faultsStored', { count: one.rows_rejected_stored })}</p>
          )}
        </div>
        <a className="button" href={`/api/imports/${one.import_id}/rejected-rows`} download>
          {say('rejectedRowsFile')}
        </a>
      </div>
      <ErrorGroups one={one} />
      <FixRows one={one} sender={sender} />
      <details onToggle={({ currentTarget }) => setByRow(currentTarget.open)}>
        <summary>{say('rowByRow')}</summary>
        {isByRow && <FaultList one={one} />}
      </details>
    </section>
  )
}

function FaultList({ one }: { readonly one: ImportState }) {
  const say = useMessages({ en, de })
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
  const columns: readonly Column<Fault>[] = [
    { key: 'row', header: say('row'), isName: true, cell: ({ row }) => full(row) },
    { key: 'column', header: say('column'), cell: ({ column }) => column ?? <span className="muted">–</span> },
    { key: 'value', header: say('value'), cell: ({ value }) => <Written text={value} /> },
    { key: 'reason', header: say('reason'), cell: ({ reason }) => <Reason text={reason} /> },
    { key: 'suggestion', header: say('suggestion'), cell: ({ suggestion }) => <Suggestion text={suggestion} /> },
  ]
  return (
    <Loaded query={errors}>
      {({ data, next }) => (
        <DataTable
          caption={say('rowByRow')}
          columns={columns}
          rows={data}
          keyOf={({ row, column, reason }) => `${row} ${column} ${reason}`}
          paging={pagingTo(next)}
        />
      )}
    </Loaded>
  )
}
