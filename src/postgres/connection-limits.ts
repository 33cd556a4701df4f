// How many database connections each of several workers gets, so that the server's limit is enough for all of them.
import type { Pool } from 'pg'

/** Connections of a worker: its pool and its exports. */
const OF_WORKER = { most: 24, least: 10 } as const
const EXPORTS = 4
/** Reserved for the primary process, the report process, and commands that run next to the service. */
const BESIDE = 16
/** Connections of all workers together on an embedded server: the more workers, the fewer each needs. */
const OF_ALL_WORKERS = 240

const clamp = (count: number): number => Math.min(OF_WORKER.most, Math.max(OF_WORKER.least, count))

/** The max_connections that the embedded server needs. */
export const serverConnectionsFor = (workers: number): number =>
  workers * clamp(Math.floor(OF_ALL_WORKERS / workers)) + BESIDE

/**
 * The size of each worker's pool, from the server's max_connections.
 * @throws Error with a sentence if the server allows too few connections
 */
export async function poolSizeOf(pool: Pool, workers: number): Promise<number> {
  const { rows } = await pool.query<{ readonly most: number }>(
    `select current_setting('max_connections')::integer as most`,
  )
  const ofEach = Math.floor((rows[0]!.most - BESIDE) / workers)
  if (ofEach >= OF_WORKER.least) return clamp(ofEach) - EXPORTS
  throw new Error(
    `The database takes ${rows[0]!.most} connections, and ${workers} workers need ` +
      `${workers * OF_WORKER.least + BESIDE}: raise its max_connections, or set fewer workers`,
  )
}
