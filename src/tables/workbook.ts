// What a workbook says of its sheets: their names, which numbers are shown as days, and from when days are counted.
import {
  CELL_FORMATS_MAX,
  DESCRIPTION_BYTES_MAX,
  FORMAT_CODE_LENGTH_MAX,
  NAME_LENGTH_MAX,
  NUMBER_FORMATS_MAX,
  RELATIONS_MAX,
  SHEETS_MAX,
  SHEET_TEXT_FREE,
  SHEET_TEXT_RATIO_MAX,
  TEXTS_PART_BYTES_MAX,
} from './limits.ts'
import { readSharedStrings, NO_SHARED_STRINGS, type SharedStrings } from './shared-strings.ts'
import { parseWholeXml } from './read-xml.ts'
import { openZip, type Zip } from './read-zip.ts'
import { UnreadableFile } from './row.ts'
import type { ByteSource } from './source.ts'

export interface Workbook {
  readonly zip: Zip
  /** The parts that hold the sheets, by name, in their sequence. */
  readonly sheets: ReadonlyMap<string, string>
  readonly texts: SharedStrings
  /** Characters that all rows of a sheet may have, in all. */
  readonly textLengthMax: number
  /** By the number of a cell's style: whether it shows a number as a day. */
  readonly showsDay: readonly boolean[]
  readonly countsFrom1904: boolean
}

const WORKBOOK = 'xl/workbook.xml'
const RELATIONS = 'xl/_rels/workbook.xml.rels'

/** @throws UnreadableFile where the file is no workbook, is damaged, or has more in it than is read */
export async function openWorkbook(source: ByteSource): Promise<Workbook> {
  const zip = await openZip(source)
  if (!zip.has(WORKBOOK)) throw new UnreadableFile('The file is a ZIP file, but no XLSX workbook')
  const { sheets, countsFrom1904 } = await readWorkbook(zip)
  const { partOf, partOfType } = await readRelations(zip)
  const [texts, styles] = [partOfType.get('sharedStrings'), partOfType.get('styles')]
  return {
    zip,
    sheets: new Map(
      sheets.flatMap(({ name, id }) => {
        const part = partOf.get(id)
        return part === undefined ? [] : [[name, part] as const]
      }),
    ),
    texts: texts ? await readSharedStrings(zip.read(texts, TEXTS_PART_BYTES_MAX)) : NO_SHARED_STRINGS,
    textLengthMax: Math.max(SHEET_TEXT_FREE, source.bytes * SHEET_TEXT_RATIO_MAX),
    showsDay: styles ? await readStyles(zip, styles) : [],
    countsFrom1904,
  }
}

async function readWorkbook(zip: Zip) {
  const sheets: { readonly name: string; readonly id: string }[] = []
  let countsFrom1904 = false
  await parseWholeXml(zip.read(WORKBOOK, DESCRIPTION_BYTES_MAX), {
    open: (element, attributes) => {
      const { name, date1904 } = attributes
      if (element === 'workbookPr') countsFrom1904 = date1904 === '1' || date1904 === 'true'
      if (element !== 'sheet') return
      const id = Object.entries(attributes).find(([key]) => key.endsWith(':id'))?.[1]
      if (name === undefined || id === undefined) return
      refuseLong('name of a sheet', name)
      refuseLong('name of a relation', id)
      sheets.push({ name, id })
      refuseMany('sheets', sheets.length, SHEETS_MAX)
    },
  })
  return { sheets, countsFrom1904 }
}

/** The parts of the workbook: by the name of their relation, and the first that is there of each type. */
async function readRelations(zip: Zip) {
  const partOf = new Map<string, string>()
  const partOfType = new Map<string, string>()
  await parseWholeXml(zip.read(RELATIONS, DESCRIPTION_BYTES_MAX), {
    open: (element, { Id: id = '', Type: type = '', Target: target = '', TargetMode: mode }) => {
      // Addresses outside the file are as long as they please, and are none of its parts.
      if (element !== 'Relationship' || mode === 'External') return
      refuseLong('name of a relation', id)
      refuseLong('target of a relation', target)
      const part = target.startsWith('/') ? target.slice(1) : `xl/${target}`
      partOf.set(id, part)
      refuseMany('relations', partOf.size, RELATIONS_MAX)
      const shortType = type.slice(type.lastIndexOf('/') + 1)
      if (TYPES_READ.has(shortType) && !partOfType.has(shortType) && zip.has(part)) partOfType.set(shortType, part)
    },
  })
  return { partOf, partOfType }
}

const TYPES_READ: ReadonlySet<string> = new Set(['sharedStrings', 'styles'])

async function readStyles(zip: Zip, part: string): Promise<readonly boolean[]> {
  const isDayOf = new Map<number, boolean>()
  const formats: number[] = []
  let isInCells = false
  await parseWholeXml(zip.read(part, DESCRIPTION_BYTES_MAX), {
    open: (element, { numFmtId = '0', formatCode = '' }) => {
      if (element === 'numFmt') {
        isDayOf.set(Number(numFmtId), isDayCode(formatCode.slice(0, FORMAT_CODE_LENGTH_MAX)))
        refuseMany('number formats', isDayOf.size, NUMBER_FORMATS_MAX)
      }
      if (element === 'cellXfs') isInCells = true
      if (element !== 'xf' || !isInCells) return
      formats.push(Number(numFmtId))
      refuseMany('formats of cells', formats.length, CELL_FORMATS_MAX)
    },
    close: (element) => {
      if (element === 'cellXfs') isInCells = false
    },
  })
  return formats.map((id) => isDayOf.get(id) ?? DAY_FORMATS.has(id))
}

function refuseMany(what: string, count: number, max: number): void {
  if (count > max) throw new UnreadableFile(`The workbook has more than ${max} ${what}; save the sheet as CSV`)
}

function refuseLong(what: string, name: string): void {
  if (name.length <= NAME_LENGTH_MAX) return
  throw new UnreadableFile(`The ${what} in the workbook has ${name.length} characters, and may have ${NAME_LENGTH_MAX}`)
}

/** The formats of days among those that need no code in the file. */
const DAY_FORMATS: ReadonlySet<number> = new Set([
  14, 15, 16, 17, 22, 27, 28, 29, 30, 31, 36, 50, 51, 52, 53, 54, 57, 58,
])

/** What is quoted or in brackets in a code; what is not closed goes on to its end, so that it is read once. */
const QUOTED = /"[^"]*"?|\[[^\]]*\]?|\\.?/g

/** Whether a code like `dd.mm.yyyy` shows a day. */
function isDayCode(code: string): boolean {
  const bare = code.replace(QUOTED, '').toLowerCase()
  return /[yd]/.test(bare) || (bare.includes('m') && !/[hs]/.test(bare))
}
