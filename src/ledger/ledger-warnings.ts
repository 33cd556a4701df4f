// Warnings about an order that is estimated, from the ledgers of its devices: what its posting would change or ignore.
import { runCooperatively } from '../concurrency/cooperative.ts'
import { compareRentals, hasDuration, orderKey, type Rental } from '../engine/device-timeline.ts'
import { rentalTermsOf } from '../engine/estimate.ts'
import {
  NO_EMISSIONS,
  copyHistory,
  totalEmissionOf,
  type LedgerEntry,
  type PostedRental,
} from '../engine/ledger-history.ts'
import type { Message } from '../engine/message.ts'
import { sumMilligrams, toKilograms, toMilligrams, type Milligrams } from '../engine/numbers/emission.ts'
import type { Resumable } from '../engine/numbers/steps.ts'
import { sentIdOf } from '../engine/order-revision.ts'
import type { Problem } from '../engine/order.ts'
import type { DeviceFootprint } from '../engine/post-entries.ts'
import type { ResolvedProduct } from '../engine/resolve-order.ts'
import type { Footprint } from '../engine/reference/footprint.ts'
import { RunningLedger } from '../engine/running-ledger.ts'
import { orderKeyOf, type OpenDevice } from './codec.ts'
import type { KnownDevices } from './estimate-order.ts'
import { LEDGER_WARNINGS } from './messages.ts'
import { ownFacts, type ParsedOrder } from './order-posting.ts'

/**
 * @param known the devices of the order that have a ledger, without the order itself
 * @param similar for some serial numbers, a device whose own differs from it in case or white space alone
 */
export async function ledgerWarnings(
  order: ParsedOrder,
  known: KnownDevices,
  similar: ReadonlyMap<string, string>,
): Promise<readonly Problem[]> {
  const warnings: Problem[] = []
  for (const [position, item] of order.items.entries()) {
    if (item.type !== 'product') continue
    const { serialNumber } = item.product
    const path = `/items/${position}/config`
    const device = known.get(serialNumber)
    const other = device ? undefined : similar.get(serialNumber)
    if (other !== undefined)
      warnings.push({
        path: `${path}/serial_number`,
        ...LEDGER_WARNINGS.serial_number_differs_in_case({ known: other }),
      })
    if (device) warnings.push(...(await runCooperatively(deviceWarnings(order, item, device, path))))
  }
  return warnings
}

function* deviceWarnings(
  order: ParsedOrder,
  item: ResolvedProduct,
  device: OpenDevice,
  path: string,
): Resumable<readonly Problem[]> {
  const gone = goneWarnings(device, order.wire.tenure_start_date, path)
  const cut = rentalCutBy({ ...orderKeyOf(order.wire), terms: rentalTermsOf(item) }, device)
  const isOther =
    item.ownFootprintId !== device.device.footprintId && isContradicted(item.footprint, device.figures.footprint)
  if (!cut && !isOther) return gone
  // What would be posted is posted to a copy of the ledger.
  const { ledger, figures } = device
  const copy = yield* RunningLedger.openInSteps(copyHistory(ledger.history), figures)
  const { entries } = copy.post({ ...ownFacts(item, order.wire, order.releaseId), shared: NO_EMISSIONS })
  return [
    ...gone,
    ...(cut ? [{ path: `${path}/serial_number`, ...cutWarning(order.wire, cut, ledger.runOf(cut).end, entries) }] : []),
    ...(isOther ? [{ path: `${path}/product_id`, ...identityWarning(item, figures, order.releaseId, copy) }] : []),
  ]
}

function goneWarnings({ ledger }: OpenDevice, start: string, path: string): readonly Problem[] {
  const gone = ledger.history.events.values().find(({ type, date }) => type !== 'refurbished' && date <= start)
  if (!gone) return []
  return [{ path: `${path}/serial_number`, ...LEDGER_WARNINGS.device_retired({ type: gone.type, date: gone.date }) }]
}

/** The rental that another one would cut short; null if there is none. */
function rentalCutBy(rental: Rental, { ledger }: OpenDevice): PostedRental | null {
  const cut = latestBefore(rental, ledger.history.rentals.values())
  return cut && ledger.runOf(cut).end > rental.terms.start ? cut : null
}

/** The rental that comes last before another one: it has cut any other by then. */
function latestBefore(rental: Rental, rentals: Iterable<PostedRental>): PostedRental | null {
  let latest: PostedRental | null = null
  for (const one of rentals) {
    if (!hasDuration(one.terms) || compareRentals(one, rental) >= 0) continue
    if (!latest || compareRentals(one, latest) > 0) latest = one
  }
  return latest
}

/** @param entries what the order would post to the device */
function cutWarning(
  { customer_id: customerId, tenure_start_date: start }: ParsedOrder['wire'],
  cut: PostedRental,
  end: string,
  entries: readonly LedgerEntry[],
): Message {
  const rental = { order_id: sentIdOf(cut.orderId), end, start }
  if (cut.customerId === customerId) return LEDGER_WARNINGS.overlaps_same_customer(rental)
  const corrections = entries.filter((entry) => orderKey(entry) === orderKey(cut))
  const moved_kg = kilograms(-sumMilligrams(corrections.map(totalEmissionOf)))
  return LEDGER_WARNINGS.rented_to_another_customer({ ...rental, customer_id: cut.customerId, moved_kg })
}

/**
 * The device keeps the footprint that its first order fixed, whatever this order says that it is.
 * @param ledger with the order; it is changed
 */
function identityWarning(
  { footprint: sent }: ResolvedProduct,
  figures: DeviceFootprint,
  releaseId: number,
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
