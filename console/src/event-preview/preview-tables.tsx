// What an event moves: in total, by order, by customer and year, and of the embodied totals of devices.
import type { ReactNode } from 'react'
import { DataTable, type Column } from '../components/data-table.tsx'
import { Figure } from '../components/figure.tsx'
import { useLocalPages } from '../components/local-pages.ts'
import { KG } from '../emissions/kilograms.ts'
import { useFormat } from '../i18n/format.ts'
import { useMessages } from '../i18n/language.tsx'
import de from './messages.de.json'
import en from './messages.en.json'
import type { Preview } from './event-recording.ts'

type Order = Preview['orders'][number]
type Year = NonNullable<Preview['years']>[number]
type Device = Preview['devices'][number]

const PAGE_ROWS = 5

export function PreviewTables({ difference, orders, devices, years, counts_from: countsFrom }: Preview) {
  const t = useMessages({ en, de })
  const { day } = useFormat()
  return (
    <>
      <p>
        <strong>{t('moves')}</strong> <Figure value={difference.total_emission} unit={KG} showsUnit showsSign />
      </p>
      {countsFrom !== null && <p className="note">{t('countsFrom', { day: day(countsFrom) })}</p>}
      {orders.length === 0 ? <p className="muted">{t('noOrders')}</p> : <Orders orders={orders} />}
      {years === null && <p className="muted">{t('noYears')}</p>}
      {years !== null && orders.length > 0 && <Years years={years} />}
      {devices.length > 0 && <Devices devices={devices} />}
    </>
  )
}

const kilograms = (value: number, showsSign = false) => <Figure value={value} unit={KG} showsSign={showsSign} />

const FromTo = ({ from, to }: { readonly from: number; readonly to: number }) => (
  <>
    {kilograms(from)} → {kilograms(to)}
  </>
)

function Orders({ orders }: Pick<Preview, 'orders'>) {
  const t = useMessages({ en, de })
  const [shown, paging] = useLocalPages(orders, PAGE_ROWS)
  const columns: readonly Column<Order>[] = [
    {
      key: 'order',
      header: t('order'),
      isName: true,
      cell: ({ customer_id: customer, order_id: order }) => (
        <>
          {order}
          <br />
          <span className="muted">{customer}</span>
        </>
      ),
    },
    {
      key: 'change',
      header: t('beforeAfter'),
      isNumber: true,
      cell: ({ before, after }) => <FromTo from={before.total_emission} to={after.total_emission} />,
    },
    {
      key: 'difference',
      header: t('change'),
      isNumber: true,
      cell: ({ difference }) => kilograms(difference.total_emission, true),
    },
  ]
  return (
    <Titled title={t('orders')}>
      <DataTable
        caption={t('orders')}
        columns={columns}
        rows={shown}
        keyOf={({ customer_id: customer, order_id: order }) => JSON.stringify([customer, order])}
        paging={paging}
      />
    </Titled>
  )
}

function Years({ years }: { readonly years: readonly Year[] }) {
  const t = useMessages({ en, de })
  const [shown, paging] = useLocalPages(years, PAGE_ROWS)
  const columns: readonly Column<Year>[] = [
    { key: 'customer', header: t('customer'), isName: true, cell: ({ customer_id: customer }) => customer },
    { key: 'year', header: t('year'), isNumber: true, cell: ({ year }) => year },
    {
      key: 'difference',
      header: t('change'),
      isNumber: true,
      cell: ({ difference }) => kilograms(difference.total_emission, true),
    },
  ]
  return (
    <Titled title={t('years')}>
      {years.length === 0 ? (
        <p className="muted">{t('noYearMoves')}</p>
      ) : (
        <DataTable
          caption={t('years')}
          columns={columns}
          rows={shown}
          keyOf={({ customer_id: customer, year }) => `${year} ${customer}`}
          paging={paging}
        />
      )}
    </Titled>
  )
}

function Devices({ devices }: Pick<Preview, 'devices'>) {
  const t = useMessages({ en, de })
  const columns: readonly Column<Device>[] = [
    { key: 'device', header: t('device'), isName: true, cell: ({ serial_number: serial }) => serial },
    {
      key: 'change',
      header: t('beforeAfter'),
      isNumber: true,
      cell: (one) => <FromTo from={one.embodied_total_before} to={one.embodied_total_after} />,
    },
  ]
  return (
    <Titled title={t('devices')}>
      <DataTable
        caption={t('devices')}
        columns={columns}
        rows={devices}
        keyOf={({ serial_number: serial }) => serial}
      />
    </Titled>
  )
}

const Titled = ({ title, children }: { readonly title: string; readonly children: ReactNode }) => (
  <section className="section">
    <h3>{`${title} (${KG})`}</h3>
    {children}
  </section>
)
