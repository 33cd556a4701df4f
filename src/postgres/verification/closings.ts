// Finds entries that count from another day than the one that was open when they were posted.
import type { Client } from 'pg'

export interface MisdatedEntry {
  readonly account_id: number
  readonly serial_number: string
  readonly customer_id: string
  readonly order_id: string
  readonly entry_no: number
  readonly counts_from: string | null
  /** The first open day when the entry was posted; null if the books were open for all days. */
  readonly expected: string | null
}

/** A posting that waited while the books were being closed has an earlier time, but the new day. */
const WAITING_MAX = `interval '1 minute'`

/**
 * What an upgrade closed was open before: entries from then count as the schema of that upgrade says, either in the
 * months that they concern or from the day of their posting on.
 */
const MISDATED = `
  with closings as (
    select account_id, closed_until, recorded_at as since,
      coalesce(lead(recorded_at) over (partition by account_id order by closing_no), 'infinity') as until
    from period_closings
    union all
    select account_id, null, '-infinity', coalesce(min(recorded_at), 'infinity')
    from accounts left join period_closings using (account_id) group by account_id
  )
  select entries.account_id, serial_number, customer_id, order_id, entry_no, counts_from, (
      select closed_until from closings
      where closings.account_id = entries.account_id and since <= posted_at and posted_at < until limit 1
    ) as expected
  from entries
  where not exists (
    select from closings
    where closings.account_id = entries.account_id and counts_from is not distinct from closed_until
      and since - ${WAITING_MAX} <= posted_at and posted_at < until
  ) and not exists (
    select from period_closings
    where period_closings.account_id = entries.account_id and kind = 'upgraded' and posted_at < recorded_at
      and counts_from = (posted_at at time zone 'UTC')::date
  )
  order by entries.account_id, serial_number, order_key, entry_no`

/** @param max how many of them at most */
export async function findMisdatedEntries(client: Client, max: number): Promise<readonly MisdatedEntry[]> {
  return (await client.query<MisdatedEntry>(`${MISDATED} limit ${max}`)).rows
}
