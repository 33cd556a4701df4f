// What was told of a device and of its orders after they were made, each with what it changed.
import { useRef } from 'react'
import { Link } from 'wouter'
import { DataTable, type Column } from '../components/data-table.tsx'
import { Figure } from '../components/figure.tsx'
import { RecordedAt } from '../components/recorded-at.tsx'
import { KG, sumAsText, sumOfKilograms } from '../emissions/kilograms.ts'
import { IdentifiedAs, IdentifiedByOrder } from '../identification/identified-as.tsx'
import { useFormat } from '../i18n/format.ts'
import { useMessages } from '../i18n/language.tsx'
import { pathOfOrder } from '../orders/order-path.ts'
import { WithdrawButton, Withdrawn, Withdraws } from '../withdrawal/withdraw-button.tsx'
import de from './messages.de.json'
import en from './messages.en.json'
import { eventsOf, type RecordedEvent } from './history.ts'
import type { DeviceData } from './events.ts'

const effectOf = ({ entries }: RecordedEvent): number =>
  sumOfKilograms(entries.map(({ total_emission: total }) => total))

export function EventTable({ serial, entries, events: own, knownAt }: DeviceData) {
  const t = useMessages({ en, de })
  const { day } = useFormat()
  const heading = useRef<HTMLHeadingElement>(null)
  const events = eventsOf(entries, own)
  const reasons = new Map(own.flatMap(({ event }) => ('reason' in event ? [[event.event_id, event.reason]] : [])))
  const columns: readonly Column<RecordedEvent>[] = [
    {
      key: 'what',
      header: t('event'),
      isName: true,
      cell: (event) => (
        <What
          {...event}
          {...{ serial, reasons, isCurrent: knownAt === undefined }}
          onWithdrawn={() => heading.current?.focus()}
        />
      ),
    },
    {
      key: 'date',
      header: t('date'),
      cell: ({ own: told }) => (
        <span className="unbroken">{told && 'date' in told.event ? day(told.event.date) : '–'}</span>
      ),
    },
    { key: 'id', header: t('eventId'), cell: ({ id }) => <code>{id}</code> },
    { key: 'at', header: t('recordedAt'), cell: ({ at, own: told }) => <RecordedAt at={at} by={told?.recorded_by} /> },
    {
      key: 'order',
      header: t('order'),
      cell: ({ order }) => order && <Link href={pathOfOrder(order)}>{order.order_id}</Link>,
    },
    {
      key: 'effect',
      header: `${t('changed')} (${KG})`,
      isNumber: true,
      cell: (event) => (
        <Figure
          value={effectOf(event)}
          unit={KG}
          why={() => ({
            title: t('whyChanged', { id: event.id }),
            value: effectOf(event),
            unit: KG,
            formula: sumAsText(
              event.entries.map(({ total_emission: total }) => total),
              effectOf(event),
            ),
            notes: event.entries.map(({ entry_no: no, reason }) => `${no}: ${t(reason)}`),
            methodology: 'METHODOLOGY.md#events',
          })}
        />
      ),
    },
  ]
  return (
    <section className="section" aria-labelledby="devices-events">
      <h2 id="devices-events" ref={heading} tabIndex={-1}>
        {t('events')}
      </h2>
      {events.length === 0 ? (
        <p className="muted">{t('noEvents')}</p>
      ) : (
        <DataTable caption={t('events')} columns={columns} rows={events} keyOf={({ id }) => id} />
      )}
    </section>
  )
}

interface WhatProps extends RecordedEvent {
  readonly serial: string
  /** Why events were withdrawn, by the id of the withdrawal. */
  readonly reasons: ReadonlyMap<string, string | undefined>
  /** False where the device is shown as it was known earlier. */
  readonly isCurrent: boolean
  readonly onWithdrawn: () => void
}

/** What was recorded, and whether it was withdrawn. Events of orders are withdrawn on the pages of these. */
function What({ reason, own, serial, reasons, isCurrent, onWithdrawn }: WhatProps) {
  const t = useMessages({ en, de })
  if (own === undefined) return t(reason)
  const { event, withdrawn_by: by } = own
  return (
    <>
      {t(reason)}
      {by !== undefined && <Withdrawn by={by} reason={reasons.get(by)} />}
      {event.type === 'withdrawn' && (
        <div className="muted">
          <Withdraws withdraws={event.withdraws} reason={event.reason} />
        </div>
      )}
      {event.type === 'identified' && (
        <div className="muted">
          {'footprint_id' in event ? <IdentifiedByOrder {...event} /> : <IdentifiedAs {...event} />}
        </div>
      )}
      {isCurrent && <WithdrawButton recorded={{ serial }} told={own} onWithdrawn={onWithdrawn} />}
    </>
  )
}
