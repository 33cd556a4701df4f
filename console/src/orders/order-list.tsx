// All orders, page by page as the API has them: searched, filtered, in one of several sequences.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { api, readPage, type Schemas } from '../api/client.ts'
import { useCursorPages, type Paging } from '../api/cursor-pages.ts'
import { Problem } from '../api/problem.ts'
import { CodeToCopy } from '../components/copyable-code.tsx'
import { DataTable, type Column } from '../components/data-table.tsx'
import { Figure } from '../components/figure.tsx'
import { Empty, Loaded } from '../components/loading-and-error.tsx'
import { Page } from '../layout/page.tsx'
import { useFormat } from '../i18n/format.ts'
import { useMessages } from '../i18n/language.tsx'
import { explainTotal } from './explain-order.ts'
import de from './messages.de.json'
import en from './messages.en.json'
import { KG } from '../emissions/kilograms.ts'
import { OrderFilters, USUAL_SORT, areUnset, sortOf, useOrderFilters, type Filters } from './order-filters.tsx'
import { pathOfOrder } from './order-path.ts'
import { readOrder } from './use-order.ts'
import { StatusTag } from './status-tag.tsx'

const PAGE_ROWS = 25

type Summary = Schemas['OrderSummary']

export function OrderList() {
  const t = useMessages({ en, de })
  const { filters } = useOrderFilters()
  const { cursor, pagingTo } = useCursorPages()
  const orders = useOrders(filters, cursor)
  return (
    <Page title={t('orders')} lead={t('lead')}>
      <div className="stack">
        <OrderFilters />
        {isTooMany(orders.error) ? (
          <TooMany />
        ) : (
          <Loaded query={orders}>
            {({ data, next }) =>
              data.length > 0 ? (
                <OrderTable orders={data} paging={pagingTo(next)} />
              ) : areUnset(filters) ? (
                <Empty title={t('noOrders')}>
                  <p>{t('noOrdersHelp')}</p>
                  <CodeToCopy code={CURL} />
                </Empty>
              ) : (
                <Empty title={t('noneFits')}>
                  <p>{t('noneFitsHelp')}</p>
                </Empty>
              )
            }
          </Loaded>
        )}
      </div>
    </Page>
  )
}

const CURL = [
  `curl -s ${location.origin}/api/customer-orders`,
  '-H "X-API-Key: $KEY" -H "Content-Type: application/json"',
  '-d @order.json',
].join(' \\\n  ')

/** A page of them; the one before stays until it is there. */
function useOrders(filters: Filters, cursor: string | undefined) {
  const { search, customer_id, status, from, to } = filters
  const set = Object.fromEntries(Object.entries({ search, customer_id, from, to }).filter(([, value]) => value !== ''))
  const query = {
    limit: PAGE_ROWS,
    sort: sortOf(filters),
    ...set,
    ...(status !== '' && { status: [status as Summary['status']] }),
    ...(cursor !== undefined && { cursor }),
  }
  return useQuery({
    queryKey: ['orders', query],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => readPage(api.GET('/api/customer-orders', { params: { query }, signal })),
  })
}

/** Refused because of the sequence: by what they emit, only so many orders are sorted. */
const isTooMany = (problem: Error | null): boolean =>
  problem instanceof Problem && problem.details.some(({ path }) => path === '?sort')

function TooMany() {
  const t = useMessages({ en, de })
  const { setFilters } = useOrderFilters()
  return (
    <Empty title={t('tooMany')}>
      <p>{t('tooManyHelp')}</p>
      <button className="button" onClick={() => setFilters({ sort: '' })}>
        {t(`sort${USUAL_SORT}`)}
      </button>
    </Empty>
  )
}

function OrderTable({ orders, paging }: { readonly orders: readonly Summary[]; readonly paging: Paging }) {
  const t = useMessages({ en, de })
  const format = useFormat()
  const { filters, setFilters } = useOrderFilters()
  const columns: readonly Column<Summary>[] = [
    {
      key: 'order',
      header: t('order'),
      isName: true,
      sorts: { up: 'order_id', down: '-order_id' },
      cell: (order) => <Link href={pathOfOrder(order)}>{order.order_id}</Link>,
    },
    {
      key: 'emission',
      header: `${t('emissions')} (${KG})`,
      isNumber: true,
      sorts: { up: 'total_emission', down: '-total_emission' },
      cell: (order) => (
        <Figure
          value={order.total_emission}
          unit={KG}
          why={async () => explainTotal(await readOrder(order), t, format)}
        />
      ),
    },
    { key: 'customer', header: t('customer'), cell: ({ customer_id: id }) => <CustomerLink id={id} /> },
    { key: 'status', header: t('status'), cell: ({ status }) => <StatusTag status={status} /> },
    {
      key: 'devices',
      header: t('devices'),
      isNumber: true,
      cell: ({ number_of_devices: value }) => (
        <Figure
          value={value}
          unit={t('devices')}
          why={() => ({ title: t('devices'), value, unit: '', notes: [t('devicesNote')] })}
        />
      ),
    },
    {
      key: 'ordered',
      header: t('ordered'),
      sorts: { up: 'order_date', down: USUAL_SORT },
      cell: (order) => <Day iso={order.order_date} />,
    },
    { key: 'from', header: t('tenureFrom'), cell: (order) => <Day iso={order.tenure_start_date} /> },
  ]
  return (
    <DataTable
      caption={t('orders')}
      columns={columns}
      rows={orders}
      keyOf={(order) => pathOfOrder(order)}
      sort={sortOf(filters)}
      onSort={(sort) => setFilters({ sort: sort === USUAL_SORT ? '' : sort })}
      paging={paging}
    />
  )
}

function CustomerLink({ id }: { readonly id: string }) {
  return <Link href={`/orders?customer_id=${encodeURIComponent(id)}`}>{id}</Link>
}

function Day({ iso }: { readonly iso: string }) {
  const { day } = useFormat()
  return (
    <time dateTime={iso} className="unbroken">
      {day(iso)}
    </time>
  )
}
