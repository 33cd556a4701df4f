// Entries as they are written: with what they put into their devices, and the orders that they amend.
import type { DeviceLedgers, NewEntry, StoredDevice, AppendedEntry } from '../../ledger/records.ts'
import type { NewStatus } from './write-locked.ts'

/** The first of a device's entries bears what was put into it, and the device itself where nothing of it was known. */
export function withDevices(
  entries: readonly NewEntry[],
  devices: readonly StoredDevice[],
  journals: DeviceLedgers,
): readonly AppendedEntry[] {
  const toCome = new Map(devices.map((device) => [device.serialNumber, device]))
  return entries.map((entry) => {
    const device = toCome.get(entry.serialNumber)
    if (!device) return { entry, putIn: 0n, device: null }
    toCome.delete(entry.serialNumber)
    const known = journals.get(entry.serialNumber)?.device
    return { entry, putIn: device.balance.whole - (known?.balance.whole ?? 0n), device: known ? null : device }
  })
}

/** The orders beside its own that a posting corrects, each once. */
export function applyPosting(
  entries: readonly NewEntry[],
  own: { readonly customerId: string; readonly orderId: string } | null,
): readonly NewStatus[] {
  const others = entries.filter(
    ({ customerId, orderId }) => orderId !== '' && (customerId !== own?.customerId || orderId !== own.orderId),
  )
  const byKey = new Map(others.map(({ customerId, orderId }) => [`${customerId}\0${orderId}`, { customerId, orderId }]))
  return [...byKey.values()].map((key) => ({ ...key, status: 'amended' }))
}
