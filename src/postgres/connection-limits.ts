// How many connections to the database each of several workers has, so that the server takes those of all.
import type { Pool } from 'pg'

/** Of a worker: its pool, and the exports that it sends. */
const OF_WORKER = { most: 24, least: 10 } as const
const EXPORTS = 4
/** For the primary, the process that makes reports, and commands that run beside the service. */
const BESIDE = 16
/** What all workers have where the server is our own: each of many needs fewer. */
const OF_ALL_WORKERS = 240

const clamp = (count: number): number => Math.min(OF_WORKER.most, Math.max(OF_WORKER.least, count))

/** What our own server has to take. */
export const serverConnectionsFor = (workers: number): number =>
  workers * clamp(Math.floor(OF_ALL_WORKERS / workers)) + BESIDE

/**
 * The size of each worker's pool, by what the server takes.
 * @throws Error with a sentence where it takes too few
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
