// Who works on which import: one process at a time, another as soon as that one falls silent, accounts by turns.
import type { Pool } from 'pg'
import { IMPORT_FIELDS, toImport, type ImportKey, type ImportRow, type StoredImport } from './import-record.ts'
import { inTransaction } from '../connection/transaction.ts'

/** A process that has not been heard of for so long has ended, and another goes on. */
export const LEASE_DURATION = `interval '15 seconds'`

/**
 * Attempts after which an import is given up, where no checkpoint came in between. An end of its worker that the
 * service saw counts as four, so that three are enough; one that nobody saw counts as one: the whole service may have
 * been killed for another reason, and again.
 */
const ATTEMPTS_MAX = 10
/** Beside the one that the claim counted. */
const ATTEMPTS_OF_END_SEEN = 3

const IS_OPEN = `state in ('waiting', 'running', 'undoing') and held_until < now()`
const IS_HELD = `state in ('running', 'undoing') and held_until >= now() and holder is not null`

/**
 * How work on an import ended: come to its end or to a checkpoint; interrupted by the database, so that it is tried
 * again later, and others of its account go before; or broken off by what it is.
 */
export type EndOfWork = 'in order' | 'interrupted' | 'broken off'

/** The import is another process's by now, or is not to go on. */
export class LeaseLost extends Error {
  override name = 'LeaseLost'
}

export type ImportLeases = ReturnType<typeof createImportLeases>

/** @param holder names this process among all that work on imports */
export const createImportLeases = (pool: Pool, holder: string) => ({
  claim: (key: ImportKey | null) => claim(pool, holder, key),
  hold: (job: StoredImport) => hold(pool, holder, job),
  release: (key: ImportKey, end: EndOfWork) => release(pool, holder, key, end),
  failRepeated: (problem: string) => failRepeated(pool, problem),
  othersWait: (accountId: number) => othersWait(pool, accountId),
})

/**
 * An import that waits for somebody to work on it, or the one that is named; from now on this process does. It is the
 * oldest of the account that has waited longest since a file of it was worked on; of an account there is one at a time.
 * Each claim counts as an attempt until it ends in order, but for one that this process holds still: it has only lost
 * the database meanwhile.
 */
const claim = (pool: Pool, holder: string, key: ImportKey | null): Promise<StoredImport | null> =>
  inTransaction(pool, async (connection) => {
    const named = [key?.accountId ?? null, key?.importId ?? null]
    const found = await connection.query<{ readonly account_id: number }>(
      `select account_id from accounts
      where account_id in (
          select account_id from imports
          where ${IS_OPEN} and ($1::integer is null or (account_id, import_id) = ($1, $2::integer))
        ) and account_id not in (select account_id from imports where ${IS_HELD})
      order by imports_served_at, account_id limit 1 for no key update skip locked`,
      named,
    )
    const accountId = found.rows[0]?.account_id
    if (accountId === undefined) return null
    // Looked at again: whoever held the lock before may have claimed one.
    const { rows } = await connection.query<ImportRow>(
      `update imports set state = case state when 'waiting' then 'running' else state end, holder = $1,
        held_until = now() + ${LEASE_DURATION}, started_at = coalesce(started_at, now()),
        attempts = attempts + case when holder = $1 then 0 else 1 end
      where account_id = $2 and import_id = (
          select import_id from imports
          where account_id = $2 and ${IS_OPEN} and ($3::integer is null or import_id = $3)
          order by held_until, created_at, import_id limit 1
        ) and not exists (select from imports where account_id = $2 and ${IS_HELD})
      returning ${IMPORT_FIELDS}`,
      [holder, accountId, key?.importId ?? null],
    )
    await connection.query('update accounts set imports_served_at = now() where account_id = $1', [accountId])
    return rows[0] ? toImport(rows[0]) : null
  })

/** @throws LeaseLost where another process has taken it over, it is to be undone, or it is done */
async function hold(pool: Pool, holder: string, { accountId, importId, state }: StoredImport): Promise<void> {
  const { rowCount } = await pool.query({
    name: 'hold-import',
    text: `update imports set held_until = now() + ${LEASE_DURATION}
      where account_id = $1 and import_id = $2 and holder = $3 and state = $4`,
    values: [accountId, importId, holder, state],
  })
  if (rowCount !== 1) throw new LeaseLost()
}

async function release(pool: Pool, holder: string, { accountId, importId }: ImportKey, end: EndOfWork): Promise<void> {
  await pool.query(
    `with released as (
      update imports set holder = null,
        held_until = case $4 when 'interrupted' then now() + ${LEASE_DURATION} else '-infinity' end,
        attempts = case $4 when 'broken off' then attempts + ${ATTEMPTS_OF_END_SEEN}
          else greatest(attempts - 1, 0) end
      where account_id = $1 and import_id = $2 and holder = $3 returning account_id
    )
    update accounts set imports_served_at = now() from released where accounts.account_id = released.account_id`,
    [accountId, importId, holder, end],
  )
}

/** Gives up what was attempted too often. */
async function failRepeated(pool: Pool, problem: string): Promise<readonly ImportKey[]> {
  const { rows } = await pool.query<ImportKey>({
    name: 'fail-imports',
    text: `with failed as (
        update imports set state = 'failed', problem = $1, finished_at = now(), held_until = '-infinity', holder = null,
          unprocessed_bytes = 0
        where ${IS_OPEN} and attempts >= ${ATTEMPTS_MAX} returning account_id, import_id
      ), removed as (
        delete from import_pieces using failed
        where import_pieces.account_id = failed.account_id and import_pieces.import_id = failed.import_id
      )
      select account_id as "accountId", import_id as "importId" from failed`,
    values: [problem],
  })
  return rows
}

/** Whether another account has an import that nobody works on. */
async function othersWait(pool: Pool, accountId: number): Promise<boolean> {
  const { rows } = await pool.query<{ readonly wait: boolean }>({
    name: 'imports-that-wait',
    text: `select exists (
      select from imports where ${IS_OPEN} and account_id <> $1
        and account_id not in (select account_id from imports where ${IS_HELD})
    ) as wait`,
    values: [accountId],
  })
  return rows[0]!.wait
}
