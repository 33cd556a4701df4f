// The texts of a workbook, each kept once as bytes: a million of them are no million objects.
import { unescapeFormula } from './cells.ts'
import { CELL_LENGTH_MAX, TEXTS_BYTES_MAX, TEXTS_MAX } from './limits.ts'
import { parseWholeXml } from './read-xml.ts'
import { UnreadableFile } from './row.ts'

export interface SharedStrings {
  /** A text by its number, from 0; undefined where there is none. */
  readonly at: (number: number) => string | undefined
}

const BLOCK_BYTES = 1024 * 1024
const LENGTH_BYTES = 4
/** In memory, of the place of a text. */
const PLACE_BYTES = 8

/** @throws UnreadableFile where there is more text than is taken into memory */
export async function readSharedStrings(pieces: AsyncIterable<Buffer>): Promise<SharedStrings> {
  const store = createStore()
  let text = ''
  let [isText, isPhonetic] = [false, false]
  await parseWholeXml(pieces, {
    open: (name) => {
      if (name === 'si') text = ''
      isText = name === 't'
      isPhonetic ||= name === 'rPh'
    },
    text: (part) => {
      if (isText && !isPhonetic && text.length <= CELL_LENGTH_MAX) text += part
    },
    close: (name) => {
      isText = false
      if (name === 'rPh') isPhonetic = false
      if (name === 'si') store.add(plainText(text))
    },
  })
  return store
}

export const NO_SHARED_STRINGS: SharedStrings = { at: () => undefined }

/** Workbooks spell a character that XML cannot hold by its number; half of one that takes two is none. */
const NUMBERED = /_x([0-9A-CE-Fa-ce-f][0-9A-Fa-f]{3}|[Dd][0-7][0-9A-Fa-f]{2})_/g

export const plainText = (text: string): string =>
  unescapeFormula(
    text.includes('_x') ? text.replace(NUMBERED, (_, code: string) => String.fromCharCode(parseInt(code, 16))) : text,
  )

/** Texts in blocks of bytes, each behind its length. */
function createStore() {
  const blocks: Buffer[] = []
  /** Block and place of each text, as one number. */
  const places: number[] = []
  let used = BLOCK_BYTES
  const bytes = (): number => blocks.length * BLOCK_BYTES + places.length * PLACE_BYTES
  const add = (text: string): void => {
    const length = Buffer.byteLength(text)
    if (text.length > CELL_LENGTH_MAX) {
      const message = `A text of the workbook has more than ${CELL_LENGTH_MAX} characters`
      throw new UnreadableFile(message)
    }
    if (bytes() > TEXTS_BYTES_MAX) {
      const message = `The texts of the workbook take more than ${TEXTS_BYTES_MAX} bytes; save the sheet as CSV`
      throw new UnreadableFile(message)
    }
    if (places.length >= TEXTS_MAX) {
      const message = `The workbook lists more than ${TEXTS_MAX} different texts; save the sheet as CSV`
      throw new UnreadableFile(message)
    }
    if (used + LENGTH_BYTES + length > BLOCK_BYTES) {
      blocks.push(Buffer.allocUnsafeSlow(BLOCK_BYTES))
      used = 0
    }
    const block = blocks.at(-1)!
    places.push((blocks.length - 1) * BLOCK_BYTES + used)
    block.writeUInt32LE(length, used)
    block.write(text, used + LENGTH_BYTES)
    used += LENGTH_BYTES + length
  }
  const at = (number: number): string | undefined => {
    const place = places[number]
    if (place === undefined) return undefined
    const block = blocks[Math.floor(place / BLOCK_BYTES)]!
    const start = (place % BLOCK_BYTES) + LENGTH_BYTES
    return block.toString('utf8', start, start + block.readUInt32LE(start - LENGTH_BYTES))
  }
  return { add, at }
}
