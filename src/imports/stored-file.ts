// A file in pieces, read at any place: what was sent is compressed piece by piece and put together again here.
import { promisify } from 'node:util'
import { zstdCompress, zstdDecompress } from 'node:zlib'
import type { ByteSource } from '../spreadsheets/byte-source.ts'

/** Of a piece before it is compressed. A file of 1 GB has a thousand of them. */
export const CHUNK_BYTES = 2 ** 20

/** Pieces kept in memory: a workbook is read in two places by turns. */
const KEPT_MAX = 4

const compress = promisify(zstdCompress)
const decompress = promisify(zstdDecompress)

export const compressChunk = (bytes: Buffer): Promise<Buffer> => compress(bytes)

export interface ChunkedFile extends ByteSource {
  /** Of the file, by whole pieces, that were needed by now. */
  readonly bytesSeen: () => number
}

export function openChunkedFile(bytes: number, findPiece: (no: number) => Promise<Buffer>): ChunkedFile {
  const seen = new Set<number>()
  const kept = new Map<number, Promise<Buffer>>()
  const pieceOf = (no: number): Promise<Buffer> => {
    const piece = kept.get(no) ?? findPiece(no).then((packed) => decompress(packed))
    seen.add(no)
    // The one that was used last is the last to go.
    kept.delete(no)
    kept.set(no, piece)
    if (kept.size > KEPT_MAX) kept.delete(kept.keys().next().value!)
    return piece
  }
  const read = async (position: number, length: number): Promise<Buffer> => {
    const end = Math.min(position + length, bytes)
    const parts: Buffer[] = []
    for (let at = position; at < end;) {
      const piece = await pieceOf(Math.floor(at / CHUNK_BYTES))
      const from = at % CHUNK_BYTES
      const part = piece.subarray(from, Math.min(piece.length, from + end - at))
      if (part.length === 0) throw new Error('A piece of the file is shorter than it was')
      parts.push(part)
      at += part.length
    }
    return parts.length === 1 ? parts[0]! : Buffer.concat(parts)
  }
  return { bytes, read, bytesSeen: () => Math.min(bytes, seen.size * CHUNK_BYTES) }
}
