// Reads bytea values as raw bytes by binary COPY; in a query result they would arrive as hexadecimal text.
import { finished } from 'node:stream/promises'
import { to as copyTo } from 'pg-copy-streams'
import type { Connection } from './transaction.ts'

/**
 * PostgreSQL's binary COPY header: a signature of 11 bytes, then 4 bytes of flags and 4 bytes for the length of an
 * extension.
 */
const SIGNATURE_BYTES = 11
/** Stands in place of a field count and marks the end of the data. */
const TRAILER = -1

/**
 * Yields the values of a query's only column as bytes. No value may be null.
 * @param query without parameters: COPY takes none
 */
export async function* copyBinary(connection: Connection, query: string): AsyncGenerator<Buffer> {
  const stream = connection.query(copyTo(`copy (${query}) to stdout (format binary)`))
  const ended = finished(stream)
  ended.catch(() => undefined)
  try {
    yield* valuesIn(stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>)
  } finally {
    // The connection cannot run another query until all COPY data has been received.
    stream.resume()
    await ended
  }
}

async function* valuesIn(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let rest: Buffer[] = []
  let length = 0
  let isBegun = false
  for await (const piece of pieces) {
    rest.push(piece)
    length += piece.length
    if (isBegun && length < needed(rest)) continue
    const bytes = rest.length === 1 ? rest[0]! : Buffer.concat(rest)
    let at = 0
    if (!isBegun && bytes.length >= SIGNATURE_BYTES + 8) {
      at = SIGNATURE_BYTES + 8 + bytes.readInt32BE(SIGNATURE_BYTES + 4)
      isBegun = true
    }
    while (isBegun && bytes.length - at >= 6 && bytes.readInt16BE(at) !== TRAILER) {
      const end = at + 6 + bytes.readInt32BE(at + 2)
      if (end > bytes.length) break
      yield bytes.subarray(at + 6, end)
      at = end
    }
    rest = at === bytes.length ? [] : [bytes.subarray(at)]
    length = bytes.length - at
  }
}

/** The size of the first value with its field count and length, as far as the first piece shows it. */
const needed = ([first]: readonly Buffer[]): number => (first!.length < 6 ? 0 : 6 + first!.readInt32BE(2))
