// All orders, page by page as the API has them, found by their ids, a device, their days and how they stand.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { api, readPage, type Schemas } from '../api/client.ts'
import { useCursorPages, type Paging } from '../api/cursor-pages.ts'
import { CodeToCopy } from '../components/code-to-copy.tsx'
import { DataTable, type Column } from '../components/data-table.tsx'
import { Figure } from '../components/figure.tsx'
import { ChoiceFilter, FilterBar, TextFilter } from '../components/filter-bar.tsx'
import { useFilters } from '../components/filters.ts'
import { Empty, Loaded } from '../components/states.tsx'
import { Page } from '../frame/page.tsx'
import { useFormat } from '../language/format.ts'
import { useMessages } from '../language/language.tsx'
import { explainTotal } from './explain-order.ts'
import de from './messages.de.json'
import en from './messages.en.json'
import { KG } from '../emissions/kilograms.ts'
import { pathOfOrder } from './order-path.ts'
import { readOrder } from './read-order.ts'
import { StatusTag } from './status-tag.tsx'

const PAGE_ROWS = 25

type Summary = Schemas['OrderSummary']
const STATUSES = ['created', 'amended', 'returned', 'cancelled', 'undone'] as const

const FILTERS = ['order_id', 'customer_id', 'serial_number', 'status', 'from', 'to'] as const
type Filters = Readonly<Record<(typeof FILTERS)[number], string>>
const isUnset = (filters: Filters): boolean => FILTERS.every((name) => filters[name] === '')

export function OrderList() {
  const say = useMessages({ en, de })
  const { filters } = useFilters(FILTERS)
  const { cursor, pagingTo } = useCursorPages()
  const orders = useOrders(filters, cursor)
  return (
    <Page title={say('orders')} lead={say('lead')}>
      <div className="stack">
        <OrderFilters />
        <Loaded query={orders}>
          {({ data, next }) =>
            data.length > 0 ? (
              <OrderTable orders={data} paging={pagingTo(next)} />
            ) : isUnset(filters) ? (
              <Empty title={say('noOrders')}>
                <p>{say('noOrdersHelp')}</p>
                <CodeToCopy code={CURL} />
              </Empty>
            ) : (
              <Empty title={say('noneFits')}>
                <p>{say('noneFitsHelp')}</p>
              </Empty>
            )
          }
        </Loaded>
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
  const { status, ...texts } = filters
  const set = Object.fromEntries(Object.entries(texts).filter(([, value]) => value !== ''))
  const query = {
    limit: PAGE_ROWS,
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

function OrderFilters() {
  const say = useMessages({ en, de })
  const { filters, setFilters } = useFilters(FILTERS)
  const typed = (name: 'order_id' | 'customer_id' | 'serial_number') => (
    <TextFilter
      label={say(name)}
      value={filters[name]}
      onChange={(value) => setFilters({ [name]: value }, { replace: true })}
    />
  )
  const day = (name: 'from' | 'to') => (
    <TextFilter
      label={say(name)}
      type="date"
      value={filters[name]}
      onChange={(value) => setFilters({ [name]: value })}
    />
  )
  const clear = () => setFilters(Object.fromEntries(FILTERS.map((name) => [name, ''])))
  return (
    <div className="orders-filters">
      <FilterBar onClear={isUnset(filters) ? null : clear}>
        {typed('order_id')}
        {typed('customer_id')}
        {typed('serial_number')}
        {day('from')}
        {day('to')}
        <ChoiceFilter
          label={say('status')}
          value={filters.status}
          choices={STATUSES.map((value) => ({ value, label: say(value) }))}
          onChange={(value) => setFilters({ status: value })}
        />
      </FilterBar>
    </div>
  )
}

function OrderTable({ orders, paging }: { readonly orders: readonly Summary[]; readonly paging: Paging }) {
  const say = useMessages({ en, de })
  const format = useFormat()
  const columns: readonly Column<Summary>[] = [
    {
      key: 'order',
      header: say('order'),
      isName: true,
      cell: (order) => <Link href={pathOfOrder(order)}>{order.order_id}</Link>,
    },
    {
      key: 'emission',
      header: `${say('emissions')} (${KG})`,
      isNumber: true,
      cell: (order) => (
        <Figure
          value={order.total_emission}
          unit={KG}
          why={async () => explainTotal(await readOrder(order), say, format)}
        />
      ),
    },
    { key: 'customer', header: say('customer'), cell: ({ customer_id: id }) => <CustomerLink id={id} /> },
    { key: 'status', header: say('status'), cell: ({ status }) => <StatusTag status={status} /> },
    {
      key: 'devices',
      header: say('devices'),
      isNumber: true,
      cell: ({ number_of_devices: value }) => (
        <Figure
          value={value}
          unit={say('devices')}
          why={() => ({ title: say('devices'), value, unit: '', notes: [say('devicesNote')] })}
        />
      ),
    },
    { key: 'ordered', header: say('ordered'), cell: (order) => <Day iso={order.order_date} /> },
    { key: 'from', header: say('tenureFrom'), cell: (order) => <Day iso={order.tenure_start_date} /> },
  ]
  return (
    <DataTable
      caption={say('orders')}
      columns={columns}
      rows={orders}
      keyOf={(order) => pathOfOrder(order)}
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
