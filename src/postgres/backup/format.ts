// The format of a backup before compression: a stream of frames, each with a kind and a length. First a description of
// the backup, then for each table its COPY text, and last the manifest with the expected result.

/** `about`: once, first. `table`: names the table of the data frames that follow. `manifest`: once, last. */
export type FrameKind = 'about' | 'table' | 'data' | 'manifest'

export interface Frame {
  readonly kind: FrameKind
  readonly payload: Buffer
}

export interface BackupHeader {
  readonly format: 'cradle-backup'
  readonly version: 1
  /** Version of the Cradle that wrote the backup; below, the version of the database server it was read from. */
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
  /** SHA-256, in hexadecimal, of the COPY text of all rows in primary-key order. */
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
/** Far more than the driver delivers in one chunk; a larger length means that the file is not a backup. */
const PAYLOAD_BYTES_MAX = 64 * 1024 * 1024

export function encodeFrame(kind: FrameKind, payload: Buffer): Buffer {
  const header = Buffer.alloc(HEADER_BYTES)
  header.writeUInt8(KINDS[kind])
  header.writeUInt32BE(payload.length, 1)
  return Buffer.concat([header, payload])
}

export const encodeJsonFrame = (kind: FrameKind, value: BackupHeader | TableFrame | Manifest): Buffer =>
  encodeFrame(kind, Buffer.from(JSON.stringify(value)))

/** @throws Error with a sentence if the bytes are not frames, or end within a frame */
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
  const kind = Object.entries(KINDS).find(([, code]) => code === bytes[0])
  if (!kind) throw new Error('it is not in the form of a backup')
  return kind[0] as FrameKind
}
