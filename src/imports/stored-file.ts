// Reads a stored file at any position: the file is compressed in pieces, which are decompressed and joined here.
import { promisify } from 'node:util'
import { zstdCompress, zstdDecompress } from 'node:zlib'
import type { ByteSource } from '../spreadsheets/byte-source.ts'

/** Size of a piece before compression. A file of 1 GB has a thousand of them. */
export const CHUNK_BYTES = 2 ** 20

/** Pieces cached in memory: a workbook is read alternately at two positions. */
const KEPT_MAX = 4

const compress = promisify(zstdCompress)
const decompress = promisify(zstdDecompress)

export const compressChunk = (bytes: Buffer): Promise<Buffer> => compress(bytes)

export interface ChunkedFile extends ByteSource {
  /** Bytes of the file that were needed so far, in complete pieces. */
  readonly bytesSeen: () => number
}

export function openChunkedFile(bytes: number, findPiece: (no: number) => Promise<Buffer>): ChunkedFile {
  const seen = new Set<number>()
  const chunks = new Map<number, Promise<Buffer>>()
  const pieceOf = (no: number): Promise<Buffer> => {
    const piece = chunks.get(no) ?? findPiece(no).then((packed) => decompress(packed))
    seen.add(no)
    // Moves the piece to the end, so that the least recently used piece is removed first.
    chunks.delete(no)
    chunks.set(no, piece)
    if (chunks.size > KEPT_MAX) chunks.delete(chunks.keys().next().value!)
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
