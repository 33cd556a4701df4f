// The source of a file's bytes: chunks in a database, a file on disk, or memory.
import { setImmediate } from 'node:timers/promises'

export interface ByteSource {
  /** The number of bytes. */
  readonly bytes: number
  /** Returns exactly these bytes; ranges may be requested in any order. */
  readonly read: (position: number, length: number) => Promise<Buffer>
}

const PIECE_BYTES = 64 * 1024

/** The bytes from first to last, chunk by chunk. */
export async function* chunksOf({ bytes, read }: ByteSource): AsyncGenerator<Buffer> {
  for (let position = 0; position < bytes; position += PIECE_BYTES) {
    const length = Math.min(PIECE_BYTES, bytes - position)
    const piece = await read(position, length)
    if (piece.length !== length) throw new Error(`Byte ${position + piece.length} of the file cannot be read`)
    yield piece
  }
}

/** Lets other pending work run, so that reading a file never blocks the process for long. */
export const yieldToEventLoop = (): Promise<void> => setImmediate()
