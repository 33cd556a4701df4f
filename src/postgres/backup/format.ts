// The form of a backup before it is compressed: frames, each of a kind and a length, so that it is written and read
// as it flows. First what it is, then table by table what COPY says in text, last what must come out of it.

/** `about`: once, first. `table`: which one the data after it belongs to. `manifest`: once, last. */
export type FrameKind = 'about' | 'table' | 'data' | 'manifest'

export interface Frame {
  readonly kind: FrameKind
  readonly payload: Buffer
}

export interface BackupHeader {
  readonly format: 'cradle-backup'
  readonly version: 1
  /** Version of the program that wrote it, and of the server that it read. */
  readonly cradle: string
  readonly postgresql: string
  readonly taken_at: string
  readonly migrations: readonly { readonly number: number; readonly name: string; readonly checksum: string }[]
}

export interface TableFrame {
  readonly name: string
  readonly columns: readonly string[]
}

export interface Manifest {
  readonly tables: readonly TableSum[]
  readonly sequences: readonly SequenceState[]
}

export interface TableSum {
  readonly name: string
  readonly rows: number
  /** SHA-256, in hexadecimal, of what COPY says of all rows in the sequence of the primary key. */
  readonly sha256: string
}

export interface SequenceState {
  readonly table: string
  readonly column: string
  readonly last_value: string
  readonly is_called: boolean
}

const KINDS: Readonly<Record<FrameKind, number>> = { about: 0x41, table: 0x54, data: 0x44, manifest: 0x4d }
const HEADER_BYTES = 5
/** Far above what the driver hands over at once; what says more is no backup. */
const PAYLOAD_BYTES_MAX = 64 * 1024 * 1024

export function encodeFrame(kind: FrameKind, payload: Buffer): Buffer {
  const header = Buffer.alloc(HEADER_BYTES)
  header.writeUInt8(KINDS[kind])
  header.writeUInt32BE(payload.length, 1)
  return Buffer.concat([header, payload])
}

export const encodeJsonFrame = (kind: FrameKind, value: BackupHeader | TableFrame | Manifest): Buffer =>
  encodeFrame(kind, Buffer.from(JSON.stringify(value)))

/** @throws Error with a sentence where the bytes are no frames, or end within one */
export async function* decodeFrames(chunks: AsyncIterable<Buffer>): AsyncGenerator<Frame> {
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of chunks) {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    for (
      let length = lengthOf(rest);
      length !== null && rest.length >= HEADER_BYTES + length;
      length = lengthOf(rest)
    ) {
      yield { kind: kindOf(rest), payload: rest.subarray(HEADER_BYTES, HEADER_BYTES + length) }
      rest = rest.subarray(HEADER_BYTES + length)
    }
  }
  if (rest.length > 0) throw new Error('it ends in the middle')
}

function lengthOf(bytes: Buffer): number | null {
  if (bytes.length < HEADER_BYTES) return null
  const length = bytes.readUInt32BE(1)
  if (length > PAYLOAD_BYTES_MAX) throw new Error('it is not in the form of a backup')
  return length
}

function kindOf(bytes: Buffer): FrameKind {
  const found = Object.entries(KINDS).find(([, code]) => code === bytes[0])
  if (!found) throw new Error('it is not in the form of a backup')
  return found[0] as FrameKind
}
