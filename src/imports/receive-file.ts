// A file on its way in: stored piece by piece, looked at once it is whole, and from then on worked on until it is done.
import { createHash } from 'node:crypto'
import { invalid, type Failure } from '../http/requests/failure.ts'
import type { ReceivedFile, SentFile } from '../http/imports/imports.ts'
import { FILE_BYTES_MAX, FILE_TOO_LARGE } from '../http/requests/uploads.ts'
import type { ImportKey } from '../postgres/imports/import-record.ts'
import type { Imports } from '../postgres/imports/imports.ts'
import { detectSettings } from '../tables/detect-settings.ts'
import { parseJson } from './parse-json.ts'
import { PIECE_BYTES, packPiece, pieceSource } from './piece-source.ts'

/**
 * Nothing of a file stays that cannot be read as it is, or breaks off.
 * @throws whatever its content or the database fails with
 */
export async function receiveFile(imports: Imports, accountId: number, file: SentFile): Promise<ReceivedFile> {
  const key = await imports.begin(accountId, file)
  try {
    const received = await storeAndLook(imports, key, file)
    if (!received.ok) await imports.drop(key)
    return received
  } catch (error) {
    // Where this fails too, what is left is swept away later.
    await imports.drop(key).catch(() => undefined)
    throw error
  }
}

async function storeAndLook(
  imports: Imports,
  key: ImportKey,
  { content, fileName, asked }: SentFile,
): Promise<ReceivedFile> {
  const stored = await storePieces(imports, key, content)
  if (stored.bytes > FILE_BYTES_MAX) throw FILE_TOO_LARGE
  if (stored.bytes === 0) return refused('Is empty')
  const source = pieceSource(stored.bytes, (no) => imports.piece(key, no))
  const found = await detectSettings(source, fileName, asked, parseJson)
  if (!found.ok) return found
  const isAccepted = await imports.accept(key, {
    ...stored,
    settings: JSON.stringify(found.settings),
    detected: JSON.stringify({ evidence: found.evidence, columns: found.columns }),
  })
  if (!isAccepted) throw givenUp()
  return { ok: true, key }
}

const givenUp = (): Failure =>
  invalid([{ path: '', message: 'The file came in so slowly that it was given up; send it in several' }])

const refused = (message: string): ReceivedFile => ({ ok: false, problems: [{ path: '', message }] })

/** Stops with the first byte that is too many. */
async function storePieces(imports: Imports, key: ImportKey, content: AsyncIterable<Buffer>) {
  const sha256 = createHash('sha256')
  let bytes = 0
  let no = 0
  for await (const piece of inPieces(content)) {
    bytes += piece.length
    if (bytes > FILE_BYTES_MAX) break
    sha256.update(piece)
    if (!(await imports.addPiece(key, no, await packPiece(piece)))) throw givenUp()
    no += 1
  }
  return { bytes, sha256: sha256.digest() }
}

/** Pieces of one size, the last one shorter; each is to be done with before the next is asked for. */
async function* inPieces(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  // Filled, not gathered: a sender may send a byte at a time.
  const piece = Buffer.alloc(PIECE_BYTES)
  let length = 0
  for await (const chunk of content) {
    for (let at = 0; at < chunk.length;) {
      const copied = chunk.copy(piece, length, at)
      at += copied
      length += copied
      if (length < PIECE_BYTES) continue
      yield piece
      length = 0
    }
    giveBack(chunk)
  }
  if (length > 0) yield piece.subarray(0, length)
}

/** Left to be collected, some 50 MB of what was read would stand: what is no part of the heap hardly fills it. */
function giveBack({ buffer, byteLength }: Buffer): void {
  // Others may look at a buffer of which this is but a part.
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0)
}
