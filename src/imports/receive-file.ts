// Receives a file: stores it in pieces, detects its settings once it is complete, and hands it over for processing.
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { invalidRequest, type ApiError } from '../contract/errors.ts'
import type { ReceivedFile, UploadRequest, UploadedFile } from '../http/routes/imports.ts'
import { FILE_BYTES_MAX, FILE_TOO_LARGE } from '../http/plugins/uploads.ts'
import type { ImportKey } from '../postgres/import-record.ts'
import type { Problem } from '../engine/order.ts'
import { closestMatches, withSuggestions } from '../engine/reference/suggestions.ts'
import type { ImportProfiles } from '../postgres/import-profiles.ts'
import type { Imports, NewFile } from '../postgres/imports.ts'
import { FILE_MESSAGES, shownValue } from '../spreadsheets/messages.ts'
import { headerHash, settingsOfSent, withProfile, type SentSettings } from '../spreadsheets/profile-settings.ts'
import type { Detect } from './detect-file.ts'
import { PROFILE_MESSAGES, UPLOAD_MESSAGES } from './messages.ts'
import { CHUNK_BYTES, compressChunk } from './stored-file.ts'
import { RESERVED_BYTES, withinRate, quotaExceeded, type UploadAdmission } from './upload-admission.ts'

/** Interval of keep-alive updates: a fraction of the time after which an upload without them counts as interrupted. */
const KEEP_RECEIVING_MS = 30_000
/** Interval between attempts to delete the rest of a file while the database is unavailable. */
const DROP_AGAIN_MS = 1_000
/** After this many attempts, the file is left to expire, and any process deletes it. */
const DROP_ATTEMPTS_MAX = 120

export interface ReceivingContext {
  readonly imports: Imports
  readonly admission: UploadAdmission
  readonly detect: Detect
  readonly profiles: Pick<ImportProfiles, 'find' | 'list' | 'namesFor'>
}

/**
 * Nothing is retained of a file that cannot be read as it is, or whose upload is interrupted.
 * @throws ApiError if the file is not admitted, and any error of its content or the database
 */
export async function receiveFile(
  context: ReceivingContext,
  accountId: number,
  file: UploadedFile,
): Promise<ReceivedFile> {
  const { imports, admission } = context
  // What is wrong with the request is said before the file is received, unless it comes after it.
  const early = typeof file.request === 'function' ? null : await readProfile(context, accountId, file.request)
  if (early && !early.ok) return early
  const begun = early?.request ?? { fileName: null, isDryRun: true }
  const stored = await admission.inPlace(accountId, () => storeFile(context, accountId, file, begun))
  const { key } = stored
  return removedUnlessTaken(imports, key, async () => {
    const late = early ?? (await readProfile(context, accountId, (file.request as () => UploadRequest)()))
    return late.ok ? lookAt(context, stored, late.request, file.signal) : late
  })
}

type ReadRequest =
  | { readonly ok: true; readonly request: UploadRequest }
  | { readonly ok: false; readonly problems: readonly Problem[] }

/** The request with the settings of its profile. */
async function readProfile(
  { profiles }: Pick<ReceivingContext, 'profiles'>,
  accountId: number,
  request: UploadRequest,
): Promise<ReadRequest> {
  const { profile: name } = request
  if (name === null) return { ok: true, request }
  const found = await profiles.find(accountId, name)
  if (!found) {
    const names = (await profiles.list(accountId)).map((one) => one.name)
    const problem = { path: '/profile', ...PROFILE_MESSAGES.profile_unknown({ name: shownValue(name) }) }
    return { ok: false, problems: [withSuggestions(problem, closestMatches(name, names))] }
  }
  const kept = settingsOfSent(JSON.parse(found.settings) as SentSettings)
  return { ok: true, request: { ...request, asked: withProfile(request.asked, kept) } }
}

interface StoredFile {
  readonly key: ImportKey
  readonly bytes: number
  readonly sha256: Buffer
}

async function storeFile(
  { imports, admission }: Pick<ReceivingContext, 'imports' | 'admission'>,
  accountId: number,
  file: UploadedFile,
  begunAs: NewFile,
): Promise<StoredFile> {
  const { limits, room } = admission
  const reserved = file.announcedBytes ?? RESERVED_BYTES
  await room.require(file.announcedBytes ?? 0)
  const begun = await imports.begin(accountId, begunAs, reserved, limits.quota)
  if (!begun.ok) throw quotaExceeded(begun.exceeded, reserved, limits.quota)
  const { key } = begun
  return removedUnlessTaken(imports, key, async () => ({
    key,
    ...(await storePieces({ imports, admission }, key, file, reserved)),
  }))
}

