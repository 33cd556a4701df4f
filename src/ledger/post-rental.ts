// Posts an order's rental to the ledger of a known device, and tells what the ledger says against it.
import { isDecommissioning } from '../engine/device-event-types.ts'
import { orderKey } from '../engine/device-timeline.ts'
import { rentalTermsOf } from '../engine/estimate.ts'
import { LONG_LEDGER, NO_EMISSIONS, copyHistory, totalEmissionOf, type LedgerEntry } from '../engine/ledger-history.ts'
import type { Message } from '../engine/message.ts'
import { sumMilligrams, toKilograms, toMilligrams, type Milligrams } from '../engine/numbers/emission.ts'
import type { Resumable } from '../engine/numbers/steps.ts'
import { sentIdOf } from '../engine/order-revision.ts'
import type { Problem } from '../engine/order.ts'
import type { DeviceFootprint, PostedEntries } from '../engine/post-entries.ts'
import type { ResolvedProduct } from '../engine/resolve-order.ts'
import type { Footprint } from '../engine/reference/footprint.ts'
import { RunningLedger, type CutRental } from '../engine/running-ledger.ts'
import type { WireOrder } from '../contract/order-schema.ts'
import { orderKeyOf, type OpenDevice } from './codec.ts'
import { LEDGER_WARNINGS } from './messages.ts'

/** A product of an order, with its position among the items. */
export interface RentedProduct {
  readonly item: ResolvedProduct
  readonly wire: WireOrder
  readonly releaseId: number
  readonly position: number
}

/** What a rental posts to a device, and what the ledger said against it before. */
export interface PostedRental {
  readonly posting: PostedEntries
  readonly warnings: readonly Problem[]
}

/** JSON pointer to the config of an item. */
export const configPath = (position: number): string => `/items/${position}/config`

/** A product's rental as the order states it. */
export const ownFacts = (item: ResolvedProduct, wire: WireOrder, releaseId: number) => ({
  ...orderKeyOf(wire),
  reason: 'order' as const,
  terms: rentalTermsOf(item),
  country: item.country,
  releaseId,
  eventId: null,
  cause: null,
})

/** @param device its ledger is posted to */
export function* postRental(rented: RentedProduct, device: OpenDevice): Resumable<PostedRental> {
  const { ledger, figures } = device
  const { gone, cut, isOther } = objectionsTo(rented, device)
  const unpostedBefore = cut ? totalEmissionOf(ledger.unposted(cut)) : 0n
  const posting = ledger.post({ ...ownFacts(rented.item, rented.wire, rented.releaseId), shared: NO_EMISSIONS })
  if (!cut && !isOther) return { posting, warnings: gone }
  const path = configPath(rented.position)
  const warnings = [
    ...gone,
    ...(cut
      ? [{ path: `${path}/serial_number`, ...cutWarning(rented.wire, cut, unpostedBefore, posting.entries) }]
      : []),
    ...(isOther
      ? [{ path: `${path}/product_id`, ...identityWarning(rented, figures, yield* copyOf(ledger, figures)) }]
      : []),
  ]
  return { posting, warnings }
}

/** What the ledger says against a rental that is not posted: it is posted to a copy. */
export function* warningsOfRental(rented: RentedProduct, device: OpenDevice): Resumable<readonly Problem[]> {
  const { gone, cut, isOther } = objectionsTo(rented, device)
  if (!cut && !isOther) return gone
  const ledger = yield* copyOf(device.ledger, device.figures)
  return (yield* postRental(rented, { ...device, ledger })).warnings
}

const copyOf = ({ history }: RunningLedger, figures: DeviceFootprint): Resumable<RunningLedger> =>
  RunningLedger.openInSteps(copyHistory(history), figures)

/** What can be told before the rental is posted; for nearly all rentals, there is nothing. */
interface Objections {
  readonly gone: readonly Problem[]
  readonly cut: CutRental | null
  /** True if the order names another model or type than the device is. */
  readonly isOther: boolean
}

/**
 * Of a device with a long ledger, an order is not told that it names another model: to say how much that would move,
 * the ledger is copied and run again, while other orders wait for the device: 45 ms for 900 entries.
 */
function objectionsTo({ item, wire, position }: RentedProduct, { device, figures, ledger }: OpenDevice): Objections {
  return {
    gone: goneWarnings(ledger, wire.tenure_start_date, position),
    cut: ledger.cutBy({ ...orderKeyOf(wire), terms: rentalTermsOf(item) }),
    isOther:
      item.ownFootprintId !== device.footprintId &&
      ledger.history.lastNo <= LONG_LEDGER &&
      isContradicted(item.footprint, figures.footprint),
  }
}

function goneWarnings({ history }: RunningLedger, start: string, position: number): readonly Problem[] {
  const gone = history.events.values().find((event) => isDecommissioning(event) && event.date <= start)
  if (!gone) return []
  const path = `${configPath(position)}/serial_number`
  return [{ path, ...LEDGER_WARNINGS.device_retired({ type: gone.type, date: gone.date }) }]
}

/**
 * @param unpostedBefore what was computed but not yet posted to the rental that is cut: after a correction took the
 * order back
 * @param entries what the order posted to the device
 */
function cutWarning(
  { customer_id: customerId, tenure_start_date: start }: WireOrder,
  { end, ...cut }: CutRental,
  unpostedBefore: Milligrams,
  entries: readonly LedgerEntry[],
): Message {
  const rental = { order_id: sentIdOf(cut.orderId), end, start }
  if (cut.customerId === customerId) return LEDGER_WARNINGS.overlaps_same_customer(rental)
  const corrections = entries.filter((entry) => orderKey(entry) === orderKey(cut))
  const moved_kg = kilograms(unpostedBefore - sumMilligrams(corrections.map(totalEmissionOf)))
  return LEDGER_WARNINGS.rented_to_another_customer({ ...rental, customer_id: cut.customerId, moved_kg })
}

/**
 * The device keeps its footprint, whatever this order says that it is.
 * @param ledger with the order; it is changed
 */
function identityWarning(
  { item: { footprint: sent }, releaseId }: RentedProduct,
  figures: DeviceFootprint,
  ledger: RunningLedger,
): Message {
  const { footprint: fixed } = figures
  const { entries } = ledger.post({
    event: { type: 'identified' },
    eventId: '',
    releaseId,
    figures: { ...figures, footprint: sent },
  })
  return LEDGER_WARNINGS.identified_as_another_model({
    sent: nameOf(sent),
    known: nameOf(fixed),
    difference_kg: kilograms(embodiedOf(sent) - embodiedOf(fixed)),
    moved_kg: kilograms(sumMilligrams(entries.map(totalEmissionOf))),
  })
}

/** True if the order names another model than that of the device, or a model or type that the device is not. */
const isContradicted = (sent: Footprint, fixed: Footprint): boolean =>
  sent.model !== null || isOtherType(sent.typeDefault.type, fixed.typeDefault.type)

const isOtherType = (sent: string, fixed: string): boolean => sent !== 'any' && fixed !== 'any' && sent !== fixed

const kilograms = (emission: Milligrams): number => Number(toKilograms(emission))

const embodiedOf = ({ embodied }: Footprint): Milligrams => toMilligrams(embodied)

const nameOf = ({ fallbackName, name }: Footprint) => fallbackName ?? name
