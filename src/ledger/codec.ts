// Converts items, orders, events and ledgers between their stored form and the types of the engine.
import { hash } from 'node:crypto'
import {
  isByDefault,
  orderKey,
  type DeviceEvent,
  type DeviceTimeline,
  type OrderKey,
} from '../engine/device-timeline.ts'
import type { OrderFootprint } from '../engine/estimate.ts'
import {
  applyEntry,
  emptyLedgerHistory,
  type EventWithdrawal,
  type Identification,
  type LedgerEntry,
  type MutableLedgerHistory,
} from '../engine/ledger-history.ts'
import type { Milligrams } from '../engine/numbers/emission.ts'
import { ONE, fromExactText, rationalOfNumber, toFractionText, type Rational } from '../engine/numbers/rational.ts'
import { runToCompletion, type Resumable } from '../engine/numbers/steps.ts'
import type { TimedEntry } from '../engine/occupancy.ts'
import type { OrderEvent } from '../engine/order-events.ts'
import { sentIdOf } from '../engine/order-revision.ts'
import type { RecordedEvent } from '../engine/order-replay.ts'
import { timelineOf, type DeviceFootprint } from '../engine/post-entries.ts'
import { footprintById, type Footprint } from '../engine/reference/footprint.ts'
import { identifiedBy } from './footprints.ts'
import { decodeDefault } from './refurbishment-default.ts'
import type { ReferenceData, ReferenceDataOf } from '../engine/reference/reference-data.ts'
import { gridFactors, matchesOf, type ResolvedProduct } from '../engine/resolve-order.ts'
import { RunningLedger } from '../engine/running-ledger.ts'
import { runCooperatively } from '../concurrency/cooperative.ts'
import type { RecordedOrderEvent, StoredDeviceEvent } from '../contract/event-schema.ts'
import type { WireItem, WireOrder } from '../contract/order-schema.ts'
import type {
  DeviceLedger,
  DeviceLedgers,
  ImportOrigin,
  NewEntry,
  NewOrder,
  Recorder,
  StoredDevice,
  StoredFootprint,
  StoredEntry,
  StoredEvent,
} from './records.ts'

type Config = WireItem['config']
type NameOf<OneConfig> = OneConfig extends unknown ? keyof OneConfig : never

/**
 * Stored items use these letters permanently: a letter is never reassigned to another name. SQL that reads items uses
 * them too.
 */
const LETTERS = {
  product_id: 'p',
  serial_number: 's',
  tenure_months: 't',
  weight_kg: 'w',
  product_name: 'n',
  brand: 'b',
  device_type: 'd',
  model_id: 'm',
  country: 'c',
  transportation_id: 'r',
  transportation_mode: 'o',
  distance_km: 'k',
  distance_basis: 'a',
  packaging_id: 'g',
} as const satisfies Readonly<Record<NameOf<Config>, string>>

type Letter = (typeof LETTERS)[keyof typeof LETTERS]
type StoredItem = Readonly<Partial<Record<Letter, string | number>>>

const NAMES = new Map(Object.entries(LETTERS).map(([name, letter]) => [letter as string, name]))

/** Preserves the order of the members. */
export function encodeItem(config: Config): StoredItem {
  const stored: Partial<Record<Letter, string | number>> = {}
  for (const name in config) stored[LETTERS[name as NameOf<Config>]] = config[name as keyof Config]
  return stored
}

/** @throws Error for an unknown letter, which encodeItem did not write */
export function decodeItem(stored: StoredItem): Config {
  const config: Record<string, string | number> = {}
  for (const [letter, value] of Object.entries(stored)) {
    const name = NAMES.get(letter)
    if (name === undefined) throw new Error(`No member of an item is kept as "${letter}"`)
    config[name] = value
  }
  return config as unknown as Config
}

