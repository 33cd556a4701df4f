// Bytes out of the database as they are: in an answer to a query they would come as hexadecimal text.
import { finished } from 'node:stream/promises'
import { to as copyTo } from 'pg-copy-streams'
import type { Connection } from './transaction.ts'

/** Of a file in PostgreSQL's binary form: eleven bytes of signature, flags, and what its header is extended by. */
const SIGNATURE_BYTES = 11
/** In place of a number of fields: nothing comes any more. */
const TRAILER = -1

/**
 * The values of a query's only column, none of them null, as bytes.
 * @param query without parameters: COPY takes none
 */
export async function* copyBinary(connection: Connection, query: string): AsyncGenerator<Buffer> {
  const stream = connection.query(copyTo(`copy (${query}) to stdout (format binary)`))
  const ended = finished(stream)
  ended.catch(() => undefined)
  try {
    yield* valuesIn(stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>)
  } finally {
    // Until all of it has come, the connection cannot be asked for anything else.
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

/** What a value takes with the numbers before it, as far as the first piece tells. */
const needed = ([first]: readonly Buffer[]): number => (first!.length < 6 ? 0 : 6 + first!.readInt32BE(2))
