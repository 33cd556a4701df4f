// A table: pages and sorting are the API's; what is too wide for the screen is scrolled within it.
import type { ReactNode } from 'react'
import type { Paging } from '../api/cursor-pages.ts'
import { useMessages } from '../i18n/language.tsx'
import de from './messages.de.json'
import en from './messages.en.json'
import './data-table.css'
import './wide-table.css'

export interface Column<Row> {
  readonly key: string
  readonly header: string
  readonly cell: (row: Row) => ReactNode
  /** Numbers stand to the right, below one another. */
  readonly isNumber?: boolean
  /** The first column of a row names it. */
  readonly isName?: boolean
  /** What the API calls sorting by it, up and down; without it the column is not sorted by. */
  readonly sorts?: { readonly up: string; readonly down: string }
}

export interface DataTableProps<Row> {
  readonly caption: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row) => string
  /** As the API calls it; '' for the list's own sequence. */
  readonly sort?: string
  readonly onSort?: (sort: string) => void
  readonly paging?: Paging
}

export function DataTable<Row>({ caption, columns, rows, keyOf, sort = '', onSort, paging }: DataTableProps<Row>) {
  const t = useMessages({ en, de })
  return (
    <div className="data-table">
      <div className="data-table-scroll" role="region" aria-label={t('scrollable', { caption })} tabIndex={0}>
        <table>
          <caption className="hidden-visually">{caption}</caption>
          <thead>
            <tr>
              {columns.map((column) => (
                <HeaderCell key={column.key} column={column} sort={sort} onSort={onSort} />
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={keyOf(row)}>
                {columns.map((column) => (
                  <Cell key={column.key} column={column} row={row} />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {paging && (paging.onNext || paging.onPrevious) && <Pager {...paging} />}
    </div>
  )
}

function Cell<Row>({ column: { isName, isNumber, cell }, row }: { readonly column: Column<Row>; readonly row: Row }) {
  return isName ? <th scope="row">{cell(row)}</th> : <td className={isNumber ? 'number' : undefined}>{cell(row)}</td>
}

interface HeaderCellProps<Row> {
  readonly column: Column<Row>
  readonly sort: string
  readonly onSort: ((sort: string) => void) | undefined
}

/** Pressed once it sorts downward, as who sorts by a number looks for the most; again upward; again not at all. */
function HeaderCell<Row>({ column: { header, isName, isNumber, sorts }, sort, onSort }: HeaderCellProps<Row>) {
  const t = useMessages({ en, de })
  const direction = sort === sorts?.down ? 'descending' : sort === sorts?.up ? 'ascending' : undefined
  const next = direction === undefined ? sorts?.down : direction === 'descending' ? sorts?.up : ''
  return (
    <th
      scope="col"
      className={isNumber ? 'number' : isName ? 'name' : undefined}
      aria-sort={sorts && (direction ?? 'none')}
    >
      {sorts && onSort ? (
        <button aria-label={t('sortBy', { column: header })} onClick={() => onSort(next ?? '')}>
          {withUnit(header)}{' '}
          <span aria-hidden>{direction === 'descending' ? '↓' : direction === 'ascending' ? '↑' : '↕'}</span>
        </button>
      ) : (
        withUnit(header)
      )}
    </th>
  )
}

/** A header may be broken, but not within its unit, like kg CO₂e. */
const withUnit = (header: string): string => header.replace(' CO₂e', '\u00a0CO₂e')

/** Who came to the last page by keyboard is still on the button: one that is disabled would lose the focus. */
export function Pager({ page, onNext, onPrevious }: Paging) {
  const t = useMessages({ en, de })
  return (
    <nav className="pager" aria-label={t('paging')}>
      <button className="button" aria-disabled={onPrevious === null} onClick={onPrevious ?? undefined}>
        {t('previous')}
      </button>
      <span aria-live="polite">{page === null ? t('laterPage') : t('page', { page })}</span>
      <button className="button" aria-disabled={onNext === null} onClick={onNext ?? undefined}>
        {t('next')}
      </button>
    </nav>
  )
}
