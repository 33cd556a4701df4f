// The parts of a ZIP file, which XLSX is: streamed, and none that unpacks to more than it is fair to ask.
import { Readable } from 'node:stream'
import { RandomAccessReader, fromRandomAccessReaderPromise, type Entry } from 'yauzl'
import { UnreadableFile } from './row.ts'
import type { Source } from './source.ts'

export interface Zip {
  readonly has: (name: string) => boolean
  /** The bytes of a part, piece by piece. */
  readonly read: (name: string) => AsyncGenerator<Buffer>
}

const PARTS_MAX = 10_000
const PART_BYTES_MAX = 4 * 1024 ** 3
/** Rows of a sheet are much alike, but not more than this. */
const RATIO_MAX = 300
const ALWAYS_FAIR = 1024 * 1024
const PIECE_BYTES = 256 * 1024

/** Hands yauzl the bytes; what fails beneath it is not the file's fault. */
class SourceReader extends RandomAccessReader {
  readonly source: Source
  failure: unknown = null
  constructor(source: Source) {
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

/** @throws UnreadableFile where the file is damaged, or made to exhaust whoever unpacks it */
export async function openZip(source: Source): Promise<Zip> {
  const reader = new SourceReader(source)
  const entries = new Map<string, Entry>()
  const blame = (error: unknown): unknown => {
    if (reader.failure || error instanceof UnreadableFile) return reader.failure ?? error
    return new UnreadableFile(
      `The XLSX file is damaged: ${error instanceof Error ? error.message : 'it cannot be unpacked'}`,
    )
  }
  try {
    const zip = await fromRandomAccessReaderPromise(reader, source.bytes, { autoClose: false, strictFileNames: false })
    if (zip.entryCount > PARTS_MAX) throw new UnreadableFile(`The XLSX file has more than ${PARTS_MAX} parts`)
    for await (const entry of zip.eachEntry()) entries.set(entry.fileName.toLowerCase(), entry)
    return {
      has: (name) => entries.has(name.toLowerCase()),
      read: async function* (name) {
        const entry = entries.get(name.toLowerCase())
        if (!entry) throw new UnreadableFile(`The XLSX file lacks its part "${name}"`)
        refuseUnfair(entry)
        try {
          for await (const piece of await zip.openReadStreamPromise(entry)) yield piece as Buffer
        } catch (error) {
          throw blame(error)
        }
      },
    }
  } catch (error) {
    throw blame(error)
  }
}

function refuseUnfair({ fileName, compressedSize, uncompressedSize }: Entry): void {
  const isFair = uncompressedSize <= Math.max(ALWAYS_FAIR, compressedSize * RATIO_MAX)
  if (isFair && uncompressedSize <= PART_BYTES_MAX) return
  throw new UnreadableFile(
    `The part "${fileName}" of the XLSX file unpacks from ${compressedSize} to ${uncompressedSize} bytes`,
  )
}