/** Runs `work`, and deletes what is stored of the file if that fails or rejects the file. */
async function removedUnlessTaken<Result extends object>(
  imports: Imports,
  key: ImportKey,
  work: () => Promise<Result>,
): Promise<Result> {
  const keeping = setInterval(() => void imports.keepReceiving(key).catch(() => undefined), KEEP_RECEIVING_MS).unref()
  try {
    const result = await work()
    if ('ok' in result && result.ok === false) await imports.drop(key)
    return result
  } catch (error) {
    // The client is answered immediately, even while the database is unavailable.
    await imports.drop(key).catch(() => void dropLater(imports, key))
    throw error
  } finally {
    clearInterval(keeping)
  }
}

async function dropLater(imports: Imports, key: ImportKey): Promise<void> {
  for (let attempts = 0; attempts < DROP_ATTEMPTS_MAX; attempts += 1) {
    await sleep(DROP_AGAIN_MS, undefined, { ref: false })
    try {
      return await imports.drop(key)
    } catch {
      // The loop retries.
    }
  }
}

async function lookAt(
  { imports, detect, profiles }: ReceivingContext,
  { key, ...stored }: StoredFile,
  { fileName, isDryRun, asked, profile }: UploadRequest,
  signal: AbortSignal,
): Promise<ReceivedFile> {
  if (stored.bytes > FILE_BYTES_MAX) throw FILE_TOO_LARGE
  if (stored.bytes === 0) return { ok: false, problems: [{ path: '', ...FILE_MESSAGES.file_empty() }] }
  const detected = await detect({ key, bytes: stored.bytes, fileName, asked }, signal)
  const hasHeader = detected.header !== undefined && detected.header.length > 0
  const kept = hasHeader && profile === null ? await profiles.namesFor(key.accountId, headerHash(detected.header)) : []
  if (!detected.ok) return { ok: false, problems: [...offered(kept), ...detected.problems] }
  const isAccepted = await imports.accept(key, {
    ...stored,
    settings: JSON.stringify(detected.settings),
    detected: JSON.stringify({
      evidence: detected.evidence,
      columns: detected.columns,
      profile,
      suggestedProfiles: kept,
    }),
    fileName,
    isDryRun,
  })
  if (!isAccepted) throw givenUp()
  return { ok: true, key }
}

const offered = ([name, ...others]: readonly string[]): readonly Problem[] =>
  name === undefined
    ? []
    : [{ path: '/profile', ...PROFILE_MESSAGES.profile_offered({ name }), suggestions: [name, ...others] }]

const givenUp = (): ApiError => invalidRequest([{ path: '', ...UPLOAD_MESSAGES.upload_given_up() }])

/** Stops at the first byte above the limit. */
async function storePieces(
  { imports, admission: { limits, room, pace } }: Pick<ReceivingContext, 'imports' | 'admission'>,
  key: ImportKey,
  { content, announcedBytes }: UploadedFile,
  reserved: number,
) {
  const sha256 = createHash('sha256')
  let bytes = 0
  let no = 0
  for await (const piece of inPieces(withinRate(content, limits))) {
    bytes += piece.length
    if (bytes > FILE_BYTES_MAX) break
    await pace(piece.length)
    await room.require(piece.length + Math.max(0, (announcedBytes ?? 0) - bytes))
    if (bytes > reserved) {
      const exceeded = await imports.reserve(key, RESERVED_BYTES, limits.quota)
      if (exceeded !== null) throw quotaExceeded(exceeded, bytes, limits.quota)
      reserved += RESERVED_BYTES
    }
    sha256.update(piece)
    if (!(await imports.addPiece(key, no, await compressChunk(piece)))) throw givenUp()
    no += 1
  }
  return { bytes, sha256: sha256.digest() }
}

/** Pieces of one size, the last one shorter; each has to be processed before the next is requested. */
async function* inPieces(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  // Filled, not collected: a sender may send one byte at a time.
  const piece = Buffer.alloc(CHUNK_BYTES)
  let length = 0
  for await (const chunk of content) {
    for (let at = 0; at < chunk.length;) {
      const copied = chunk.copy(piece, length, at)
      at += copied
      length += copied
      if (length < CHUNK_BYTES) continue
      yield piece
      length = 0
    }
    giveBack(chunk)
  }
  if (length > 0) yield piece.subarray(0, length)
}

/**
 * Frees the memory immediately: otherwise some 50 MB of read data would stay, since memory outside the heap hardly
 * triggers a collection.
 */
function giveBack({ buffer, byteLength }: Buffer): void {
  // Other code may use a buffer of which this is only a part.
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0)
}
