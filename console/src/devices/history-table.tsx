// The history of a device: rentals and events, the emission allocated to each, idle times, and what remained.
import { Link } from 'wouter'
import { DataTable, type Column } from '../components/data-table.tsx'
import { Figure } from '../components/figure.tsx'
import { useLocalPages } from '../components/local-pages.ts'
import { KG } from '../emissions/kilograms.ts'
import { PARTS } from '../emissions/parts.ts'
import { useFormat } from '../i18n/format.ts'
import { useMessages } from '../i18n/language.tsx'
import { pathOfOrder } from '../orders/order-path.ts'
import { explainRemainingAfter, explainRentedMonths } from './explain-history.ts'
import { explainOrderTotal, explainPart } from './explain-rental.ts'
import de from './messages.de.json'
import en from './messages.en.json'
import { idleTimesOf, isRented, monthsBetween, type HistoryEvent, type Idle, type Ledger } from './history.ts'
import type { DeviceData } from './events.ts'

interface Row {
  readonly key: string
  readonly from: string
  readonly to: string | null
  readonly event: HistoryEvent | null
  readonly order: Ledger['orders'][number] | undefined
}

const PAGE_ROWS = 20

export function HistoryTable(data: DeviceData) {
  const t = useMessages({ en, de })
  const [shown, paging] = useLocalPages(rowsOf(data), PAGE_ROWS)
  return (
    <section className="section" aria-labelledby="devices-history">
      <div>
        <h2 id="devices-history">{t('history')}</h2>
        <p className="muted">{t('emissionsIn', { unit: KG })}</p>
      </div>
      <DataTable
        caption={t('history')}
        columns={useColumns(data)}
        rows={shown}
        keyOf={({ key }) => key}
        paging={paging}
      />
    </section>
  )
}

function rowsOf({ history, orders, day }: DeviceData): readonly Row[] {
  const { events } = history
  const rows = events.map((event, at) => ({
    key: `${at}`,
    from: event.from ?? event.date!,
    to: event.to ?? null,
    event,
    order: orders.find((one) => one.customer_id === event.customer_id && one.order_id === event.order_id),
  }))
  const idle = idleTimesOf(history, day).map((gap) => idleRow(gap))
  return [...rows, ...idle].sort((a, b) => a.from.localeCompare(b.from))
}

const idleRow = ({ from, to }: Idle): Row => ({
  key: `idle ${from}`,
  from,
  to,
  event: null,
  order: undefined,
})

function useColumns(data: DeviceData): readonly Column<Row>[] {
  const t = useMessages({ en, de })
  return [
    { key: 'what', header: t('what'), isName: true, cell: (row) => <What {...row} /> },
    { key: 'months', header: t('months'), isNumber: true, cell: (row) => <Months row={row} data={data} /> },
    ...PARTS.map((part): Column<Row> => ({
      key: part,
      header: t(part),
      isNumber: true,
      cell: ({ order }) =>
        order?.emission[part] && (
          <Figure value={order.emission[part].emission} unit={KG} why={() => explainPart(data, order, part, t)} />
        ),
    })),
    {
      key: 'total',
      header: t('total'),
      isNumber: true,
      cell: ({ order }) =>
        order && <Figure value={order.total_emission} unit={KG} why={() => explainOrderTotal(order, t)} />,
    },
    {
      key: 'remaining',
      header: t('remainingAfter'),
      isNumber: true,
      cell: ({ event }) =>
        event && <Figure value={event.remaining} unit={KG} why={() => explainRemainingAfter(data.history, event, t)} />,
    },
  ]
}

function What(row: Row) {
  const { day } = useFormat()
  const { from, to } = row
  return (
    <>
      <Happened {...row} />
      <br />
      <span className="muted unbroken">{to === null ? day(from) : `${day(from)} – ${day(to)}`}</span>
    </>
  )
}

function Happened({ event }: Row) {
  const t = useMessages({ en, de })
  if (event === null) return <span className="muted">{t('idle')}</span>
  if (!isRented(event)) {
    const { months_added: added = 0 } = event
    return (
      <>
        {t(event.type)}
        {added !== 0 && <span className="muted"> · {t('monthsMore', { count: added })}</span>}
      </>
    )
  }
  const { customer_id: customer, order_id: order, ended_by: endedBy } = event
  return (
    <>
      {customer}
      <br />
      <Link href={pathOfOrder(event)}>{order}</Link>
      {endedBy !== undefined && (
        <span className="muted"> · {endedBy in en ? t(endedBy as keyof typeof en) : endedBy}</span>
      )}
    </>
  )
}

function Months({ row: { event, from, to }, data }: { readonly row: Row; readonly data: DeviceData }) {
  const t = useMessages({ en, de })
  const unit = t('monthsUnit')
  if (to === null) return null
  const months = event ? (event.months ?? 0) : monthsBetween(from, to)
  const why = () =>
    event
      ? explainRentedMonths({ ...data, history: { ...data.history, events: [event] } }, months, t)
      : {
          title: t('idle'),
          value: months,
          unit,
          notes: [`${from} – ${to}`, t('idleNote')],
          methodology: 'METHODOLOGY.md#months',
        }
  return <Figure value={Number(months.toFixed(2))} unit={unit} why={why} />
}
