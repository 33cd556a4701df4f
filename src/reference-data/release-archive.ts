// Reads a release from a gzipped tar archive (POSIX ustar, with the long names of pax and GNU tar), into memory only.
import { readFileSync, statSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'

/** Some twenty times the shipped release: what is larger is none. */
const LIMITS = { archiveBytes: 32 * 2 ** 20, inflatedBytes: 128 * 2 ** 20, entries: 2_000 }
export type ArchiveLimits = typeof LIMITS

const BLOCK = 512
/** Bytes of a header, as [start, end]. */
const FIELDS = { name: [0, 100], size: [124, 136], checksum: [148, 156], prefix: [345, 500] } as const
const TYPE_AT = 156
const SPACE = 0x20

/** What is refused names what it is: links and devices could lead to files outside the archive. */
const REFUSED: Readonly<Record<string, string>> = {
  '1': 'a link',
  '2': 'a link',
  '3': 'a device',
  '4': 'a device',
  '6': 'a pipe',
}

interface Entry {
  readonly name: string
  readonly type: string
  readonly content: Buffer
}

/**
 * The files of an archive by their paths below the directory that has `root` in it.
 * @param root name of a file that every release has
 * @throws Error for an archive that is larger than the limits, damaged, or has anything but files and directories
 */
export function readArchive(path: string, root: string, limits: ArchiveLimits = LIMITS): ReadonlyMap<string, string> {
  if (statSync(path).size > limits.archiveBytes)
    throw new Error(`The archive is larger than ${limits.archiveBytes} bytes`)
  const files = new Map<string, string>()
  for (const { name, type, content } of entriesIn(inflate(readFileSync(path), limits), limits.entries)) {
    if (isOutside(name)) throw new Error(`The archive has the path "${name}", which leads out of it`)
    const refused = REFUSED[type]
    if (refused !== undefined) throw new Error(`"${name}" in the archive is ${refused}; it may have files alone`)
    if (type !== '0') continue
    const file = name.split('/').filter(isStep).join('/')
    if (files.has(file)) throw new Error(`The archive has "${file}" twice`)
    files.set(file, content.toString('utf8'))
  }
  const directories = [...files.keys()]
    .filter((file) => file === root || file.endsWith(`/${root}`))
    .map((file) => file.slice(0, -root.length))
    .toSorted((a, b) => a.length - b.length)
  const [directory] = directories
  if (directory === undefined) throw new Error(`The archive has no file ${root}`)
  return new Map(
    [...files]
      .filter(([file]) => file.startsWith(directory))
      .map(([file, text]) => [file.slice(directory.length), text]),
  )
}

function inflate(bytes: Buffer, { inflatedBytes }: ArchiveLimits): Buffer {
  try {
    return gunzipSync(bytes, { maxOutputLength: inflatedBytes })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE')
      throw new Error(`The archive is larger than ${inflatedBytes} bytes when it is unpacked`, { cause: error })
    throw new Error('The file is no archive that gzip compressed, or it is damaged', { cause: error })
  }
}

const isStep = (part: string): boolean => part !== '' && part !== '.'

const isOutside = (name: string): boolean =>
  name.startsWith('/') || name.includes('\\') || /^[a-z]:/i.test(name) || name.split('/').includes('..')

function* entriesIn(tar: Buffer, entriesMax: number): Generator<Entry> {
  /** Of the next entry, as an entry before it says. */
  let longName: string | null = null
  let count = 0
  for (let at = 0; at + BLOCK <= tar.length;) {
    const header = tar.subarray(at, at + BLOCK)
    if (header.every((byte) => byte === 0)) return
    count += 1
    if (count > entriesMax) throw new Error(`The archive has more than ${entriesMax} entries`)
    checkSum(header)
    const size = numberIn(header, 'size')
    const content = tar.subarray(at + BLOCK, at + BLOCK + size)
    if (content.length < size) throw damaged()
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK
    const type = String.fromCharCode(header[TYPE_AT]!).replace('\0', '0')
    if (type === 'x') longName = paxPath(content) ?? longName
    else if (type === 'L') longName = content.toString('utf8').replace(/\0+$/, '')
    else {
      yield { name: longName ?? nameIn(header), type, content }
      longName = null
    }
  }
  throw damaged()
}

const damaged = (): Error => new Error('The archive is damaged, or no tar archive')

const textIn = (header: Buffer, field: keyof typeof FIELDS): string => {
  const [start, end] = FIELDS[field]
  return header.toString('utf8', start, end).replace(/\0.*$/s, '')
}

/** Octal digits; the base-256 form of files above 8 GiB is not read. */
function numberIn(header: Buffer, field: 'size' | 'checksum'): number {
  const digits = textIn(header, field).trim()
  if (!/^[0-7]+$/.test(digits)) throw damaged()
  return parseInt(digits, 8)
}

function nameIn(header: Buffer): string {
  const prefix = header.toString('latin1', 257, 262) === 'ustar' ? textIn(header, 'prefix') : ''
  return prefix === '' ? textIn(header, 'name') : `${prefix}/${textIn(header, 'name')}`
}

/** The sum of all bytes of the header, in which those of the sum itself count as spaces. */
function checkSum(header: Buffer): void {
  const [start, end] = FIELDS.checksum
  const sum = header.reduce((total, byte, at) => total + (at >= start && at < end ? SPACE : byte), 0)
  if (sum !== numberIn(header, 'checksum')) throw damaged()
}

/** Records of the form "length key=value\n"; only a path concerns this reader. */
function paxPath(content: Buffer): string | null {
  for (let at = 0; at < content.length;) {
    const length = parseInt(content.toString('latin1', at, at + 20), 10)
    if (!(length > 0) || at + length > content.length) throw damaged()
    const record = content.toString('utf8', at, at + length - 1)
    const value = /^\d+ (path|size)=(.*)$/s.exec(record)
    if (value?.[1] === 'size') throw damaged()
    if (value) return value[2]!
    at += length
  }
  return null
}
