// Checks the database's disk for room for files: it is read once a second, however many callers ask.
import { ApiError } from '../contract/errors.ts'
import { UPLOAD_MESSAGES } from './messages.ts'
import type { FreeSpace, ReadFreeSpace } from '../postgres/free-space.ts'

const READING_MS = 1_000

export interface DiskSpace {
  /** @throws ApiError if the remaining bytes would leave less free space than the floor */
  readonly require: (bytesToCome: number) => Promise<void>
  /** Whether the last reading was below the floor; a call also starts a new reading. */
  readonly isLow: () => boolean
}

/** If the disk cannot be read, files are accepted until the database itself has no room. */
const UNSEEN: DiskSpace = { require: () => Promise.resolve(), isLow: () => false }

export function createDiskSpace(readFreeSpace: ReadFreeSpace | null): DiskSpace {
  if (readFreeSpace === null) return UNSEEN
  let reading: Promise<FreeSpace> | null = null
  let readAt = 0
  let isLow = false
  const current = (): Promise<FreeSpace> => {
    if (reading !== null && performance.now() - readAt < READING_MS) return reading
    readAt = performance.now()
    reading = readFreeSpace()
    reading.then(
      ({ freeBytes, floorBytes }) => (isLow = freeBytes < floorBytes),
      () => (reading = null),
    )
    return reading
  }
  return {
    require: async (bytesToCome) => {
      const { freeBytes, floorBytes } = await current()
      if (freeBytes - bytesToCome < floorBytes) throw hasNoRoom(floorBytes)
    },
    isLow: () => {
      void current().catch(() => undefined)
      return isLow
    },
  }
}

const hasNoRoom = (floorBytes: number): ApiError =>
  new ApiError(
    'storage_full',
    UPLOAD_MESSAGES.disk_reserved_for_orders({ reserved: Number((floorBytes / 1024 ** 3).toFixed(1)) }),
  )
