// Read-only checks of the database for readiness and `cradle doctor`.
import type { Pool } from 'pg'
import { explainSchema, type Migration } from './migrations.ts'

/**
 * `database`: it does not answer in time, or answers with an error. `schema`: it is not that of this release.
 * `workers`: not all of them serve.
 */
export type Readiness = 'ready' | 'database' | 'schema' | 'workers'

/**
 * Returns a function that queries the database. All concurrent calls share one query: the endpoint needs no key, and
 * calls must not occupy all connections while the database does not answer.
 */
export function createReadiness(
  pool: Pool,
  migrations: readonly Migration[],
  answerMsMax: number,
): () => Promise<Readiness> {
  let inFlight: Promise<Readiness> | undefined
  const ask = (): Promise<Readiness> => {
    const asked = explainSchema(pool, migrations).then(
      (fault): Readiness => (fault === undefined ? 'ready' : 'schema'),
      (): Readiness => 'database',
    )
    void asked.then(() => (inFlight = undefined))
    return asked
  }
  return () => withinTime((inFlight ??= ask()), answerMsMax)
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
 * How far the database clock is ahead of ours, in milliseconds, beyond what the round trip explains; negative if it is
 * behind.
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

/** The data directory of an embedded server. PostgreSQL shows it only to privileged roles. */
export async function readClusterDirectory(pool: Pool): Promise<string> {
  const { rows } = await pool.query<{ readonly directory: string }>(
    `select current_setting('data_directory') as directory`,
  )
  return rows[0]!.directory
}

/** The hash of a dataset release in this database; null if no order was made with it yet. */
export async function readReleaseHash(pool: Pool, name: string): Promise<string | null> {
  const { rows } = await pool.query<{ readonly hash: string }>(
    `select encode(content_hash, 'hex') as hash from dataset_releases where name = $1`,
    [name],
  )
  return rows[0]?.hash ?? null
}

/**
 * How far entries are rolled up for reports: the lag of the account that is furthest behind, and of the one closest to
 * now.
 */
export interface RollupState {
  /** In seconds before now. Null if nothing is rolled up for any account. */
  readonly longest: number | null
  readonly shortest: number | null
  /** The names of accounts that are more than a day behind, at most three. */
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

/** An account with entries that should have been rolled up for reports long ago. */
export interface RollupLag {
  readonly name: string
  /** The watermark of the account. If it does not advance, no process rolls up, or rolling up fails. */
  readonly mark: string
  readonly seconds: number
}

/** @param seconds entries at least this old should be rolled up; entries of a service that was stopped count too */
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

/** Whether another process of this program, such as the service, is connected to the database. */
export async function isServed(pool: Pool): Promise<boolean> {
  const { rows } = await pool.query<{ readonly served: boolean }>(
    `select exists (
        select from pg_stat_activity
        where datname = current_database() and application_name = 'cradle' and pid <> pg_backend_pid()
      ) as served`,
  )
  return rows[0]!.served
}

/** A device with a very long ledger. */
export interface BusyDevice {
  readonly account: string
  readonly serialNumber: string
  readonly entries: number
}

/** Up to five devices with more entries than this, longest ledger first, found by the index of long ledgers. */
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

export interface WebhookCounts {
  readonly all: number
  /** Disabled because a receiver answered 410 or all attempts failed. */
  readonly disabled: number
  readonly failing: number
  /** Rows of the outbox that wait for longer than any running service needs. */
  readonly unplaced: number
}

export async function countWebhooks(pool: Pool): Promise<WebhookCounts> {
  const { rows } = await pool.query<WebhookCounts>(
    `select count(*)::integer as all, count(disabled_reason)::integer as disabled,
      (count(*) filter (where is_enabled and failures_in_a_row > 0))::integer as failing,
      (select count(*)::integer from feed_outbox where posted_at < now() - interval '1 minute') as unplaced
    from webhooks`,
  )
  return rows[0]!
}
