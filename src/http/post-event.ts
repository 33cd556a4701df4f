// What an event posts: entries for the devices that it concerns, and corrections to other orders; or why it cannot be.
import { NOTHING } from '../engine/device-history.ts'
import { contradictionOf } from '../engine/device-event.ts'
import type { OrderDevice, OrderEvent } from '../engine/order-event-terms.ts'
import { ruleOnOrderEvent } from '../engine/order-event.ts'
import type { Problem } from '../engine/order.ts'
import { postChange, type Change } from '../engine/post-change.ts'
import { parseDecimal } from '../engine/ratio.ts'
import type { EventWriting, OrderFile } from '../postgres/events.ts'
import type { Journal, StoredDevice, StoredEntry } from '../postgres/order-record.ts'
import type { WireDeviceEvent, WireOrderEvent } from './event-schema.ts'
import { Failure, invalid } from './failure.ts'
import { serialsOf, statusOf } from './order-view.ts'
import { keptWeight, knownDevice, toDeviceEvent, toNewEntry, type BookOf } from './stored-journal.ts'

/** An event that contradicts what is known changes nothing, and says what is known. */
const contradiction = (problem: Problem): Failure =>
  new Failure('conflict', `The event contradicts what is known: ${problem.path}: ${problem.message}`, [problem])

/**
 * @param isCapped how a device is charged that a swap brings in and nobody rented before
 * @throws Failure where the event cannot have happened
 */
export function postingOfOrderEvent(
  wire: WireOrderEvent,
  file: OrderFile,
  bookOf: BookOf,
  isCapped: boolean,
): EventWriting {
  if (file.journals.size === 0) return postingWithoutDevices(wire, file)
  const known = new Map([...file.journals].map(([serial, journal]) => [serial, knownDevice(journal, bookOf)]))
  const devices = serialsOf(file.order, file.events).map((serial): OrderDevice => {
    const { history, figures } = known.get(serial)!
    return { serialNumber: serial, history, figures }
  })
  const { customerId, orderId, tenureStartDate } = file.order
  const comer = wire.type === 'swapped' ? known.get(wire.new_serial_number) : undefined
  const newDevice = comer ? { ...comer, serialNumber: comer.device.serialNumber } : null
  const ruling = ruleOnOrderEvent(toOrderEvent(wire), { customerId, orderId, tenureStartDate, devices }, newDevice)
  if (!ruling.ok) throw ruling.isMalformed ? invalid([ruling.problem]) : contradiction(ruling.problem)
  return postChanges(ruling.changes, wire, file, bookOf, isCapped)
}

function postChanges(
  changes: ReadonlyMap<string, Change>,
  wire: WireOrderEvent,
  file: OrderFile,
  bookOf: BookOf,
  isCapped: boolean,
): EventWriting {
  const [replaced] = changes.keys()
  const posted = [...changes].map(([serial, change]) => {
    const journal = file.journals.get(serial) ?? newcomer(serial, file.journals.get(replaced!)!.device, wire, isCapped)
    const { history, figures } = knownDevice(journal, bookOf)
    const { entries, balance } = postChange(history, change, figures)
    return { device: { ...journal.device, balance }, entries: entries.map((entry) => toNewEntry(entry, serial)) }
  })
  const entries = posted.flatMap((one) => one.entries)
  const serialNumber = wire.type === 'swapped' ? replaced! : (wire.serial_number ?? null)
  return {
    devices: posted.map(({ device }) => device),
    entries,
    status: statusAfter(file, posted, bookOf),
    serialNumber,
  }
}

/** A device that a swap brings in and nobody rented before is charged as the one that it replaces. */
function newcomer(serialNumber: string, replaced: StoredDevice, wire: WireOrderEvent, isCapped: boolean): Journal {
  const weight = wire.type === 'swapped' ? keptWeight(replaced.basis, parseDecimal(String(wire.weight_kg))) : null
  const device = { ...replaced, serialNumber, weightKg: weight, isCapped, balance: { whole: 0n, posted: 0n } }
  return { device, entries: [] }
}

type Posted = { readonly device: StoredDevice; readonly entries: readonly ReturnType<typeof toNewEntry>[] }

/** The status that the order has once the entries are posted. */
function statusAfter(file: OrderFile, posted: readonly Posted[], bookOf: BookOf) {
  const journals = new Map(file.journals)
  for (const { device, entries } of posted) {
    const before = journals.get(device.serialNumber)?.entries ?? []
    const more = entries.map((entry): StoredEntry => ({ ...entry, postedAt: new Date(0), eventContent: null }))
    journals.set(device.serialNumber, { device, entries: [...before, ...more] })
  }
  return statusOf({ ...file, journals }, bookOf)
}

/** Of an order without devices, nothing but its cancelling can be told: its transport and packaging are reversed. */
function postingWithoutDevices(wire: WireOrderEvent, { order, entries }: OrderFile): EventWriting {
  if (wire.type !== 'cancelled') throw contradiction({ path: '/type', message: 'The order has no devices' })
  if (wire.serial_number !== undefined) {
    throw invalid([{ path: '/serial_number', message: `"${wire.serial_number}" is not a device of this order` }])
  }
  if (entries.some(({ reason }) => reason === 'cancelled')) {
    throw contradiction({ path: '/type', message: 'The order was cancelled' })
  }
  if (wire.date >= order.tenureStartDate) {
    const message = `The tenure starts on ${order.tenureStartDate}: an order is cancelled before that`
    throw contradiction({ path: '/date', message })
  }
  const sum = (part: 'packaging' | 'transportation') => entries.reduce((total, entry) => total + entry[part], 0n)
  const kept = wire.dispatched === true
  const entry = {
    ...NOTHING,
    packaging: kept ? 0n : -sum('packaging'),
    transportation: kept ? 0n : -sum('transportation'),
    customerId: order.customerId,
    orderId: order.orderId,
    no: (entries.at(-1)?.no ?? 0) + 1,
    reason: 'cancelled' as const,
    terms: null,
    country: null,
    releaseId: order.releaseId,
    eventId: wire.event_id,
    cause: null,
  }
  return { devices: [], entries: [toNewEntry(entry, '')], status: 'cancelled', serialNumber: null }
}

function toOrderEvent(wire: WireOrderEvent): OrderEvent {
  const common = { eventId: wire.event_id, serialNumber: wire.serial_number ?? null }
  switch (wire.type) {
    case 'returned':
      return { ...common, type: wire.type, date: wire.date }
    case 'extended':
      return { ...common, type: wire.type, tenureMonths: wire.tenure_months }
    case 'cancelled':
      return { ...common, type: wire.type, date: wire.date, dispatched: wire.dispatched ?? false }
    case 'swapped':
      return { ...common, type: wire.type, date: wire.date, newSerialNumber: wire.new_serial_number }
  }
}

/** @throws Failure where the event cannot have happened */
export function postingOfDeviceEvent(wire: WireDeviceEvent, journal: Journal, bookOf: BookOf): EventWriting {
  const { device, history, figures } = knownDevice(journal, bookOf)
  const event = toDeviceEvent(wire)
  const problem = contradictionOf(event, history, figures)
  if (problem) throw contradiction(problem)
  const change = { event, eventId: wire.event_id, releaseId: device.releaseId }
  const { entries, balance } = postChange(history, change, figures)
  const newEntries = entries.map((entry) => toNewEntry(entry, device.serialNumber))
  return { devices: [{ ...device, balance }], entries: newEntries, status: null, serialNumber: device.serialNumber }
}
