// Earlier imports, newest first.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { api, readPage } from '../api/client.ts'
import { useCursorPages } from '../api/cursor-pages.ts'
import { DataTable, type Column } from '../components/data-table.tsx'
import { Figure } from '../components/figure.tsx'
import { Empty, Loaded } from '../components/loading-and-error.tsx'
import { useFormat } from '../i18n/format.ts'
import { useMessages } from '../i18n/language.tsx'
import de from './messages.de.json'
import en from './messages.en.json'
import type { ImportState } from './settings.ts'

const PAGE_ROWS = 10

export function EarlierImports() {
  const t = useMessages({ en, de })
  const { time } = useFormat()
  const { cursor, pagingTo } = useCursorPages()
  const imports = useQuery({
    queryKey: ['imports', cursor],
    queryFn: ({ signal }) =>
      readPage(api.GET('/api/imports', { params: { query: { limit: PAGE_ROWS, ...(cursor && { cursor }) } }, signal })),
    placeholderData: keepPreviousData,
    // Another session, or the last step on this page, may have changed the list.
    staleTime: 0,
  })
  const counted = (
    name: 'rows' | 'ordersStored' | 'ordersRejected',
    countOf: (one: ImportState) => number | null,
  ): Column<ImportState> => ({
    key: name,
    header: t(name),
    isNumber: true,
    cell: (one) => {
      const value = countOf(one)
      const title = one.file_name ?? t('unnamed', { id: String(one.import_id) })
      const unit = t(name)
      const links = [{ path: `/import/${one.import_id}`, label: t('toThisImport') }]
      const why = () => ({ title, value: value ?? 0, unit, notes: [t(`${name}Note`)], links })
      return <Figure value={value} unit={unit} isExact why={why} />
    },
  })
  const columns: readonly Column<ImportState>[] = [
    {
      key: 'file',
      header: t('file'),
      isName: true,
      cell: ({ import_id: id, file_name: name }) => (
        <Link href={`/import/${id}`}>{name ?? t('unnamed', { id: String(id) })}</Link>
      ),
    },
    { key: 'state', header: t('state'), cell: (one) => <StateTag {...one} /> },
    counted('rows', ({ rows_read: rows }) => rows),
    counted('ordersStored', ({ orders_stored: orders, is_dry_run: isDryRun }) => (isDryRun ? null : orders)),
    counted('ordersRejected', ({ orders_rejected: orders }) => orders),
    { key: 'time', header: t('time'), cell: ({ created_at: at }) => <span className="unbroken">{time(at)}</span> },
  ]
  return (
    <section className="stack" aria-label={t('earlier')}>
      <h2>{t('earlier')}</h2>
      <Loaded query={imports}>
        {({ data, next }) =>
          data.length === 0 && cursor === undefined ? (
            <Empty title={t('noImports')}>{t('noImportsHelp')}</Empty>
          ) : (
            <DataTable
              caption={t('earlier')}
              columns={columns}
              rows={data}
              keyOf={({ import_id: id }) => String(id)}
              paging={pagingTo(next)}
            />
          )
        }
      </Loaded>
    </section>
  )
}

export function StateTag({ state, is_dry_run: isDryRun }: Pick<ImportState, 'state' | 'is_dry_run'>) {
  const t = useMessages({ en, de })
  return (
    <span className="tags import-tags">
      <span className="tag" data-state={state}>
        {t(state)}
      </span>
      {isDryRun && <span className="tag">{t('dryRun')}</span>}
    </span>
  )
}
