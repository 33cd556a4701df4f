// Between a device's journal in the database and the engine that runs it.
import {
  applyEntry,
  emptyLedgerHistory,
  type LedgerEntry,
  type MutableLedgerHistory,
} from '../../engine/ledger-history.ts'
import { orderKey, type DeviceTimeline, type OrderKey } from '../../engine/device-timeline.ts'
import type { ReferenceDataOf, ReferenceData } from '../../engine/reference/reference-data.ts'
import { WEIGHT_FOOTPRINT_ID, footprintById, type Footprint } from '../../engine/reference/footprint.ts'
import { isExactMatch, normaliseProductId } from '../../engine/reference/product-match.ts'
import { timelineOf, type DeviceFootprint } from '../../engine/post-entries.ts'
import { RunningLedger } from '../../engine/running-ledger.ts'
import { runToCompletion, type Resumable } from '../../engine/numbers/steps.ts'
import { ONE, fromExactText, toFractionText, type Rational } from '../../engine/numbers/rational.ts'
import { gridFactors, type ResolvedProduct } from '../../engine/resolve-order.ts'
import type {
  ProductGuess,
  DeviceLedger,
  DeviceLedgers,
  NewEntry,
  StoredDevice,
  StoredEntry,
} from '../../postgres/orders/order-record.ts'
import { runCooperatively } from '../serving/in-slices.ts'
import type { WireDeviceEvent } from './event-schema.ts'
import { decodeDeviceEvent } from './stored-event.ts'

/** A device whose journal is known, ready to run. */
export interface DeviceState {
  readonly device: StoredDevice
  readonly history: MutableLedgerHistory
  readonly figures: DeviceFootprint
  readonly book: ReferenceData
}

/** Every release that journals refer to, read before anything is run. */
export async function loadReferenceDataOf(
  journals: DeviceLedgers,
  more: readonly number[],
  bookOf: (releaseId: number) => Promise<ReferenceData>,
): Promise<ReferenceDataOf> {
  const ids = new Set(more)
  for (const { device, entries, kept } of journals.values()) {
    ids.add(device.releaseId)
    for (const { releaseId } of entries) ids.add(releaseId)
    for (const releaseId of kept?.releases ?? []) ids.add(releaseId)
  }
  const books = new Map<number, ReferenceData>()
  for (const id of ids) books.set(id, await bookOf(id))
  return (releaseId) => books.get(releaseId)!
}

/** @param until the last entry that is known; all of them without it */
export function* knownInSteps(
  { device, entries }: DeviceLedger,
  bookOf: ReferenceDataOf,
  until = Infinity,
): Resumable<DeviceState> {
  const history = emptyLedgerHistory()
  for (const entry of entries) {
    if (entry.no <= until) applyEntry(history, decodeEntry(entry))
    yield
  }
  const book = bookOf(device.releaseId)
  return { device, history, figures: figuresOf(device, bookOf), book }
}

export const deviceStateOf = (journal: DeviceLedger, bookOf: ReferenceDataOf, until = Infinity): DeviceState =>
  runToCompletion(knownInSteps(journal, bookOf, until))

export const timelineOfDevice = ({ history, figures }: DeviceState): Resumable<DeviceTimeline> =>
  timelineOf(history, figures)

/** A device whose ledger is run, to go on with. */
export interface OpenDevice extends DeviceState {
  readonly ledger: RunningLedger
}

/** With the ledger that is kept of it, if any: only the entries since are new to that. */
export function* openInSteps(journal: DeviceLedger, bookOf: ReferenceDataOf): Resumable<OpenDevice> {
  const { device, entries, kept } = journal
  if (kept) {
    kept.bookOf = bookOf
    for (const { releaseId } of entries) kept.releases.add(releaseId)
  }
  if (!kept?.ledger) {
    // The ledger asks for the books of the posting at hand: a later one may be of a later release.
    const known = yield* knownInSteps(journal, kept ? (releaseId) => kept.bookOf!(releaseId) : bookOf)
    const ledger = yield* RunningLedger.openInSteps(known.history, known.figures)
    if (kept) kept.ledger = ledger
    return { ...known, ledger }
  }
  const { ledger } = kept
  for (const entry of entries) {
    if (entry.no > ledger.history.lastNo) ledger.add(decodeEntry(entry))
    yield
  }
  return { device, history: ledger.history, figures: ledger.figures, book: bookOf(device.releaseId), ledger }
}

const figuresOf = (device: StoredDevice, bookOf: ReferenceDataOf): DeviceFootprint => ({
  footprint: footprintOfDevice(device, bookOf(device.releaseId)),
  isCapped: device.isCapped,
  gridOf: ({ releaseId, country }) => gridFactors(country, bookOf(releaseId)),
})

const footprintOfDevice = ({ basis, weightKg }: StoredDevice, book: ReferenceData): Footprint =>
  footprintById(basis, weightKg === null ? ONE : fromExactText(weightKg), book)

/** Runs the ledger of a long journal, which is kept with that. */
export const createOpenLedger =
  (bookOf: (releaseId: number) => Promise<ReferenceData>) =>
  async (journal: DeviceLedger): Promise<void> => {
    const books = await loadReferenceDataOf(new Map([[journal.device.serialNumber, journal]]), [], bookOf)
    await runCooperatively(openInSteps(journal, books))
  }

/** What is kept of a device's weight: it decides only where nothing else does. */
export const weightToStore = (basis: string, weightKg: Rational): string | null =>
  basis === WEIGHT_FOOTPRINT_ID ? toFractionText(weightKg) : null

/** What is kept with a device that is charged by a guess, or by what the account maps its product id to. */
export const guessToStore = ({ product, found }: ResolvedProduct): ProductGuess | null =>
  isExactMatch(found) ? null : { productId: normaliseProductId(product.productId), found }

/** A product of an order, charged as its device is. */
export const withDeviceFootprint = (
  item: ResolvedProduct,
  { device, figures, book }: DeviceState,
): ResolvedProduct => ({
  ...item,
  basis: device.basis,
  footprint: figures.footprint,
  footprintBook: book,
})

export const decodeEntry = ({ terms, eventContent, ...entry }: StoredEntry): LedgerEntry => ({
  ...entry,
  terms: terms && { ...terms, months: fromExactText(terms.months) },
  event: eventContent === null ? null : decodeDeviceEvent(JSON.parse(eventContent) as WireDeviceEvent),
})

export function encodeEntry({ terms, ...entry }: Omit<LedgerEntry, 'event'>, serialNumber: string): NewEntry {
  const { no, reason, country, releaseId, eventId, cause, customerId, orderId } = entry
  const { product_embodied_emission, product_use, packaging, transportation } = entry
  return {
    serialNumber,
    no,
    reason,
    country,
    releaseId,
    eventId,
    cause,
    customerId,
    orderId,
    product_embodied_emission,
    product_use,
    packaging,
    transportation,
    terms: terms && { start: terms.start, end: terms.end, months: toFractionText(terms.months) },
  }
}

/** The number of an order's first entry in a device's journal: what was known when the order was answered. */
export function firstEntryNo({ entries }: DeviceLedger, order: OrderKey): number {
  const own = entries.find((entry) => orderKey(entry) === orderKey(order))
  if (!own) throw new Error(`The journal has no entry of the order "${order.orderId}"`)
  return own.no
}
