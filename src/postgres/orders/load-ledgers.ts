// Long journals into memory: read page by page, without a lock, and for whoever posts to the device meanwhile.
import { setImmediate as turn } from 'node:timers/promises'
import type { Pool } from 'pg'
import { untilDeadline, withDeadline } from '../connection/deadline.ts'
import { untilUncontended } from '../connection/transaction.ts'
import { LONG_JOURNAL, deviceIdentity, toJournal, type AccountDevice, type JournalRow } from './journal-reads.ts'
import { NotKept, createKeptLedgers, newKeptLedger, type KeptLedgers } from './kept-ledgers.ts'
import type { Journal, StoredEntry } from './order-record.ts'

/** Small enough that neither a statement nor a turn of the event loop takes long. */
const ENTRIES_PER_PAGE = 2_000

/** Runs the ledger of a journal, and keeps it with that. */
export type OpenLedger = (journal: Journal) => Promise<void>

export interface Ledgers extends KeptLedgers {
  /** Runs what another process, or a long journal that is not in memory, may get in the way of, until it does not. */
  readonly untilLoaded: <Result>(attempt: () => Promise<Result>) => Promise<Result>
}

/**
 * However many wait for one device, it is read once, and for as long as that takes: whoever sends again later finds
 * it in memory.
 */
export function createLedgers(pool: Pool, entriesMax: number, open: OpenLedger): Ledgers {
  const ledgers = createKeptLedgers(entriesMax)
  const underWay = new Map<string, Promise<void>>()
  const load = (device: AccountDevice): Promise<void> => {
    const identity = deviceIdentity(device)
    const loading =
      underWay.get(identity) ??
      withDeadline(Infinity, () => loadLedger(pool, device, ledgers, open)).finally(() => underWay.delete(identity))
    underWay.set(identity, loading)
    return untilDeadline(loading)
  }
  const untilLoaded = async <Result>(attempt: () => Promise<Result>): Promise<Result> => {
    for (;;) {
      try {
        return await untilUncontended(attempt)
      } catch (error) {
        if (!(error instanceof NotKept)) throw error
        await load(error.device)
      }
    }
  }
  return { ...ledgers, untilLoaded }
}

async function loadLedger(pool: Pool, device: AccountDevice, ledgers: KeptLedgers, open: OpenLedger): Promise<void> {
  const pages = readPages(pool, device)
  const first = toJournal((await pages.next()).value!)
  const entries: StoredEntry[] = [...first.entries]
  let { whole, posted } = first.device.balance
  for await (const rows of pages) {
    const page = toJournal(rows)
    for (const entry of page.entries) entries.push(entry)
    whole += page.device.balance.whole
    posted += page.device.balance.posted
    await turn()
  }
  const kept = newKeptLedger()
  const charged = { ...first.device, balance: { whole, posted } }
  await open({ device: charged, entries, kept })
  ledgers.give(deviceIdentity(device), { kept, device: charged, last: entries.at(-1)! })
}

const pageOf = (which: string): string => `
  select entries.*, content as event_content from (
    select * from entries where account_id = $1 and serial_number = $2 and ${which} order by entry_no
  ) as entries
  left join lateral (
    select content from events
    where entries.order_id = '' and events.account_id = entries.account_id and events.event_id = entries.event_id
    offset 0
  ) as told on true
  order by entry_no`

const FIRST_PAGE = pageOf(`entry_no <= ${LONG_JOURNAL}`)
/** By the index of long journals. */
const NEXT_PAGE = pageOf(`entry_no > ${LONG_JOURNAL} and entry_no > $3 and entry_no <= $3 + ${ENTRIES_PER_PAGE}`)

/** Of a journal nothing is ever taken away: what was read stays its beginning, whatever is posted meanwhile. */
async function* readPages(
  pool: Pool,
  { accountId, serialNumber }: AccountDevice,
): AsyncGenerator<readonly JournalRow[], undefined> {
  const device = [accountId, serialNumber]
  let { rows } = await pool.query<JournalRow>({ name: 'load-first-entries', text: FIRST_PAGE, values: device })
  while (rows.length > 0) {
    yield rows
    const values = [...device, rows.at(-1)!.entry_no]
    ;({ rows } = await pool.query<JournalRow>({ name: 'load-entries', text: NEXT_PAGE, values }))
  }
}
