// Reads the parts of a ZIP file (the container of XLSX) as streams, with limits on their unpacked size.
import { Readable } from 'node:stream'
import { RandomAccessReader, fromRandomAccessReaderPromise, type Entry, type ZipFile } from 'yauzl'
import {
  DIRECTORY_BYTES_MAX,
  PARTS_MAX,
  UNPACKED_BYTES_MAX,
  UNPACKED_FILE_FREE,
  UNPACKED_PART_FREE,
  UNPACKED_RATIO_MAX,
} from './limits.ts'
import { FILE_MESSAGES, shownCause, shownValue } from './messages.ts'
import { UnreadableFile } from './row.ts'
import type { ByteSource } from './byte-source.ts'

export interface Zip {
  readonly has: (name: string) => boolean
  /**
   * The bytes of a part, piece by piece.
   * @param bytesMax limit of the part's unpacked size, if below the general limit
   */
  readonly read: (name: string, bytesMax?: number) => AsyncGenerator<Buffer>
}

const PIECE_BYTES = 256 * 1024

/** Provides the bytes to yauzl. Failures of the source are recorded, because they are not errors of the file. */
class SourceReader extends RandomAccessReader {
  readonly source: ByteSource
  failure: unknown = null
  constructor(source: ByteSource) {
    super()
    this.source = source
  }
  override _readStreamForRange(start: number, end: number): Readable {
    return Readable.from(this.pieces(start, end))
  }
  async *pieces(start: number, end: number): AsyncGenerator<Buffer> {
    try {
      for (let at = start; at < end; at += PIECE_BYTES)
        yield await this.source.read(at, Math.min(PIECE_BYTES, end - at))
    } catch (error) {
      this.failure = error
      throw error
    }
  }
}

/** Library messages continue with questions addressed to programmers. */
const firstSentence = (message: string): string => message.split(/[.?!](?: |$)/, 1)[0]!

/** @throws UnreadableFile if the file is damaged, or made to exhaust the program that unpacks it */
export async function openZip(source: ByteSource): Promise<Zip> {
  const reader = new SourceReader(source)
  const blame = (error: unknown): unknown => {
    if (reader.failure || error instanceof UnreadableFile) return reader.failure ?? error
    const cause = firstSentence(error instanceof Error ? error.message : String(error))
    return new UnreadableFile(FILE_MESSAGES.xlsx_damaged({ cause: shownCause(cause) }))
  }
  try {
    const zip = await fromRandomAccessReaderPromise(reader, source.bytes, { autoClose: false, strictFileNames: false })
    const parts = await listParts(zip, source.bytes)
    return {
      has: (name) => parts.has(name.toLowerCase()),
      read: async function* (name, bytesMax = UNPACKED_BYTES_MAX) {
        const part = parts.get(name.toLowerCase())
        if (!part) throw new UnreadableFile(FILE_MESSAGES.zip_part_missing({ part: shownValue(name) }))
        refuseUnfair(part, bytesMax)
        try {
          for await (const piece of await zip.openReadStreamPromise(part)) yield piece as Buffer
        } catch (error) {
          throw blame(error)
        }
      },
    }
  } catch (error) {
    throw blame(error)
  }
}

/**
 * The parts by lower-case name. Several parts may overlap in the file, so the total unpacked size is compared with the
 * size of the file, in addition to the limit of each part.
 */
async function listParts(zip: ZipFile, fileBytes: number): Promise<ReadonlyMap<string, Entry>> {
  if (zip.entryCount > PARTS_MAX) throw new UnreadableFile(FILE_MESSAGES.zip_too_many_parts({ max: PARTS_MAX }))
  const parts = new Map<string, Entry>()
  const unpackedMax = Math.min(UNPACKED_BYTES_MAX, Math.max(UNPACKED_FILE_FREE, fileBytes * UNPACKED_RATIO_MAX))
  let [listBytes, unpacked] = [0, 0]
  for await (const entry of zip.eachEntry()) {
    listBytes += entry.fileNameLength + entry.extraFieldLength + entry.fileCommentLength
    if (listBytes > DIRECTORY_BYTES_MAX)
      throw new UnreadableFile(FILE_MESSAGES.zip_directory_too_large({ max: DIRECTORY_BYTES_MAX }))
    unpacked += entry.uncompressedSize
    if (unpacked > unpackedMax)
      throw new UnreadableFile(FILE_MESSAGES.zip_unpacked_too_large({ max: unpackedMax, bytes: fileBytes }))
    // Each entry may have a thousand extra fields, and none of them is needed.
    entry.extraFields = []
    parts.set(entry.fileName.toLowerCase(), entry)
  }
  return parts
}

function refuseUnfair({ fileName, compressedSize, uncompressedSize }: Entry, bytesMax: number): void {
  const unpackedMax = Math.min(bytesMax, Math.max(UNPACKED_PART_FREE, compressedSize * UNPACKED_RATIO_MAX))
  if (uncompressedSize <= unpackedMax) return
  const sizes = { packed: compressedSize, unpacked: uncompressedSize, max: unpackedMax }
  throw new UnreadableFile(FILE_MESSAGES.zip_part_too_large({ part: shownValue(fileName), ...sizes }))
}
