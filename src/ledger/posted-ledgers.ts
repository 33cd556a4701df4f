// Ledgers with what was just posted to them, without reading them again.
import type { DeviceLedgers, EventPosting, NewEntry, NewEvent, PostingTime, StoredEntry } from './records.ts'

/** Only an entry of the device alone is stored with its event. */
export const storedEntry = (
  entry: NewEntry,
  { content, recordedBy }: Pick<NewEvent, 'content' | 'recordedBy'>,
  time: PostingTime,
): StoredEntry => ({
  ...entry,
  ...time,
  eventContent: entry.orderId === '' ? content : null,
  recordedBy: entry.orderId === '' ? recordedBy : null,
})

/** What was posted to them is not stored: a cached ledger includes it, and has to be read again. */
export function forgetPosted(ledgers: DeviceLedgers): void {
  for (const { cached } of ledgers.values()) if (cached) cached.ledger = null
}

/** In ledgers that are not stored: what is decided does not depend on the time of posting. */
export const NOT_YET: PostingTime = { postedAt: new Date(0), countsFrom: null, isSpreadUntilEnd: true }

/** For entries of orders, which are stored without their event. */
export const NO_EVENT = { content: '', recordedBy: null }

/**
 * A cached ledger includes what was posted to it already.
 * @param events of which entries of a device alone are
 */
export function ledgersWith(
  before: DeviceLedgers,
  { devices, entries, identified }: Pick<EventPosting, 'devices' | 'entries' | 'identified'>,
  events: readonly NewEvent[],
  time: PostingTime,
): DeviceLedgers {
  const after = new Map(before)
  const eventOf = ({ eventId }: NewEntry) => events.find((event) => event.eventId === eventId) ?? NO_EVENT
  const bySerial = Map.groupBy(entries, ({ serialNumber }) => serialNumber)
  for (const device of devices) {
    const { serialNumber } = device
    const earlier = before.get(serialNumber)
    const isCharging = ({ orderId }: NewEntry, at: number): boolean =>
      earlier ? orderId === '' && (identified?.has(serialNumber) ?? false) : at === 0
    const added = (bySerial.get(serialNumber) ?? []).map((entry, at) => ({
      ...storedEntry(entry, eventOf(entry), time),
      ...(isCharging(entry, at) && { footprint: device }),
    }))
    const cached = earlier?.cached && { cached: earlier.cached }
    after.set(serialNumber, { device, entries: [...(earlier?.entries ?? []), ...added], ...cached })
  }
  return after
}

/** The devices that events identify. */
export const identifiedBySerial = (identifications: readonly NewEvent[]): ReadonlySet<string> =>
  new Set(identifications.flatMap(({ serialNumber }) => serialNumber ?? []))
