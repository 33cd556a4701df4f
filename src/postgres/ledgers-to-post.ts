// The ledgers of locked devices that are to be posted to. For a cached long ledger, only new entries are read.
import { LONG_LEDGER } from '../engine/ledger-history.ts'
import {
  deviceKey,
  findShortLedgers,
  belongsToOrder,
  lockDevices,
  type AccountDevice,
  type LedgerRow,
} from './entries.ts'
import { entryOfRow } from './entry-rows.ts'
import { ConcurrentModification } from './errors.ts'
import type { Connection } from './transaction.ts'
import type { OrderKey } from '../engine/device-timeline.ts'
import { NotCached, isSameEntry, type CachedDevice, type LedgerCache } from './ledger-cache.ts'
import type { DeviceLedger, StoredEntry } from '../ledger/records.ts'

type Ledgers = ReadonlyMap<string, DeviceLedger>

/**
 * Locks devices until the transaction ends and returns their ledgers.
 * @param own the order whose entries are also wanted from long ledgers
 * @throws ConcurrentModification if a device was created after the locks were taken: it is not locked
 * @throws NotCached if a long ledger has to be loaded first
 */
export async function lockLedgers(
  connection: Connection,
  wanted: readonly AccountDevice[],
  cache: LedgerCache,
  own: OrderKey | null,
): Promise<Ledgers> {
  const locked = await lockDevices(connection, wanted, 'wait')
  const { ledgers, notCached } = await findLedgersToPost(connection, wanted, cache, own)
  if (notCached[0]) throw new NotCached(notCached[0])
  if ([...ledgers.keys()].some((identity) => !locked.has(identity))) throw new ConcurrentModification()
  return ledgers
}

export interface LedgersToPost {
  /** By deviceKey. */
  readonly ledgers: Ledgers
  /** Devices with long ledgers that are not cached. */
  readonly notCached: readonly AccountDevice[]
}

/** @param wanted devices that are locked, do not exist, or whose ledgers are not cached */
export async function findLedgersToPost(
  connection: Connection,
  wanted: readonly AccountDevice[],
  cache: LedgerCache,
  own: OrderKey | null,
): Promise<LedgersToPost> {
  const isCached = (device: AccountDevice) => cache.has(deviceKey(device))
  const cached = wanted.filter(isCached)
  const read = await findShortLedgers(
    connection,
    wanted.filter((device) => !isCached(device)),
  )
  const isLong = (device: AccountDevice) => (read.get(deviceKey(device))?.entries.length ?? 0) > LONG_LEDGER
  const notCached = wanted.filter(isLong)
  const ledgers = new Map([...read].filter(([, { entries }]) => entries.length <= LONG_LEDGER))
  for (const device of cached) {
    const identity = deviceKey(device)
    const taken = cache.take(identity)
    const ledger = taken && (await findSince(connection, device, taken, own))
    if (ledger) ledgers.set(identity, ledger)
    else notCached.push(device)
  }
  return { ledgers, notCached }
}

/**
 * The last entry that is cached and those after it, by the index of long ledgers; entries of the order itself by their
 * key.
 */
const FIND_SINCE = `
  select entries.*, content as event_content,
    (select coalesce(max(erasure_no), 0) from erasures where account_id = $1) as last_erasure
  from (
    select * from entries
    where account_id = $1 and serial_number = $2 and entry_no > ${LONG_LEDGER} and entry_no >= $3
    union all
    select * from entries
    where account_id = $1 and serial_number = $2 and entry_no < $3 and
    ${belongsToOrder('entries', '$4::text', '$5::text')}
  ) as entries
  left join lateral (
    select content from events
    where entries.order_id = '' and events.account_id = entries.account_id and events.event_id = entries.event_id
    offset 0
  ) as told on true
  order by entry_no`

/**
 * @returns null if the last cached entry does not exist, or if the device was identified or names were erased since:
 * the complete ledger has to be read
 */
async function findSince(
  connection: Connection,
  { accountId, serialNumber }: AccountDevice,
  { cached, device, last }: CachedDevice,
  own: OrderKey | null,
): Promise<DeviceLedger | null> {
  const { rows } = await connection.query<LedgerRow & { readonly last_erasure: number }>({
    name: 'find-entries-since',
    text: FIND_SINCE,
    values: [accountId, serialNumber, last.no, own?.customerId ?? '', own?.orderId ?? ''],
  })
  const entries: readonly StoredEntry[] = rows.map(entryOfRow)
  if (!entries.some((entry) => isSameEntry(entry, last)) || rows[0]?.last_erasure !== cached.lastErasure) return null
  const since = rows.filter(({ entry_no }) => entry_no > last.no)
  if (since.some(({ footprint_id }) => footprint_id !== null)) return null
  const { embodiedTotal, allocated } = device.balance
  const balance = {
    embodiedTotal: since.reduce((sum, row) => sum + row.embodied_added_mg, embodiedTotal),
    allocated: since.reduce((sum, row) => sum + row.embodied_mg, allocated),
  }
  return { device: { ...device, balance }, entries, cached }
}