/** The stored form of an order: its content in canonical JSON, and its lines as they are answered. */
export function encodeOrder(
  wire: WireOrder,
  footprint: OrderFootprint,
  releaseId: number,
  origin?: ImportOrigin,
): NewOrder {
  const { footprintIds, matchMethods } = matchesOf(footprint.items.map(({ item }) => item))
  const emissions: Milligrams[] = []
  for (const { lines } of footprint.items) for (const { emission } of lines) emissions.push(emission)
  return {
    customerId: wire.customer_id,
    orderId: wire.order_id,
    orderDate: wire.order_date,
    tenureStartDate: wire.tenure_start_date,
    country: wire.country ?? null,
    metadata: wire.metadata ? JSON.stringify(wire.metadata) : null,
    items: JSON.stringify((wire.items ?? []).map(({ config }) => encodeItem(config))),
    releaseId,
    footprintIds,
    matchMethods,
    lineEmissions: emissions,
    origin,
  }
}

/** The content of a revision of an order, in canonical form, under the id by which it is stored. */
export function decodeOrder(stored: NewOrder): WireOrder {
  return {
    customer_id: stored.customerId,
    order_id: stored.orderId,
    order_date: stored.orderDate,
    tenure_start_date: stored.tenureStartDate,
    ...(stored.country !== null && { country: stored.country }),
    ...(stored.metadata !== null && { metadata: JSON.parse(stored.metadata) as Record<string, string> }),
    items: (JSON.parse(stored.items) as StoredItem[])
      .map(decodeItem)
      .map((config) => ({ type: typeOf(config), config }) as WireItem),
  }
}

/** The order as it was sent, under the id that the client sent. */
export function decodeSentOrder(stored: NewOrder): WireOrder {
  const order = decodeOrder(stored)
  return { ...order, order_id: sentIdOf(order.order_id) }
}

const CONTENT = ['orderDate', 'tenureStartDate', 'country', 'metadata', 'items'] as const satisfies (keyof NewOrder)[]

/**
 * True if two orders of one identity have literally the same content, as nearly every repetition has; these need not be
 * parsed to be compared. If false, the contents may still be equal.
 */
export const haveSameText = (one: NewOrder, other: NewOrder): boolean =>
  CONTENT.every((member) => one[member] === other[member])

/** The id in a config identifies its type, so the type need not be stored. */
function typeOf(config: WireItem['config']): WireItem['type'] {
  if ('product_id' in config) return 'product'
  return 'transportation_id' in config ? 'transportation' : 'packaging'
}

export const orderKeyOf = ({ customer_id, order_id }: WireOrder): OrderKey => ({
  customerId: customer_id,
  orderId: order_id,
})

/** The service's own id of a device: always the same for one account and serial number, in every process. */
export const deviceId = (accountId: number, serialNumber: string): string =>
  `dev_${hash('sha256', `${accountId}\0${serialNumber}`).slice(0, 32)}`

/** @param serialNumber the device of the event; null if the event concerns the complete order */
export function decodeOrderEvent(
  wire: Exclude<RecordedOrderEvent, { readonly type: 'withdrawn' }>,
  serialNumber: string | null,
): OrderEvent
export function decodeOrderEvent(wire: RecordedOrderEvent, serialNumber: string | null): RecordedEvent
export function decodeOrderEvent(wire: RecordedOrderEvent, serialNumber: string | null): RecordedEvent {
  const common = { eventId: wire.event_id, serialNumber }
  switch (wire.type) {
    case 'returned':
      return { ...common, type: wire.type, date: wire.date }
    case 'extended':
      return { ...common, type: wire.type, tenureMonths: wire.tenure_months }
    case 'cancelled':
      return { ...common, type: wire.type, date: wire.date, dispatched: wire.dispatched ?? false }
    case 'swapped':
      return { ...common, type: wire.type, date: wire.date, newSerialNumber: wire.new_serial_number }
    case 'reversed':
    case 'corrected':
      return { ...common, type: wire.type }
    case 'withdrawn':
      return { type: wire.type, eventId: wire.event_id, withdraws: wire.withdraws }
  }
}

export function decodeDeviceEvent(wire: StoredDeviceEvent): DeviceEvent | Identification | EventWithdrawal {
  if (wire.type === 'identified') return { type: wire.type }
  if (wire.type === 'withdrawn') return { type: wire.type, withdraws: wire.withdraws }
  if (wire.type !== 'refurbished') return { type: wire.type, date: wire.date }
  return {
    type: wire.type,
    date: wire.date,
    emission: rationalOfNumber(wire.emission_kg),
    monthsAdded: rationalOfNumber(wire.lifetime_months_added),
    ...(wire.emission_default && { byDefault: decodeDefault(wire.emission_default) }),
  }
}

