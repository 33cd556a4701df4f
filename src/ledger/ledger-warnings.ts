// Warnings about an order that is estimated, from the ledgers of its devices: what its posting would change or ignore.
import { sentOrderId } from '../engine/order-revision.ts'
import { hasDuration } from '../engine/device-timeline.ts'
import type { PostedRental } from '../engine/ledger-history.ts'
import { toMilligrams, type Milligrams } from '../engine/numbers/emission.ts'
import type { Problem } from '../engine/order.ts'
import type { ResolvedProduct } from '../engine/resolve-order.ts'
import type { Footprint } from '../engine/reference/footprint.ts'
import type { OpenDevice } from './codec.ts'
import type { KnownDevices } from './estimate-order.ts'
import { LEDGER_WARNINGS } from './messages.ts'
import type { ParsedOrder } from './order-posting.ts'

/** @param known the devices of the order that have a ledger, without the order itself */
export function ledgerWarnings({ wire, items }: ParsedOrder, known: KnownDevices): readonly Problem[] {
  return items.flatMap((item, position) => {
    const device = item.type === 'product' ? known.get(item.product.serialNumber) : undefined
    if (item.type !== 'product' || !device) return []
    const path = `/items/${position}/config`
    return [
      ...goneWarnings(device, wire.tenure_start_date, path),
      ...rentalWarnings(device, wire.customer_id, wire.tenure_start_date, path),
      ...identityWarnings(device, item, path),
    ]
  })
}

function goneWarnings({ ledger }: OpenDevice, start: string, path: string): readonly Problem[] {
  const gone = ledger.history.events.values().find(({ type, date }) => type !== 'refurbished' && date <= start)
  if (!gone) return []
  return [{ path: `${path}/serial_number`, ...LEDGER_WARNINGS.device_retired({ type: gone.type, date: gone.date }) }]
}

/** The rental that has the device when this one begins would be cut short. */
function rentalWarnings({ ledger }: OpenDevice, customerId: string, start: string, path: string): readonly Problem[] {
  const cut = latestBefore(start, ledger.history.rentals.values())
  const end = cut && ledger.runOf(cut).end
  if (!cut || !end || end <= start) return []
  const rental = { order_id: sentOrderId(cut.orderId), end, start }
  const warning =
    cut.customerId === customerId
      ? LEDGER_WARNINGS.overlaps_same_customer(rental)
      : LEDGER_WARNINGS.rented_to_another_customer({ ...rental, customer_id: cut.customerId })
  return [{ path: `${path}/serial_number`, ...warning }]
}

/** The rental that begins last before a day: it has cut any other by then. */
function latestBefore(day: string, rentals: Iterable<PostedRental>): PostedRental | null {
  let latest: PostedRental | null = null
  for (const rental of rentals) {
    const { terms } = rental
    if (terms.start < day && hasDuration(terms) && (!latest || terms.start > latest.terms.start)) latest = rental
  }
  return latest
}

/** The device keeps the footprint that its first order fixed, whatever this order says that it is. */
function identityWarnings({ device, figures }: OpenDevice, item: ResolvedProduct, path: string): readonly Problem[] {
  const { footprint: fixed } = figures
  if (item.ownFootprintId === device.footprintId || !isContradicted(item.footprint, fixed)) return []
  const difference = embodiedOf(item.footprint) - embodiedOf(fixed)
  const names = { sent: nameOf(item.footprint), known: nameOf(fixed), difference_kg: Number(difference) / 1e6 }
  return [{ path: `${path}/product_id`, ...LEDGER_WARNINGS.identified_as_another_model(names) }]
}

/** True if the order names another model than that of the device, or a model or type that the device is not. */
const isContradicted = (sent: Footprint, fixed: Footprint): boolean =>
  sent.model !== null || isOtherType(sent.typeDefault.type, fixed.typeDefault.type)

const isOtherType = (sent: string, fixed: string): boolean => sent !== 'any' && fixed !== 'any' && sent !== fixed

const embodiedOf = ({ embodied }: Footprint): Milligrams => toMilligrams(embodied)

const nameOf = ({ fallbackName, name }: Footprint) => fallbackName ?? name
