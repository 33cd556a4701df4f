// Long reads from a replica, never less than what was acknowledged; from the first database where that cannot be.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool, QueryConfig } from 'pg'
import { isRetryable } from './errors.ts'
import { READ_ONLY_SNAPSHOT, inTransaction, withConnection, runTransaction, type Connection } from './transaction.ts'

/** Runs a read, of one moment, on the database that is to answer it. */
export type ReplicaReads = <Result>(read: (connection: Connection) => Promise<Result>) => Promise<Result>

/** Which database answered a read: the replica, or the one that is written to; that, since the replica could not. */
export const READ_SOURCES = ['replica', 'primary', 'fallback'] as const
export type ReadSource = (typeof READ_SOURCES)[number]
/** @param why the replica could not be read, where it said so and did not just stay behind */
export type OnRead = (from: ReadSource, why?: Error) => void

/** How long a list waits for the replica before it is read from the first database. */
const CATCH_UP_MS_MAX = 200
const ASK_AGAIN_MS = 5
/** How long a replica may take to say where it stands. A network that swallows what is sent must not hold up a list. */
const POSITION_MS_MAX = 1_000
/** How long a replica that could not be asked is left alone: until then it would cost each list a connection's wait. */
const LEFT_ALONE_MS = 5_000

/**
 * A replica answers only once it has all that the first database had on its disk when the list was asked for: who was
 * told that an order is stored finds it in the next list, whatever the lag. A replica that stays behind, is away, is of
 * another database or is no replica any more is passed over.
 */
export function createReplicaReads(first: Pool, replica: Pool | null, onRead: OnRead = () => undefined): ReplicaReads {
  let leftAloneUntil = 0
  return async (read) => {
    let why: Error | undefined
    if (replica !== null && performance.now() >= leftAloneUntil) {
      const position = await findPosition(first)
      try {
        const found = await readCaughtUp(replica, position, read)
        if (found !== null) return found.result
      } catch (error) {
        // Whatever it was: a fault of the read itself shows again below, and nobody is told of the replica. Rows that
        // it had to give up while they were being read, since the first did, are no reason to leave it alone.
        if (!isRetryable(error)) leftAloneUntil = performance.now() + LEFT_ALONE_MS
        why = error as Error
      }
    }
    const result = await inTransaction(first, read, READ_ONLY_SNAPSHOT)
    onRead(replica === null ? 'primary' : 'fallback', why)
    return result
  }

  /** On one connection, since behind one address there may be several replicas. Null where it stays behind. */
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
  /** What makes a server and its copies one. */
  readonly system: string
  readonly database: string
  /** Counts the promotions. Of two servers that were one, positions compare on one timeline alone. */
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
 * In bytes of the log of changes, 0 or less where it has all; null where it is no replica of that database. What the
 * replica's own files say of its timeline comes late, never early: after a promotion it is passed over until then.
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

/** @throws Error where it is no replica of that database, or has not followed its promotion */
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

/** How far the replica is behind, in bytes of the log of changes; null where it is no replica of that database. */
export const replicationLag = async (first: Connection, replica: Connection): Promise<number | null> =>
  findBehind(replica, await findPosition(first))
