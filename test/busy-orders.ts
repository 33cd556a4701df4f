// Orders that all name one serial number, on days of five years.
import type { Pool } from 'pg'
import { fillDevice } from '../scripts/fill-device.ts'
import type { WireOrder } from '../src/contract/order-schema.ts'
import { order } from './order-client.ts'
import { shippedReferenceData } from './shipped-book.ts'

/** Not in their sequence. */
export const dayOf = (n: number): string =>
  new Date(Date.UTC(2021, 0, 1) + ((n * 7919) % 1826) * 86_400_000).toISOString().slice(0, 10)

export const orderOn = (serial: string) => (n: number) => {
  const day = dayOf(n)
  return order('acme', `${serial}-${n}`, [serial], { order_date: day, tenure_start_date: day })
}

/** @param entriesMin how many the device has then, at least */
export const fill = (pool: Pool, releaseId: number, accountId: number, serial: string, entriesMin: number) =>
  fillDevice(
    pool,
    {
      ...{ accountId, releaseId, referenceData: shippedReferenceData().referenceData },
      orderOf: (n) => orderOn(serial)(n) as unknown as WireOrder,
    },
    entriesMin,
  )
