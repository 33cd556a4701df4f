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
  const say = useMessages({ en, de })
  const { day, time } = useFormat()
  const [shown, paging] = useLocalPages(events, PAGE_ROWS)
  const columns: readonly Column<Told>[] = [
    { key: 'type', header: say('event'), isName: true, cell: ({ event }) => say(`${event.type}Event`) },
    {
      key: 'date',
      header: say('date'),
      cell: ({ event }) => <span className="unbroken">{'date' in event ? day(event.date) : '–'}</span>,
    },
    {
      key: 'device',
      header: say('device'),
      cell: ({ event }) => (event.serial_number ? <DeviceLink serial={event.serial_number} /> : say('allDevices')),
    },
    { key: 'detail', header: say('detail'), cell: ({ event }) => <Detail event={event} /> },
    { key: 'id', header: say('eventId'), cell: ({ event }) => <code>{event.event_id}</code> },
    { key: 'told', header: say('told'), cell: ({ recorded_at: at }) => <span className="unbroken">{time(at)}</span> },
  ]
  return (
    <section className="section" aria-label={say('events')}>
      <h2>{say('events')}</h2>
      {events.length === 0 ? (
        <p className="muted">{say('noEvents')}</p>
      ) : (
        <DataTable
          caption={say('events')}
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
  const say = useMessages({ en, de })
  if (event.type === 'extended') return say('extendedTo', { count: event.tenure_months })
  if (event.type === 'cancelled' && event.dispatched) return say('wasDispatched')
  if (event.type !== 'swapped') return '–'
  return (
    <>
      {say('replacedBy')} <DeviceLink serial={event.new_serial_number} />
    </>
  )
}
