// What was told of an order after it was made, in the sequence in which it became known.
import type { Schemas } from '../api/client.ts'
import { DataTable, type Column } from '../components/data-table.tsx'
import { useLocalPages } from '../components/local-pages.ts'
import { useFormat } from '../i18n/format.ts'
import { useMessages } from '../i18n/language.tsx'
import { DeviceLink } from './device-link.tsx'
import de from './messages.de.json'
import en from './messages.en.json'

type Told = Schemas['RecordedEvent']

const PAGE_ROWS = 10

export function EventList({ events }: { readonly events: readonly Told[] }) {
  const t = useMessages({ en, de })
  const { day, time } = useFormat()
  const [shown, paging] = useLocalPages(events, PAGE_ROWS)
  const columns: readonly Column<Told>[] = [
    { key: 'type', header: t('event'), isName: true, cell: ({ event }) => t(`${event.type}Event`) },
    {
      key: 'date',
      header: t('date'),
      cell: ({ event }) => <span className="unbroken">{'date' in event ? day(event.date) : '–'}</span>,
    },
    {
      key: 'device',
      header: t('device'),
      cell: ({ event }) => (event.serial_number ? <DeviceLink serial={event.serial_number} /> : t('allDevices')),
    },
    { key: 'detail', header: t('detail'), cell: ({ event }) => <Detail event={event} /> },
    { key: 'id', header: t('eventId'), cell: ({ event }) => <code>{event.event_id}</code> },
    {
      key: 'recordedAt',
      header: t('recordedAt'),
      cell: ({ recorded_at: at }) => <span className="unbroken">{time(at)}</span>,
    },
  ]
  return (
    <section className="section" aria-label={t('events')}>
      <h2>{t('events')}</h2>
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

function Detail({ event }: Pick<Told, 'event'>) {
  const t = useMessages({ en, de })
  if (event.type === 'extended') return t('extendedTo', { count: event.tenure_months })
  if (event.type === 'cancelled' && event.dispatched) return t('wasDispatched')
  if (event.type !== 'swapped') return '–'
  return (
    <>
      {t('replacedBy')} <DeviceLink serial={event.new_serial_number} />
    </>
  )
}
