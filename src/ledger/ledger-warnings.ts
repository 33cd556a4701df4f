// Warnings about an order that is estimated, from the ledgers of its devices: what its posting would change or ignore.
import { runCooperatively } from '../concurrency/cooperative.ts'
import type { Problem } from '../engine/order.ts'
import type { ResolvedItem } from '../engine/resolve-order.ts'
import type { KnownDevices } from './estimate-order.ts'
import { LEDGER_WARNINGS } from './messages.ts'
import type { ParsedOrder } from './order-posting.ts'
import { configPath, warningsOfRental } from './post-rental.ts'

/** @param known the devices of the order that have a ledger, without the order itself */
export async function ledgerWarnings(
  { wire, items, releaseId }: Pick<ParsedOrder, 'wire' | 'items' | 'releaseId'>,
  known: KnownDevices,
): Promise<readonly Problem[]> {
  const warnings: Problem[] = []
  for (const [position, item] of items.entries()) {
    const device = item.type === 'product' ? known.get(item.product.serialNumber) : undefined
    if (item.type !== 'product' || !device) continue
    warnings.push(...(await runCooperatively(warningsOfRental({ item, wire, releaseId, position }, device))))
  }
  return warnings
}

/**
 * @param similar for some serial numbers, a device whose own differs from it in case or white space alone
 * @param devices by serial number, those that are known themselves: nothing is said against them
 */
export const similarityWarnings = (
  items: readonly ResolvedItem[],
  similar: ReadonlyMap<string, string>,
  devices: ReadonlyMap<string, unknown>,
): readonly Problem[] =>
  [...items.entries()].flatMap(([position, item]) => {
    if (item.type !== 'product' || devices.has(item.product.serialNumber)) return []
    const known = similar.get(item.product.serialNumber)
    if (known === undefined) return []
    const path = `${configPath(position)}/serial_number`
    return [{ path, ...LEDGER_WARNINGS.serial_number_differs_in_case({ known }) }]
  })
