// Reads complete ledgers of any length, page by page, so that no statement and no turn of the event loop takes long.
import { LONG_LEDGER } from '../engine/ledger-history.ts'
import { setImmediate as turn } from 'node:timers/promises'
import { deviceKey, findShortLedgers, type AccountDevice, type LedgerRow } from './entries.ts'
import { entryOfRow } from './entry-rows.ts'
import { findLastErasure } from './erasure/record-erasure.ts'
import type { DeviceLedger, RecordedFootprint, StoredEntry } from '../ledger/records.ts'
import { RECORDER_FIELDS } from './recorder.ts'
import type { Connection } from './transaction.ts'

const ENTRIES_PER_PAGE = 2_000

/** The ledgers of devices, as known at some time, by deviceKey. Unknown devices are missing. */
export async function findLedgers(
  connection: Connection,
  wanted: readonly AccountDevice[],
  knownAt: Date | null = null,
): Promise<ReadonlyMap<string, DeviceLedger>> {
  const ledgers = new Map(await findShortLedgers(connection, wanted, knownAt))
  for (const device of wanted) {
    const identity = deviceKey(device)
    const ledger = ledgers.get(identity)
    // A longer one was already read for another look-up in the same batch, and is complete.
    if (ledger?.entries.length !== LONG_LEDGER + 1) continue
    const whole = await readLedger(connection, device, knownAt)
    if (whole) ledgers.set(identity, whole)
    else ledgers.delete(identity)
  }
  return ledgers
}

/** A long ledger, or the part of it that was known at some time. Null if its serial number was erased meanwhile. */
export async function readLedger(
  connection: Connection,
  device: AccountDevice,
  knownAt: Date | null = null,
): Promise<DeviceLedger | null> {
  for (;;) {
    const before = await findLastErasure(connection, device.accountId)
    const ledger = await readPagesOf(connection, device, knownAt)
    // Names that are erased between two pages would make one ledger of two.
    if ((await findLastErasure(connection, device.accountId)) === before) return ledger
  }
}

async function readPagesOf(
  connection: Connection,
  device: AccountDevice,
  knownAt: Date | null,
): Promise<DeviceLedger | null> {
  let [whole, posted] = [0n, 0n]
  const entries: StoredEntry[] = []
  for await (const rows of readPages(connection, device)) {
    for (const row of rows) {
      if (knownAt !== null && row.posted_at > knownAt) continue
      whole += row.embodied_added_mg
      posted += row.embodied_mg
      entries.push(entryOfRow(row))
    }
    await turn()
  }
  const charged = entries.findLast((entry) => entry.footprint)
  if (!charged) return null
  const balance = { embodiedTotal: whole, allocated: posted }
  return { device: { serialNumber: device.serialNumber, ...charged.footprint!, balance }, entries }
}

/** What a device has been charged by, in order. */
export async function findFootprints(
  connection: Connection,
  { accountId, serialNumber }: AccountDevice,
): Promise<readonly RecordedFootprint[]> {
  const { rows } = await connection.query<LedgerRow & { readonly withdraws: string | null }>({
    name: 'find-footprints',
    text: `select entries.*, content as event_content, content::json ->> 'withdraws' as withdraws from entries
      left join events on events.account_id = entries.account_id and events.event_id = entries.event_id
      where entries.account_id = $1 and entries.serial_number = $2 and order_key in ('', chr(31))
        and footprint_id is not null
      order by entry_no`,
    values: [accountId, serialNumber],
  })
  return rows.map((row) => ({
    footprint: entryOfRow(row).footprint!,
    eventId: row.event_id,
    withdraws: row.withdraws,
  }))
}

const pageOf = (which: string): string => `
  select entries.*, content as event_content, ${RECORDER_FIELDS} from (
    select * from entries where account_id = $1 and serial_number = $2 and ${which} order by entry_no
  ) as entries
  left join lateral (
    select content, ${RECORDER_FIELDS} from events
    where entries.order_id = '' and events.account_id = $1 and events.event_id = entries.event_id
    offset 0
  ) as told on true
  order by entry_no`

const FIRST_PAGE = pageOf(`entry_no <= ${LONG_LEDGER}`)
/** By the index of long ledgers. */
const NEXT_PAGE = pageOf(`entry_no > ${LONG_LEDGER} and entry_no > $3 and entry_no <= $3 + ${ENTRIES_PER_PAGE}`)

/** Ledgers are append-only, except for erasures: what was read remains their beginning, whatever is posted. */
async function* readPages(
  connection: Connection,
  { accountId, serialNumber }: AccountDevice,
): AsyncGenerator<readonly LedgerRow[], undefined> {
  const device = [accountId, serialNumber]
  let { rows } = await connection.query<LedgerRow>({ name: 'load-first-entries', text: FIRST_PAGE, values: device })
  while (rows.length > 0) {
    yield rows
    const values = [...device, rows.at(-1)!.entry_no]
    ;({ rows } = await connection.query<LedgerRow>({ name: 'load-entries', text: NEXT_PAGE, values }))
  }
}

/** Those of some devices that have more than LONG_LEDGER entries, by the index of long ledgers. */
export async function findLongLedgers(
  connection: Connection,
  accountId: number,
  serialNumbers: readonly string[],
): Promise<ReadonlySet<string>> {
  const { rows } = await connection.query<{ readonly serial: string }>({
    name: 'find-long-ledgers',
    text: `select serial from unnest($2::text[]) as wanted (serial)
      where exists (
        select from entries where account_id = $1 and serial_number = serial and entry_no > ${LONG_LEDGER}
      )`,
    values: [accountId, serialNumbers],
  })
  return new Set(rows.map(({ serial }) => serial))
}
