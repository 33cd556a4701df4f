// Finds devices whose serial numbers differ from others in case or white space alone.
import type { Connection } from './transaction.ts'

/** White space that a serial number can have within: control characters are rejected. The index has the same. */
const SPACES = String.raw`\s\u00a0\u2007\u202f\u3000`

/** The SQL of a serial number without what two spellings of one may differ in. */
export const normalised = (serial: string): string => `lower(regexp_replace(${serial}, '[${SPACES}]+', '', 'g'))`

/** What is the same for a serial number in capitals, one in small letters, and one of both. */
const FIRST_ENTRIES = `select serial_number from entries
  where account_id = $1 and order_key = '' and entry_no = 1 and serial_number <> sent.serial_number`

/** By key for serial numbers of capitals or of small letters, and by the index of devices_by_similar_serial. */
const SIMILAR = `
  select sent.serial_number as sent, stored.serial_number as known
  from (
    select serial_number, ${normalised('serial_number')} as normal
    from unnest($2::text[]) as wanted (given), lateral (select given collate "C" as serial_number) as one
  ) as sent cross join lateral (
    (${FIRST_ENTRIES} and serial_number in (normal, upper(normal)) limit 1)
    union all
    (${FIRST_ENTRIES} and ${normalised('serial_number')} = normal
      and serial_number ~ '[${SPACES}]|[a-z].*[A-Z]|[A-Z].*[a-z]' limit 1)
    limit 1
  ) as stored`

/** The serial numbers of which the account has a device that differs from them in case or white space alone. */
export async function findSimilarSerials(
  connection: Connection,
  accountId: number,
  serialNumbers: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (serialNumbers.length === 0) return new Map()
  const { rows } = await connection.query<{ readonly sent: string; readonly known: string }>({
    name: 'find-similar-serials',
    text: SIMILAR,
    values: [accountId, serialNumbers],
  })
  return new Map(rows.map(({ sent, known }) => [sent, known]))
}
