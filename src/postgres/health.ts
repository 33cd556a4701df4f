// Checks of the database for readiness and `cradle doctor`; nothing is changed.
import type { Pool } from 'pg'
import { explainSchema, type Migration } from './migrations.ts'

/**
 * `database`: it does not answer in time, or with an error. `schema`: it is not the one of this release. `workers`: not
 * all of them serve.
 */
export type Readiness = 'ready' | 'database' | 'schema' | 'workers'

/**
 * A function that asks the database. However many ask at once, one question is under way: anybody may ask, without a
 * key, and a silent database must not have all connections wait for it.
 */
export function createReadiness(
  pool: Pool,
  migrations: readonly Migration[],
  answerMsMax: number,
): () => Promise<Readiness> {
  let underWay: Promise<Readiness> | undefined
  const ask = (): Promise<Readiness> => {
    const asked = explainSchema(pool, migrations).then(
      (fault): Readiness => (fault === undefined ? 'ready' : 'schema'),
      (): Readiness => 'database',
    )
    void asked.then(() => (underWay = undefined))
    return asked
  }
  return () => withinTime((underWay ??= ask()), answerMsMax)
}

function withinTime(asked: Promise<Readiness>, milliseconds: number): Promise<Readiness> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve('database'), milliseconds)
    void asked.then((readiness) => {
      clearTimeout(timer)
      resolve(readiness)
    })
  })
}

/**
 * How far the clock of the database is ahead of ours, in milliseconds, beyond what the way there and back explains;
 * below 0 where it is behind.
 */
export async function readClockSkew(pool: Pool, now: () => number): Promise<number> {
  const askedAt = now()
  const { rows } = await pool.query<{ readonly milliseconds: number }>(
    'select (extract(epoch from clock_timestamp()) * 1000)::float8 as milliseconds',
  )
  const answeredAt = now()
  const theirs = rows[0]!.milliseconds
  if (theirs > answeredAt) return theirs - answeredAt
  return Math.min(0, theirs - askedAt)
}

/** Where a server of our own keeps its files; it says so to its owner alone. */
export async function readClusterDirectory(pool: Pool): Promise<string> {
  const { rows } = await pool.query<{ readonly directory: string }>(
    `select current_setting('data_directory') as directory`,
  )
  return rows[0]!.directory
}

/** The hash of a dataset release as this database knows it; null where no order was made with it yet. */
export async function readReleaseHash(pool: Pool, name: string): Promise<string | null> {
  const { rows } = await pool.query<{ readonly hash: string }>(
    `select encode(content_hash, 'hex') as hash from dataset_releases where name = $1`,
    [name],
  )
  return rows[0]?.hash ?? null
}

/** How far entries are folded for reports: until when those of every account are, and of the one that is furthest. */
export interface RollupState {
  /** In seconds until now. Null where no account has anything folded. */
  readonly longest: number | null
  readonly shortest: number | null
  /** Accounts that are a day behind, by name, at most a few. */
  readonly dayBehind: readonly string[]
}

export async function readRollupState(pool: Pool): Promise<RollupState> {
  const { rows } = await pool.query<RollupState>(
    `select extract(epoch from now() - min(until))::float8 as longest,
        extract(epoch from now() - max(until))::float8 as shortest,
        coalesce((array_agg(name order by until) filter (where until < now() - interval '1 day'))[:3], '{}')
          as "dayBehind"
      from (
        select name, greatest(rolled_up_until, created_at) as until
        from report_watermarks join accounts using (account_id)
      ) as folded`,
  )
  return rows[0]!
}

/** An account with entries that should have been folded for reports long ago. */
export interface RollupLag {
  readonly name: string
  /** Up to when its entries are folded: where that stays as it is, nobody folds, or it fails. */
  readonly mark: string
  readonly seconds: number
}

/** @param seconds so long ago entries were posted that are to be folded; entries of a service that stopped are, too */
export async function readRollupLag(pool: Pool, seconds: number): Promise<readonly RollupLag[]> {
  const { rows } = await pool.query<RollupLag>(
    `select name, coalesce(rolled_up_until, '-infinity')::text as mark,
        extract(epoch from now() - first.posted_at)::float8 as seconds
      from accounts left join report_watermarks using (account_id)
      cross join lateral (
        select posted_at from entries
        where entries.account_id = accounts.account_id and posted_at > coalesce(rolled_up_until, '-infinity')
          and posted_at <= now() - $1 * interval '1 second'
        limit 1
      ) as first
      order by first.posted_at, name`,
    [seconds],
  )
  return rows
}

/** Whether another program of ours, such as the service, is connected to the database. */
export async function isServed(pool: Pool): Promise<boolean> {
  const { rows } = await pool.query<{ readonly served: boolean }>(
    `select exists (
        select from pg_stat_activity
        where datname = current_database() and application_name = 'cradle' and pid <> pg_backend_pid()
      ) as served`,
  )
  return rows[0]!.served
}

/** A device with a very long journal. */
export interface BusyDevice {
  readonly account: string
  readonly serialNumber: string
  readonly entries: number
}

/** Those with more entries than so many, a few of them, longest first: found by the index of long journals. */
export async function readBusyDevices(pool: Pool, entriesMax: number): Promise<readonly BusyDevice[]> {
  const { rows } = await pool.query<BusyDevice>(
    `select name as account, serial_number as "serialNumber", max(entry_no) as entries
      from entries join accounts using (account_id)
      where entry_no > 250 and entry_no > $1 and serial_number <> ''
      group by name, serial_number order by entries desc, name, serial_number limit 5`,
    [entriesMax],
  )
  return rows
}
