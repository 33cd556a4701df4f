// ZIP files as no program writes them: parts that unpack to hundreds of megabytes, entries that lie or share data.
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createDeflateRaw, crc32 } from 'node:zlib'
import type { MadeFile } from './hostile-file.ts'

/** A text, or its pieces, of which there may be hundreds of megabytes. */
export type Content = string | Iterable<string | Buffer>

export interface PackedPart {
  readonly packed: Buffer
  readonly crc: number
  readonly bytes: number
}

export async function pack(content: Content): Promise<PackedPart> {
  const deflate = createDeflateRaw({ level: 9 })
  const packed: Buffer[] = []
  deflate.on('data', (piece: Buffer) => packed.push(piece))
  let [crc, bytes] = [0, 0]
  for (const piece of typeof content === 'string' ? [content] : content) {
    const buffer = Buffer.from(piece)
    crc = crc32(buffer, crc)
    bytes += buffer.length
    if (!deflate.write(buffer)) await once(deflate, 'drain')
  }
  deflate.end()
  await once(deflate, 'end')
  return { packed: Buffer.concat(packed), crc, bytes }
}

export interface Entry {
  readonly name: string
  readonly part: PackedPart
  /** In the list of parts. */
  readonly extra?: Buffer
  /** What the list says that the part unpacks to. */
  readonly bytesSaid?: number
}

export interface ZipLies {
  readonly entryCount?: bigint
  readonly listOffset?: number
}

/** Entries of one part share its bytes. */
export function zipOfEntries(entries: readonly Entry[], { entryCount, listOffset }: ZipLies = {}): MadeFile {
  const pieces: Buffer[] = []
  const places = new Map<PackedPart, number>()
  let at = 0
  const add = (...more: readonly Buffer[]) => {
    pieces.push(...more)
    for (const { length } of more) at += length
  }
  for (const { name, part } of entries) {
    if (places.has(part)) continue
    places.set(part, at)
    const fields = Buffer.alloc(30)
    fields.writeUInt32LE(0x04034b50, 0)
    writeSizes(fields, 4, part, part.bytes)
    fields.writeUInt16LE(name.length, 26)
    add(fields, Buffer.from(name), part.packed)
  }
  const listAt = listOffset ?? at
  const listBegin = at
  for (const { name, part, extra = Buffer.alloc(0), bytesSaid = part.bytes } of entries) {
    const fields = Buffer.alloc(46)
    fields.writeUInt32LE(0x02014b50, 0)
    writeSizes(fields, 6, part, bytesSaid)
    fields.writeUInt16LE(name.length, 28)
    fields.writeUInt16LE(extra.length, 30)
    fields.writeUInt32LE(places.get(part)!, 42)
    add(fields, Buffer.from(name), extra)
  }
  const list = { count: entries.length, at: listAt, bytes: at - listBegin }
  if (entryCount !== undefined) add(...zip64End(entryCount, list, at))
  add(endOf(list, entryCount !== undefined))
  return { bytes: Buffer.concat(pieces), unpacked: [...places.keys()].reduce((sum, part) => sum + part.bytes, 0) }
}

interface List {
  readonly count: number
  readonly at: number
  readonly bytes: number
}

/** The members that a local header and one of the list have in common. */
function writeSizes(fields: Buffer, at: number, { packed, crc }: PackedPart, bytes: number): void {
  fields.writeUInt16LE(20, at)
  fields.writeUInt16LE(8, at + 4)
  fields.writeUInt32LE(crc, at + 10)
  fields.writeUInt32LE(packed.length, at + 14)
  fields.writeUInt32LE(bytes, at + 18)
}

function endOf({ count, at, bytes }: List, isZip64: boolean): Buffer {
  const fields = Buffer.alloc(22)
  fields.writeUInt32LE(0x06054b50, 0)
  fields.writeUInt16LE(isZip64 ? 0xffff : count, 8)
  fields.writeUInt16LE(isZip64 ? 0xffff : count, 10)
  fields.writeUInt32LE(bytes, 12)
  fields.writeUInt32LE(isZip64 ? 0xffffffff : at, 16)
  return fields
}

function zip64End(count: bigint, { at, bytes }: List, recordAt: number): readonly Buffer[] {
  const record = Buffer.alloc(56)
  record.writeUInt32LE(0x06064b50, 0)
  record.writeBigUInt64LE(44n, 4)
  record.writeBigUInt64LE(count, 24)
  record.writeBigUInt64LE(count, 32)
  record.writeBigUInt64LE(BigInt(bytes), 40)
  record.writeBigUInt64LE(BigInt(at), 48)
  const locator = Buffer.alloc(20)
  locator.writeUInt32LE(0x07064b50, 0)
  locator.writeBigUInt64LE(BigInt(recordAt), 8)
  locator.writeUInt32LE(1, 16)
  return [record, locator]
}

/** Bytes that no program packs, the same each time. */
export const noiseOf = (bytes: number): string =>
  createHash('shake256', { outputLength: Math.ceil(bytes) })
    .update('noise')
    .digest('hex')
