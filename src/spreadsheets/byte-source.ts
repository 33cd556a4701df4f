// Where the bytes of a file come from: pieces in a database, a file on disk, or memory.
import { setImmediate } from 'node:timers/promises'

export interface ByteSource {
  /** How many there are. */
  readonly bytes: number
  /** These bytes, all of them, in whatever sequence they are asked for. */
  readonly read: (position: number, length: number) => Promise<Buffer>
}

const PIECE_BYTES = 64 * 1024

/** The bytes from the first to the last, piece by piece. */
export async function* chunksOf({ bytes, read }: ByteSource): AsyncGenerator<Buffer> {
  for (let position = 0; position < bytes; position += PIECE_BYTES) {
    const length = Math.min(PIECE_BYTES, bytes - position)
    const piece = await read(position, length)
    if (piece.length !== length) throw new Error(`Byte ${position + piece.length} of the file cannot be read`)
    yield piece
  }
}

/** Lets whatever else waits run first: reading a file never holds the process for long. */
export const yieldToEventLoop = (): Promise<void> => setImmediate()
