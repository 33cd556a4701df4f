// What was told of an order after it was made, in the sequence in which it became known.
import { useRef } from 'react'
import type { Schemas } from '../api/client.ts'
import { DataTable, type Column } from '../components/data-table.tsx'
import { useLocalPages } from '../components/local-pages.ts'
import { RecordedAt } from '../components/recorded-at.tsx'
import { useFormat } from '../i18n/format.ts'
import { useMessages } from '../i18n/language.tsx'
import { WithdrawButton, Withdrawn, Withdraws } from '../withdrawal/withdraw-button.tsx'
import { DeviceLink } from './device-link.tsx'
import de from './messages.de.json'
import en from './messages.en.json'
import type { OrderKey } from './order-path.ts'

type Told = Schemas['RecordedEvent']

const PAGE_ROWS = 10

export interface EventListProps {
  readonly orderKey: OrderKey
  readonly events: readonly Told[]
  /** False where the order is shown as it was known earlier. */
  readonly isCurrent: boolean
}

export function EventList({ orderKey, events, isCurrent }: EventListProps) {
  const t = useMessages({ en, de })
  const heading = useRef<HTMLHeadingElement>(null)
  const reasons = new Map(events.flatMap(({ event }) => ('reason' in event ? [[event.event_id, event.reason]] : [])))
  const mayWithdraw = isCurrent && !events.some(({ event }) => event.type === 'reversed')
  const { day } = useFormat()
  const [shown, paging] = useLocalPages(events, PAGE_ROWS)
  const columns: readonly Column<Told>[] = [
    {
      key: 'type',
      header: t('event'),
      isName: true,
      cell: (told) => (
        <>
          {t(`${told.event.type}Event`)}
          {told.withdrawn_by !== undefined && (
            <Withdrawn by={told.withdrawn_by} reason={reasons.get(told.withdrawn_by)} />
          )}
          {mayWithdraw && (
            <WithdrawButton recorded={orderKey} told={told} onWithdrawn={() => heading.current?.focus()} />
          )}
        </>
      ),
    },
    {
      key: 'date',
      header: t('date'),
      cell: ({ event }) => <span className="unbroken">{'date' in event ? day(event.date) : '–'}</span>,
    },
    {
      key: 'device',
      header: t('device'),
      cell: ({ event }) => <Devices event={event} />,
    },
    { key: 'detail', header: t('detail'), cell: ({ event }) => <Detail event={event} /> },
    { key: 'id', header: t('eventId'), cell: ({ event }) => <code>{event.event_id}</code> },
    {
      key: 'recordedAt',
      header: t('recordedAt'),
      cell: ({ recorded_at: at, recorded_by: by }) => <RecordedAt at={at} by={by} />,
    },
  ]
  return (
    <section className="section" aria-label={t('events')}>
      <h2 ref={heading} tabIndex={-1}>
        {t('events')}
      </h2>
      {events.length === 0 ? (
        <p className="muted">{t('noEvents')}</p>
      ) : (
        <DataTable
          caption={t('events')}
          columns={columns}
          rows={shown}
          keyOf={({ event }) => event.event_id}
          paging={paging}
        />
      )}
    </section>
  )
}

function Devices({ event }: Pick<Told, 'event'>) {
  const t = useMessages({ en, de })
  if (event.type === 'withdrawn') return '–'
  return event.serial_number ? <DeviceLink serial={event.serial_number} /> : t('allDevices')
}

function Detail({ event }: Pick<Told, 'event'>) {
  const t = useMessages({ en, de })
  if (event.type === 'extended') return t('extendedTo', { count: event.tenure_months })
  if (event.type === 'cancelled' && event.dispatched) return t('wasDispatched')
  if (event.type === 'withdrawn') return <Withdraws withdraws={event.withdraws} reason={event.reason} />
  if (event.type !== 'swapped') return '–'
  return (
    <>
      {t('replacedBy')} <DeviceLink serial={event.new_serial_number} />
    </>
  )
}
