// What the database has of a history's devices: their entries, and the balances that are kept beside them.
import type { Pool } from 'pg'
import { revisionOf, sentIdOf } from '../../src/engine/order-revision.ts'

export interface EntryRow {
  readonly serial: string
  readonly customer: string
  /** As the client sent it. */
  readonly order: string
  /** 1, or more once the content of the order was corrected. */
  readonly revision: number
  readonly no: number
  readonly embodied: bigint
  readonly use: bigint
  /** Packaging and transportation. */
  readonly shipping: bigint
  /** All columns, as text. */
  readonly row: string
}

interface Read {
  readonly serial_number: string
  readonly customer_id: string
  readonly order_id: string
  readonly entry_no: number
  readonly embodied_mg: bigint
  readonly use_mg: bigint
  readonly shipping: bigint
  readonly row: string
}

/** The entries of these devices, each under its key. */
export async function readEntries(
  pool: Pool,
  accountId: number,
  serials: readonly string[],
): Promise<ReadonlyMap<string, EntryRow>> {
  const { rows } = await pool.query<Read>({
    name: 'history-entries',
    text: `select serial_number, customer_id, order_id, entry_no, embodied_mg, use_mg,
      packaging_mg + transportation_mg as shipping, entries::text as row
      from entries where account_id = $1 and serial_number = any($2::text[])`,
    values: [accountId, serials],
  })
  return new Map(
    rows.map((row) => [
      [row.serial_number, row.customer_id, row.order_id, row.entry_no].join(' '),
      {
        serial: row.serial_number,
        customer: row.customer_id,
        order: sentIdOf(row.order_id),
        revision: revisionOf(row.order_id),
        no: row.entry_no,
        embodied: BigInt(row.embodied_mg),
        use: BigInt(row.use_mg),
        shipping: BigInt(row.shipping),
        row: row.row,
      },
    ]),
  )
}

/** In milligrams, by serial number. */
export async function readBalances(
  pool: Pool,
  accountId: number,
  serials: readonly string[],
): Promise<ReadonlyMap<string, { readonly whole: bigint; readonly posted: bigint }>> {
  const { rows } = await pool.query<{ serial_number: string; embodied_total_mg: bigint; allocated_mg: bigint }>({
    name: 'history-balances',
    text: `select serial_number, embodied_total_mg, allocated_mg from devices
      where account_id = $1 and serial_number = any($2::text[])`,
    values: [accountId, serials],
  })
  return new Map(
    rows.map((row) => [row.serial_number, { whole: BigInt(row.embodied_total_mg), posted: BigInt(row.allocated_mg) }]),
  )
}
