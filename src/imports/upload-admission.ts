// Admission of uploads: limits on concurrent uploads, their rate, and the files and bytes that are not processed yet.
import { setTimeout as sleep } from 'node:timers/promises'
import { ApiError, invalidRequest } from '../contract/errors.ts'
import type { UnprocessedQuota } from '../postgres/unprocessed-quota.ts'
import type { Message } from '../engine/message.ts'
import type { DiskSpace } from './disk-space.ts'
import { UPLOAD_MESSAGES } from './messages.ts'

export interface UploadLimits {
  /** Concurrent uploads of this process: each holds up to 1 MiB of its file in memory. */
  readonly accountUploads: number
  readonly totalUploads: number
  /** Limits over all processes, enforced in the database. */
  readonly quota: UnprocessedQuota
  /** An upload that falls behind this rate by more than behindMsMax is ended. */
  readonly bytesPerSecondMin: number
  readonly behindMsMax: number
  /** Rate at which all uploads of this process together are stored: storing takes time of the main thread. */
  readonly bytesPerSecondMax: number
}

/** By then, a file may have been processed or an upload may have ended. */
const RETRY_SECONDS = 10

const tooMany = (message: Message): ApiError => new ApiError('too_many_imports', message, [], RETRY_SECONDS)

export interface UploadAdmission {
  readonly limits: UploadLimits
  readonly room: DiskSpace
  /**
   * Runs `upload` in one of a limited number of places.
   * @throws ApiError if the account, or all accounts together, have reached the limit
   */
  readonly inPlace: <Result>(accountId: number, upload: () => Promise<Result>) => Promise<Result>
  /** Waits until this many more bytes may be stored. */
  readonly pace: (bytes: number) => Promise<void>
}

export function createUploadAdmission(limits: UploadLimits, room: DiskSpace): UploadAdmission {
  const byAccount = new Map<number, number>()
  let total = 0
  let nextAt = 0
  const enter = (accountId: number): void => {
    const own = byAccount.get(accountId) ?? 0
    if (own >= limits.accountUploads)
      throw tooMany(UPLOAD_MESSAGES.account_uploads_limit({ max: limits.accountUploads }))
    if (total >= limits.totalUploads) throw tooMany(UPLOAD_MESSAGES.service_uploads_limit())
    byAccount.set(accountId, own + 1)
    total += 1
  }
  const leave = (accountId: number): void => {
    const own = byAccount.get(accountId)! - 1
    if (own === 0) byAccount.delete(accountId)
    else byAccount.set(accountId, own)
    total -= 1
  }
  return {
    limits,
    room,
    pace: async (bytes) => {
      const now = performance.now()
      const at = Math.max(now, nextAt)
      nextAt = at + (1000 * bytes) / limits.bytesPerSecondMax
      // A timer may fire early.
      for (let left = at - now; left > 0; left = at - performance.now()) await sleep(left)
    },
    inPlace: async (accountId, upload) => {
      enter(accountId)
      try {
        return await upload()
      } finally {
        leave(accountId)
      }
    },
  }
}

/** Bytes reserved at a time for a file of unknown size. */
export const RESERVED_BYTES = 16 * 1024 * 1024

/** @param bytes size of the file that does not fit, as far as it is known */
export function quotaExceeded(exceeded: keyof UnprocessedQuota, bytes: number, quota: UnprocessedQuota): ApiError {
  const limit = quota[exceeded]
  switch (exceeded) {
    case 'accountFiles':
      return tooMany(UPLOAD_MESSAGES.account_files_limit({ max: limit }))
    case 'accountBytes':
      if (bytes > limit)
        return new ApiError('too_large', UPLOAD_MESSAGES.file_larger_than_account_limit({ max: inMebibytes(limit) }))
      return tooMany(UPLOAD_MESSAGES.account_bytes_limit({ max: inMebibytes(limit) }))
    case 'totalFiles':
    case 'totalBytes':
      return tooMany(UPLOAD_MESSAGES.service_files_limit())
  }
}

const inMebibytes = (bytes: number): number => Math.floor(bytes / 1024 ** 2)

/**
 * Passes on the bytes of a sender that keeps up a minimum rate. Time spent waiting for the sender is a debt that its
 * bytes pay off; our own time to store them adds none, and bytes that arrive early are no credit for later.
 * @throws ApiError if the debt gets too large, also if nothing arrives at all
 */
export async function* withinRate(
  content: AsyncIterable<Buffer>,
  { bytesPerSecondMin, behindMsMax }: UploadLimits,
): AsyncGenerator<Buffer> {
  const iterator = content[Symbol.asyncIterator]()
  let behindMs = 0
  let isWaiting = false
  try {
    for (;;) {
      const askedAt = performance.now()
      isWaiting = true
      const next = await within(iterator.next(), behindMsMax - behindMs)
      if (next === null) throw tooSlow(bytesPerSecondMin)
      isWaiting = false
      if (next.done) return
      const paidMs = (1000 * next.value.length) / bytesPerSecondMin
      behindMs = Math.max(0, behindMs + performance.now() - askedAt - paidMs)
      yield next.value
    }
  } finally {
    // An iterator answers its calls in order: while a `next` is pending, its `return` must not be awaited.
    const returned = iterator.return?.()
    if (!isWaiting) await returned
    else returned?.catch(() => undefined)
  }
}

/** Null if it takes longer. */
async function within<Value>(promise: Promise<Value>, milliseconds: number): Promise<Value | null> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<null>((resolve) => (timer = setTimeout(() => resolve(null), milliseconds)))
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
    // A late rejection has no handler otherwise.
    promise.catch(() => undefined)
  }
}

const tooSlow = (bytesPerSecondMin: number): ApiError =>
  invalidRequest([{ path: '', ...UPLOAD_MESSAGES.upload_too_slow({ rate: Math.round(bytesPerSecondMin / 1024) }) }])
