// Long reads from a replica that has everything acknowledged so far, or else from the primary.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool, QueryConfig } from 'pg'
import { isRetryable } from './errors.ts'
import { READ_ONLY_SNAPSHOT, inTransaction, withConnection, runTransaction, type Connection } from './transaction.ts'

/** Runs a read in one snapshot on the replica or the primary. */
export type ReplicaReads = <Result>(read: (connection: Connection) => Promise<Result>) => Promise<Result>

/**
 * Which database answered a read: the replica; the primary, without a replica; or the primary because the replica could
 * not.
 */
export const READ_SOURCES = ['replica', 'primary', 'fallback'] as const
export type ReadSource = (typeof READ_SOURCES)[number]
/** @param why the error of the replica, if it failed and did not merely lag behind */
export type OnRead = (from: ReadSource, why?: Error) => void

/** How long a list waits for the replica to catch up before it is read from the primary. */
const CATCH_UP_MS_MAX = 200
const ASK_AGAIN_MS = 5
/** How long a replica may take to report its position. A network that drops packets must not delay a list. */
const POSITION_MS_MAX = 1_000
/** How long a replica that failed is not tried again: until then it would delay each list by a connection timeout. */
const LEFT_ALONE_MS = 5_000

/**
 * A replica answers only once it has everything that the primary had flushed when the list was requested. So a client
 * whose order was acknowledged finds it in the next list, whatever the replication lag. A replica is skipped if it lags
 * behind, is unreachable, belongs to another database or was promoted.
 */
export function createReplicaReads(first: Pool, replica: Pool | null, onRead: OnRead = () => undefined): ReplicaReads {
  let leftAloneUntil = 0
  return async (read) => {
    let why: Error | undefined
    if (replica !== null && performance.now() >= leftAloneUntil) {
      const position = await findPosition(first)
      try {
        const result = await readCaughtUp(replica, position, read)
        if (result !== null) return result.result
      } catch (error) {
        // Any error: if the read itself is at fault, it fails again below, and then nothing is reported about the
        // replica. A recovery conflict (the primary removed rows that were being read) is no reason to stop using the
        // replica.
        if (!isRetryable(error)) leftAloneUntil = performance.now() + LEFT_ALONE_MS
        why = error as Error
      }
    }
    const result = await inTransaction(first, read, READ_ONLY_SNAPSHOT)
    onRead(replica === null ? 'primary' : 'fallback', why)
    return result
  }

  /** Uses one connection, because there may be several replicas behind one address. Null if the replica lags behind. */
  function readCaughtUp<Result>(pool: Pool, position: Position, read: (connection: Connection) => Promise<Result>) {
    return withConnection(pool, async (connection) => {
      if (!(await catchesUp(connection, position))) return null
      const result = await runTransaction(connection, read, READ_ONLY_SNAPSHOT)
      onRead('replica')
      return { result }
    })
  }
}

interface Position {
  /** Identifies a server and its copies. */
  readonly system: string
  readonly database: string
  /** Counts promotions. WAL positions of two servers are comparable only on the same timeline. */
  readonly timeline: number
  readonly written: string
}

async function findPosition(first: Connection): Promise<Position> {
  const { rows } = await first.query<Position>({
    name: 'find-position',
    text: `select system_identifier::text as system, current_database() as database,
        ('x' || left(pg_walfile_name(pg_current_wal_flush_lsn()), 8))::bit(32)::integer as timeline,
        pg_current_wal_flush_lsn()::text as written
      from pg_control_system()`,
  })
  return rows[0]!
}

/**
 * The lag in bytes of WAL, 0 or less if the replica has everything; null if it is not a replica of that database. The
 * timeline in the replica's own files is updated late, never early: after a promotion the replica is skipped until
 * then.
 */
async function findBehind(
  replica: Connection,
  { system, database, timeline, written }: Position,
): Promise<number | null> {
  const question: QueryConfig & { readonly query_timeout: number } = {
    name: 'find-lagging',
    text: `select case
        when pg_is_in_recovery() and system_identifier::text = $1 and current_database() = $2
          and greatest(checkpoint.timeline_id, recovery.min_recovery_end_timeline) = $3
        then pg_wal_lsn_diff($4::pg_lsn, pg_last_wal_replay_lsn())::float8
      end as behind
      from pg_control_system(), pg_control_checkpoint() as checkpoint, pg_control_recovery() as recovery`,
    values: [system, database, timeline, written],
    query_timeout: POSITION_MS_MAX,
  }
  const { rows } = await replica.query<{ readonly behind: number | null }>(question)
  return rows[0]!.behind
}

/** @throws Error if it is not a replica of that database, or has not followed its promotion */
async function catchesUp(replica: Connection, position: Position): Promise<boolean> {
  const until = performance.now() + CATCH_UP_MS_MAX
  for (;;) {
    const behind = await findBehind(replica, position)
    if (behind === null) throw new Error('It is no replica of the first database, or did not follow its promotion')
    if (behind <= 0) return true
    if (performance.now() >= until) return false
    await sleep(ASK_AGAIN_MS)
  }
}

/** The replication lag in bytes of WAL; null if it is not a replica of that database. */
export const replicationLag = async (first: Connection, replica: Connection): Promise<number | null> =>
  findBehind(replica, await findPosition(first))
