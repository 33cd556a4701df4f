// An order on a page of its own: what it comes to, from which lines, for which devices, and how that came about.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { Link } from 'wouter'
import { api, read } from '../api/client.ts'
import { Problem } from '../api/problem.ts'
import { useFilters } from '../components/filters.ts'
import { Empty, Loaded, Loading } from '../components/loading-and-error.tsx'
import { CorrectButton } from '../correction/correct-button.tsx'
import { CorrectionList } from '../correction/correction-list.tsx'
import { Page } from '../layout/page.tsx'
import { useFormat } from '../i18n/format.ts'
import { useMessages } from '../i18n/language.tsx'
import { KnownAt, timeOfDay, type KnownOrder } from './known-at.tsx'
import de from './messages.de.json'
import en from './messages.en.json'
import { EntryTable } from './entry-table.tsx'
import { EventList } from './event-list.tsx'
import { LineTable } from './line-table.tsx'
import type { Entry } from './order-parts.ts'
import { OrderSums } from './order-sums.tsx'
import type { OrderKey } from './order-path.ts'
import { Proof } from './receipt-panel.tsx'
import { ShareTable } from './share-table.tsx'

const OrderCharts = lazy(async () => ({ default: (await import('./order-charts.tsx')).OrderCharts }))
const Correction = lazy(async () => ({ default: (await import('../correction/correction.tsx')).Correction }))

/** Whether the order is shown, or corrected; after that it is shown again, with the focus on the button. */
type View = 'shown' | 'correcting' | 'corrected'

export function OrderPage({ customer_id, order_id }: OrderKey) {
  const key = { customer_id, order_id }
  const t = useMessages({ en, de })
  const { filters } = useFilters(['known'])
  const [view, setView] = useState<View>('shown')
  const order = useOrder(key, filters.known)
  const isUnknown = order.error instanceof Problem && order.error.status === 404
  const isCorrecting = view === 'correcting'
  const mayCorrect = filters.known === '' && order.isSuccess && order.data.order.status !== 'reversed'
  return (
    <Page
      title={key.order_id}
      lead={t('orderOf', { customer: key.customer_id })}
      actions={
        <div className="row">
          {mayCorrect && !isCorrecting && (
            <CorrectButton hasFocus={view === 'corrected'} onClick={() => setView('correcting')} />
          )}
          <Link href="/orders" className="button">
            {t('allOrders')}
          </Link>
        </div>
      }
    >
      {isCorrecting ? (
        <Suspense fallback={<Loading />}>
          <Correction orderKey={key} onClose={() => setView('corrected')} />
        </Suspense>
      ) : (
        <div className="stack">
          {(order.data || filters.known !== '') && <KnownAt shown={order.data} />}
          {isUnknown ? (
            <Unknown known={filters.known} />
          ) : (
            <Loaded query={order}>{(loaded) => <ShownOrder {...loaded} orderKey={key} />}</Loaded>
          )}
        </div>
      )}
    </Page>
  )
}

/** As it stands, or as it stood at the end of a day; what is shown stays until the other is there. */
function useOrder(key: OrderKey, known: string) {
  const query = {
    include: ['calculation' as const, 'entries' as const, 'events' as const, 'metadata' as const],
    ...(known !== '' && { known_at: timeOfDay(known) }),
  }
  return useQuery({
    queryKey: ['order', key, known],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const params = { path: { ...key }, query }
      return { known, order: await read(api.GET('/api/customer-orders/{customer_id}/{order_id}', { params, signal })) }
    },
  })
}

function Unknown({ known }: { readonly known: string }) {
  const t = useMessages({ en, de })
  const { day } = useFormat()
  return known === '' ? (
    <Empty title={t('noSuchOrder')}>
      <p>{t('noSuchOrderHelp')}</p>
    </Empty>
  ) : (
    <Empty title={t('notRecordedThen', { day: day(known) })}>
      <p>{t('notRecordedThenHelp')}</p>
    </Empty>
  )
}

interface ShownOrderProps extends KnownOrder {
  readonly orderKey: OrderKey
}

function ShownOrder({ order, orderKey, known }: ShownOrderProps) {
  const t = useMessages({ en, de })
  const { entries = [], events = [], items } = order
  return (
    <>
      <OrderSums order={order} />
      {items.length === 0 ? <Empty title={t('noItems')} /> : <Contents order={order} entries={entries} />}
      {order.corrections && <CorrectionList corrections={order.corrections} />}
      <EventList orderKey={orderKey} events={events} isCurrent={known === ''} />
      <EntryTable entries={entries} />
      <Proof key={known} orderKey={orderKey} known={known} />
    </>
  )
}

const Contents = ({ order, entries }: Pick<ShownOrderProps, 'order'> & { readonly entries: readonly Entry[] }) => (
  <>
    <Suspense fallback={<Loading />}>
      <OrderCharts order={order} />
    </Suspense>
    <LineTable items={order.items} />
    <ShareTable entries={entries} />
  </>
)
