// The free space of the embedded server's file system, and the part of it that imports must leave free.
import { statfs } from 'node:fs/promises'
import type { Pool } from 'pg'
import { readClusterDirectory } from './health.ts'

export interface FreeSpace {
  readonly freeBytes: number
  /** Below this, no import file is accepted or processed: orders, and PostgreSQL itself, need the rest. */
  readonly floorBytes: number
}

export type ReadFreeSpace = () => Promise<FreeSpace>

const GIB = 1024 ** 3
/** PostgreSQL writes up to 2 GiB of WAL (max_wal_size in embedded/process.ts) before it recycles any. */
const FLOOR_BYTES_MIN = 3 * GIB
const FLOOR_BYTES_MAX = 10 * GIB
const FLOOR_SHARE = 0.05

/** @param totalBytes size of the file system */
export const floorOf = (totalBytes: number): number =>
  Math.max(FLOOR_BYTES_MIN, Math.min(FLOOR_BYTES_MAX, totalBytes * FLOOR_SHARE))

export async function freeSpaceAt(directory: string): Promise<FreeSpace> {
  const { bavail, blocks, bsize } = await statfs(directory)
  return { freeBytes: bavail * bsize, floorBytes: floorOf(blocks * bsize) }
}

/** @param databaseUrl set for an external server, whose disk is not visible from here; the result is then null */
export function freeSpaceReader(pool: Pool, databaseUrl: string | null): ReadFreeSpace | null {
  if (databaseUrl !== null) return null
  let directory: Promise<string> | null = null
  return async () => {
    directory ??= readClusterDirectory(pool)
    try {
      return await freeSpaceAt(await directory)
    } catch (error) {
      directory = null
      throw error
    }
  }
}