/** Weight of the replacement device of a swap, kg. */
export const replacementWeight = (wire: Extract<RecordedOrderEvent, { type: 'swapped' }>): Rational =>
  rationalOfNumber(wire.weight_kg)

/** An event of an order as it was sent. */
export const eventContent = ({ content }: Pick<StoredEvent, 'content'>): RecordedOrderEvent =>
  JSON.parse(content) as RecordedOrderEvent

/**
 * An event of an order as it is replayed. A swap names the device that it replaced, also if it was sent without: when
 * the order had one device left.
 */
export function replayedEvent(stored: StoredEvent): RecordedEvent {
  const wire = eventContent(stored)
  return decodeOrderEvent(wire, wire.type === 'swapped' ? stored.serialNumber : serialNumberIn(wire))
}

export const serialNumberIn = (wire: RecordedOrderEvent): string | null =>
  'serial_number' in wire ? (wire.serial_number ?? null) : null

/** A device with its ledger's history, ready for computation. */
export interface DeviceState {
  readonly device: StoredDevice
  readonly history: MutableLedgerHistory
  readonly figures: DeviceFootprint
  readonly referenceData: ReferenceData
  /** The event that identified the device; null if its first order fixed what it is charged by. */
  readonly identifiedBy: string | null
}

/** Loads every dataset release that the ledgers refer to, before any computation. */
export async function loadReferenceDataOf(
  ledgers: DeviceLedgers,
  more: readonly number[],
  referenceDataOf: (releaseId: number) => Promise<ReferenceData>,
): Promise<ReferenceDataOf> {
  const ids = new Set(more)
  for (const { device, entries, cached } of ledgers.values()) {
    ids.add(device.releaseId)
    for (const { releaseId, footprint } of entries) ids.add(releaseId).add(footprint?.releaseId ?? releaseId)
    for (const releaseId of cached?.releases ?? []) ids.add(releaseId)
  }
  const referenceDataById = new Map<number, ReferenceData>()
  for (const id of ids) referenceDataById.set(id, await referenceDataOf(id))
  return (releaseId) => referenceDataById.get(releaseId)!
}

/** @param until number of the last entry to include; all entries by default */
export function* knownInSteps(
  { device, entries }: DeviceLedger,
  referenceDataOf: ReferenceDataOf,
  until = Infinity,
): Resumable<DeviceState> {
  const history = emptyLedgerHistory()
  let charged = device
  for (const entry of entries) {
    if (entry.no <= until) applyEntry(history, decodeEntry(entry))
    if (entry.no <= until && entry.footprint) charged = { ...device, ...entry.footprint }
    yield
  }
  const referenceData = referenceDataOf(charged.releaseId)
  const event = identifiedBy(until === Infinity ? entries : entries.filter(({ no }) => no <= until))
  return { device: charged, history, figures: figuresOf(charged, referenceDataOf), referenceData, identifiedBy: event }
}

export const deviceStateOf = (ledger: DeviceLedger, referenceDataOf: ReferenceDataOf, until = Infinity): DeviceState =>
  runToCompletion(knownInSteps(ledger, referenceDataOf, until))

export const timelineOfDevice = ({ history, figures }: DeviceState): Resumable<DeviceTimeline> =>
  timelineOf(history, figures)

/** A device whose ledger has been computed and can be continued. */
export interface OpenDevice extends DeviceState {
  readonly ledger: RunningLedger
}

