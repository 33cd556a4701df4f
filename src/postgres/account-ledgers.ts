// The ledgers of all devices of an account, page by page, from one snapshot.
import { createSemaphore } from '../concurrency/semaphore.ts'
import type { DeviceLedgers } from '../ledger/records.ts'
import { groupBySerialNumber } from './events.ts'
import { findLedgers } from './long-ledgers.ts'
import type { ReplicaReads } from './read-replica.ts'
import type { Connection } from './transaction.ts'

/**
 * @param use may be called again from the start, so it must create its accumulators itself
 * @returns null for an account with more devices than `devicesMax`
 */
export type ReadAccountLedgers = <Result>(
  wanted: { readonly accountId: number; readonly devicesMax: number },
  use: (pages: AsyncGenerator<DeviceLedgers>) => Promise<Result>,
) => Promise<Result | null>

/** These reads are long. Running one at a time leaves connections for other requests. */
const AT_ONCE = { most: 1, ofOneMost: 1, waitMs: 4_000 }
const DEVICES_PER_PAGE = 500

export function createAccountLedgers(longReads: ReplicaReads): ReadAccountLedgers {
  const takeTurn = createSemaphore('reads of all devices', AT_ONCE)
  return async ({ accountId, devicesMax }, use) => {
    const endTurn = await takeTurn(accountId)
    try {
      return await longReads(async (connection) => {
        const serials = await findSerials(connection, accountId, devicesMax)
        return serials === null ? null : use(pagesOf(connection, accountId, serials))
      })
    } finally {
      endTurn()
    }
  }
}

/** By the first entry of each device. Null if there are too many. */
async function findSerials(
  connection: Connection,
  accountId: number,
  devicesMax: number,
): Promise<readonly string[] | null> {
  const { rows } = await connection.query<{ readonly serial: string }>({
    name: 'find-serials-of-account',
    text: `select serial_number as serial from entries
      where account_id = $1 and serial_number <> '' and order_key = '' order by serial_number limit $2`,
    values: [accountId, devicesMax + 1],
  })
  return rows.length > devicesMax ? null : rows.map(({ serial }) => serial)
}

async function* pagesOf(
  connection: Connection,
  accountId: number,
  serials: readonly string[],
): AsyncGenerator<DeviceLedgers> {
  for (let at = 0; at < serials.length; at += DEVICES_PER_PAGE) {
    const devices = serials.slice(at, at + DEVICES_PER_PAGE).map((serialNumber) => ({ accountId, serialNumber }))
    yield groupBySerialNumber(await findLedgers(connection, devices))
  }
}
