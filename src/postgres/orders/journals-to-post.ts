// The journals of devices that are locked, to be posted to: of a long one whose ledger is kept, what is new of it.
import {
  deviceIdentity,
  LONG_JOURNAL,
  findShortJournals,
  isOfOrder,
  lockDevices,
  toStoredEntry,
  type AccountDevice,
  type JournalRow,
} from './journal-reads.ts'
import { Overtaken } from '../connection/database-errors.ts'
import type { Connection } from '../connection/transaction.ts'
import type { OrderKey } from '../../engine/device-run.ts'
import { NotKept, isSameEntry, type KeptDevice, type KeptLedgers } from './kept-ledgers.ts'
import type { Journal, StoredEntry } from './order-record.ts'

type Journals = ReadonlyMap<string, Journal>

/**
 * The journals of devices, which nobody else writes to until the transaction ends.
 * @param own the order whose entries are wanted from long journals, too
 * @throws Overtaken where a device came to be after the locks were taken: it is not locked
 * @throws NotKept where the ledger of a long journal is to be loaded first
 */
export async function lockJournals(
  connection: Connection,
  wanted: readonly AccountDevice[],
  ledgers: KeptLedgers,
  own: OrderKey | null,
): Promise<Journals> {
  const locked = await lockDevices(connection, wanted, 'wait')
  const { journals, notKept } = await findJournalsToPost(connection, wanted, ledgers, own)
  if (notKept[0]) throw new NotKept(notKept[0])
  if ([...journals.keys()].some((identity) => !locked.has(identity))) throw new Overtaken()
  return journals
}

export interface JournalsToPost {
  /** By deviceIdentity. */
  readonly journals: Journals
  /** Devices with long journals whose ledgers are not in memory. */
  readonly notKept: readonly AccountDevice[]
}

/** @param wanted devices that are locked, or not there, or whose ledgers are not kept */
export async function findJournalsToPost(
  connection: Connection,
  wanted: readonly AccountDevice[],
  ledgers: KeptLedgers,
  own: OrderKey | null,
): Promise<JournalsToPost> {
  const isKept = (device: AccountDevice) => ledgers.has(deviceIdentity(device))
  const kept = wanted.filter(isKept)
  const found = await findShortJournals(
    connection,
    wanted.filter((device) => !isKept(device)),
  )
  const isLong = (device: AccountDevice) => (found.get(deviceIdentity(device))?.entries.length ?? 0) > LONG_JOURNAL
  const notKept = wanted.filter(isLong)
  const journals = new Map([...found].filter(([, { entries }]) => entries.length <= LONG_JOURNAL))
  for (const device of kept) {
    const identity = deviceIdentity(device)
    const taken = ledgers.take(identity)
    const journal = taken && (await findSince(connection, device, taken, own))
    if (journal) journals.set(identity, journal)
    else notKept.push(device)
  }
  return { journals, notKept }
}

/** The last entry that is known and those after it, by their own index; those of the order itself, by their key. */
const FIND_SINCE = `
  select entries.*, content as event_content from (
    select * from entries
    where account_id = $1 and serial_number = $2 and entry_no > ${LONG_JOURNAL} and entry_no >= $3
    union all
    select * from entries
    where account_id = $1 and serial_number = $2 and entry_no < $3 and ${isOfOrder('entries', '$4::text', '$5::text')}
  ) as entries
  left join lateral (
    select content from events
    where entries.order_id = '' and events.account_id = entries.account_id and events.event_id = entries.event_id
    offset 0
  ) as told on true
  order by entry_no`

/** @returns null where the last entry that is known is not there: the journal is to be read whole */
async function findSince(
  connection: Connection,
  { accountId, serialNumber }: AccountDevice,
  { kept, device, last }: KeptDevice,
  own: OrderKey | null,
): Promise<Journal | null> {
  const { rows } = await connection.query<JournalRow>({
    name: 'find-entries-since',
    text: FIND_SINCE,
    values: [accountId, serialNumber, last.no, own?.customerId ?? '', own?.orderId ?? ''],
  })
  const entries: readonly StoredEntry[] = rows.map(toStoredEntry)
  if (!entries.some((entry) => isSameEntry(entry, last))) return null
  const since = rows.filter(({ entry_no }) => entry_no > last.no)
  const { whole, posted } = device.balance
  const balance = {
    whole: since.reduce((sum, row) => sum + row.put_in_mg, whole),
    posted: since.reduce((sum, row) => sum + row.embodied_mg, posted),
  }
  return { device: { ...device, balance }, entries, kept }
}
