// The first entry that an order posted to a device, and what it fixed the device's charge to, held against its words.
import { rentalTermsOf } from '../engine/estimate.ts'
import type { Milligrams } from '../engine/numbers/emission.ts'
import type { ResolvedProduct } from '../engine/resolve-order.ts'
import type { StoredEntry } from '../postgres/orders/order-record.ts'
import type { OrderEntries } from '../postgres/verify/verify-reads.ts'
import type { OrderRow } from '../postgres/verify/verify-rows.ts'
import { guessToStore, weightToStore } from '../http/wire/stored-journal.ts'
import { compareMatch, orderSubject, type VerificationFindings } from './verify-context.ts'

/** The entry that the order itself posted. */
export function compareFirstEntry(
  entry: StoredEntry,
  serialNumber: string,
  share: { readonly packaging: Milligrams; readonly transportation: Milligrams },
  item: ResolvedProduct | null,
  row: OrderRow,
  findings: VerificationFindings,
): void {
  const place = serialNumber === '' ? '' : `device "${serialNumber}" `
  const member = (column: string) => `${place}entry ${entry.no} ${column}`
  const compare = (column: string, stored: string | bigint | number | null, recomputed: typeof stored) => {
    if (stored !== recomputed) findings.compare(member(column), stored, recomputed)
  }
  const terms = item && rentalTermsOf(item)
  compare('reason', entry.reason, 'order')
  compare('packaging_mg', entry.packaging, share.packaging)
  compare('transportation_mg', entry.transportation, share.transportation)
  compare('start_date', entry.terms?.start ?? null, terms?.start ?? null)
  compare('end_date', entry.terms?.end ?? null, terms?.end ?? null)
  compare('months', entry.terms?.months ?? null, item && String(item.product.tenureMonths))
  compare('country', entry.country, item?.country ?? null)
  compare('release_id', entry.releaseId, row.releaseId)
  compare('event_id', entry.eventId, null)
  compare('cause', entry.cause && orderSubject(entry.cause.customerId, entry.cause.orderId), null)
}

/** What a device is charged by is what the words of its first order resolved to. */
export function compareDeviceColumns(
  { device }: OrderEntries,
  item: ResolvedProduct,
  row: OrderRow,
  findings: VerificationFindings,
): void {
  if (!device) return
  const { serialNumber, weightKg } = item.product
  const weight = weightToStore(item.ownBasis, weightKg)
  findings.compare(`device "${serialNumber}" basis`, device.basis, item.ownBasis)
  findings.compare(`device "${serialNumber}" release_id`, device.releaseId, row.releaseId)
  compareMatch(serialNumber, device, guessToStore(item), findings)
  findings.compare(`device "${serialNumber}" weight_kg`, device.weightKg, weight)
}