/** Continues from the cached ledger, if there is one: only the entries since then are new. */
export function* openInSteps(stored: DeviceLedger, referenceDataOf: ReferenceDataOf): Resumable<OpenDevice> {
  const { device, entries, cached } = stored
  if (cached) {
    cached.referenceDataOf = referenceDataOf
    for (const { releaseId } of entries) cached.releases.add(releaseId)
  }
  if (!cached?.ledger) {
    // The ledger looks up reference data through the current posting, since a later one may use a later release.
    const known = yield* knownInSteps(
      stored,
      cached ? (releaseId) => cached.referenceDataOf!(releaseId) : referenceDataOf,
    )
    const ledger = yield* RunningLedger.openInSteps(known.history, known.figures)
    if (cached) Object.assign(cached, { ledger, identifiedBy: known.identifiedBy })
    return { ...known, ledger }
  }
  const { ledger } = cached
  for (const entry of entries) {
    if (entry.no > ledger.history.lastNo) ledger.add(decodeEntry(entry))
    yield
  }
  return {
    device,
    history: ledger.history,
    figures: ledger.figures,
    referenceData: referenceDataOf(device.releaseId),
    identifiedBy: cached.identifiedBy,
    ledger,
  }
}

export const figuresOf = (device: StoredFootprint, referenceDataOf: ReferenceDataOf): DeviceFootprint => ({
  footprint: footprintOfDevice(device, referenceDataOf(device.releaseId)),
  isCapped: device.isCapped,
  gridOf: ({ releaseId, country }) => gridFactors(country, referenceDataOf(releaseId)),
})

const footprintOfDevice = ({ footprintId, weightKg }: StoredFootprint, referenceData: ReferenceData): Footprint =>
  footprintById(footprintId, weightKg === null ? ONE : fromExactText(weightKg), referenceData)

/** Computes a large ledger, which is then cached with its records. */
export const createOpenLedger =
  (referenceDataOf: (releaseId: number) => Promise<ReferenceData>) =>
  async (ledger: DeviceLedger): Promise<void> => {
    const referenceDataById = await loadReferenceDataOf(
      new Map([[ledger.device.serialNumber, ledger]]),
      [],
      referenceDataOf,
    )
    await runCooperatively(openInSteps(ledger, referenceDataById))
  }

/** A product of an order with the footprint of its device. */
export const withDeviceFootprint = (
  item: ResolvedProduct,
  { device, history, figures, referenceData, identifiedBy: event }: DeviceState,
): ResolvedProduct => ({
  ...item,
  footprintId: device.footprintId,
  footprint: figures.footprint,
  footprintData: referenceData,
  identifiedBy: event,
  byDefault: [...history.events.values()].filter(isByDefault),
})

/** As answers and receipts name it: `key` is as in the list of closed periods. */
export const printRecorder = (by: Recorder | null) => {
  if (by === null) return null
  return 'importId' in by ? { import_id: by.importId } : { key: by.keyHint, label: by.keyLabel }
}

export const decodeEntry = ({ terms, eventContent, ...entry }: StoredEntry): LedgerEntry => ({
  ...entry,
  terms: terms && { ...terms, months: fromExactText(terms.months) },
  event: eventContent === null ? null : decodeDeviceEvent(JSON.parse(eventContent) as StoredDeviceEvent),
})

/** The fields of an entry that determine the length of rentals. */
export const toTimed = ({ terms, eventContent, ...entry }: StoredEntry): TimedEntry => ({
  ...entry,
  terms: terms && { ...terms, months: fromExactText(terms.months) },
  event: eventContent === null ? null : (JSON.parse(eventContent) as TimedEntry['event']),
})

export function encodeEntry({ terms, ...entry }: Omit<LedgerEntry, 'event'>, serialNumber: string): NewEntry {
  const { no, reason, country, releaseId, eventId, cause, inForce, customerId, orderId } = entry
  const { product_embodied_emission, product_use, packaging, transportation } = entry
  return {
    serialNumber,
    no,
    reason,
    country,
    releaseId,
    eventId,
    cause,
    ...(inForce && { inForce }),
    customerId,
    orderId,
    product_embodied_emission,
    product_use,
    packaging,
    transportation,
    terms: terms && { start: terms.start, end: terms.end, months: toFractionText(terms.months) },
  }
}

/**
 * The number of an order's first entry in a device's ledger: later entries were not known when the order was answered.
 */
export function firstEntryNo({ entries }: DeviceLedger, order: OrderKey): number {
  const own = entries.find((entry) => orderKey(entry) === orderKey(order))
  if (!own) throw new Error(`The ledger has no entry of the order "${order.orderId}"`)
  return own.no
}
