// ZIP files that lie: of how many parts they have, where those are, and what they unpack to.
import { READ, repeated, type HostileFile } from './hostile-file.ts'
import { SHEET, TEXTS, comments, entriesOf } from './workbook.ts'
import { pack, zipOfEntries, type Entry, type ZipLies } from './zip-file.ts'

type Described = Pick<HostileFile, 'name' | 'what' | 'times' | 'outcome'> & {
  readonly entries: (times: number, sound: readonly Entry[]) => Promise<readonly Entry[]>
  readonly lies?: ZipLies
}

const many = (count: number, entryOf: (no: number) => Entry): readonly Entry[] =>
  Array.from({ length: count }, (_, no) => entryOf(no))

const same = (_: number, sound: readonly Entry[]): Promise<readonly Entry[]> => Promise.resolve(sound)

/** In place of a part of the sound ones. */
const instead = (sound: readonly Entry[], name: string, change: Partial<Entry>): readonly Entry[] =>
  sound.map((entry) => (entry.name === name ? { ...entry, ...change } : entry))

/** Deflate has blocks that hold nothing: so many of them, then the end. */
function emptyBlocks(count: number): Buffer {
  const blocks = Buffer.alloc(count * 5)
  for (let at = 0; at < count; at += 1) blocks.writeUInt16LE(0xffff, at * 5 + 3)
  return Buffer.concat([blocks, Buffer.from([1, 0, 0, 0xff, 0xff])])
}

const FILES: readonly Described[] = [
  {
    name: 'overlapping parts',
    what: 'parts that share their bytes',
    times: { full: 9_000, small: 2_000 },
    entries: async (times, sound) => {
      const part = await pack(repeated(' ', 1_000_000))
      return [...sound, ...many(times, (no) => ({ name: `xl/${no}.xml`, part }))]
    },
    outcome: /unpack to more than/,
  },
  {
    name: 'parts without number',
    what: 'empty parts',
    times: { full: 60_000, small: 12_000 },
    entries: async (times, sound) => {
      const part = await pack('')
      return [...sound, ...many(times, (no) => ({ name: `${no}`, part }))]
    },
    outcome: /more than 10000 parts/,
  },
  {
    name: 'long names of parts',
    what: 'parts with names of 60,000 characters',
    times: { full: 2_000, small: 100 },
    entries: async (times, sound) => {
      const part = await pack('')
      return [...sound, ...many(times, (no) => ({ name: `${no}${'n'.repeat(60_000)}`, part }))]
    },
    outcome: /names and comments/,
  },
  {
    name: 'extra fields',
    what: 'parts with 16,000 empty extra fields each',
    times: { full: 2_000, small: 60 },
    entries: async (times, sound) => {
      const part = await pack('')
      const extra = Buffer.from([0xca, 0xfe, 0, 0].flatMap((byte) => [byte]))
      const extras = Buffer.concat(Array.from({ length: 16_000 }, () => extra))
      return [...sound, ...many(times, (no) => ({ name: `${no}`, part, extra: extras }))]
    },
    outcome: /^read: |names and comments/,
  },
  {
    name: 'one name, again and again',
    what: 'the name of the sheet, 9,000 times',
    times: { full: 9_000, small: 3_000 },
    entries: (times, sound) => {
      const { part } = sound.find(({ name }) => name === SHEET)!
      return Promise.resolve([...sound, ...many(times, () => ({ name: SHEET, part }))])
    },
    outcome: READ,
  },
  {
    name: 'zip64 count',
    what: 'a list of a billion billion parts',
    times: { full: 1, small: 1 },
    entries: same,
    lies: { entryCount: 10n ** 18n },
    outcome: /more than 10000 parts|damaged/,
  },
  {
    name: 'zip64 count that is too small for its list',
    what: 'a list of more parts than there are',
    times: { full: 1, small: 1 },
    entries: same,
    lies: { entryCount: 9_999n },
    outcome: /damaged/,
  },
  {
    name: 'list beyond the end',
    what: 'a list of parts that begins behind the file',
    times: { full: 1, small: 1 },
    entries: same,
    lies: { listOffset: 4_000_000_000 },
    outcome: /damaged/,
  },
  {
    name: 'size that is not true',
    what: 'a sheet that says it unpacks to 1,000 bytes',
    times: { full: 200_000_000, small: 4_000_000 },
    entries: async (times, sound) =>
      instead(sound, SHEET, { part: await pack(repeated(' ', times)), bytesSaid: 1_000 }),
    outcome: /damaged/,
  },
  {
    name: 'empty blocks',
    what: 'texts that are packed into blocks that hold nothing',
    times: { full: 10_000_000, small: 300_000 },
    entries: (times, sound) =>
      Promise.resolve(instead(sound, TEXTS, { part: { packed: emptyBlocks(times), crc: 0, bytes: 0 } })),
    outcome: /damaged|read/,
  },
  {
    name: 'noise',
    what: 'comments in the sheet, none of them long',
    times: { full: 40_000_000, small: 1_000_000 },
    entries: async (times, sound) =>
      instead(sound, SHEET, { part: await pack(['<worksheet>', ...comments(times), '</worksheet>']) }),
    outcome: /No sheet/,
  },
]

export const ZIP_LIES: readonly HostileFile[] = FILES.map(({ entries, lies, ...file }) => ({
  ...file,
  format: 'xlsx',
  before: null,
  make: async (times) => zipOfEntries(await entries(times, await entriesOf({})), lies),
}))
