// What a workbook says of its sheets: their names, which numbers are shown as days, and from when days are counted.
import { readSharedStrings, NO_TEXTS, type Texts } from './shared-strings.ts'
import { parseWholeXml } from './read-xml.ts'
import { openZip, type Zip } from './read-zip.ts'
import { UnreadableFile } from './row.ts'
import type { Source } from './source.ts'

export interface Workbook {
  readonly zip: Zip
  /** The parts that hold the sheets, by name, in their sequence. */
  readonly sheets: ReadonlyMap<string, string>
  readonly texts: Texts
  /** By the number of a cell's style: whether it shows a number as a day. */
  readonly showsDay: readonly boolean[]
  readonly countsFrom1904: boolean
}

const WORKBOOK = 'xl/workbook.xml'
const RELATIONS = 'xl/_rels/workbook.xml.rels'

/** @throws UnreadableFile where the file is no workbook, or damaged */
export async function openWorkbook(source: Source): Promise<Workbook> {
  const zip = await openZip(source)
  if (!zip.has(WORKBOOK)) throw new UnreadableFile('The file is a ZIP file, but no XLSX workbook')
  const { sheets, countsFrom1904 } = await readWorkbook(zip)
  const targets = await readRelations(zip)
  const partOf = (type: string) => targets.find((one) => one.type.endsWith(`/${type}`) && zip.has(one.part))?.part
  const [texts, styles] = [partOf('sharedStrings'), partOf('styles')]
  return {
    zip,
    sheets: new Map(
      sheets.flatMap(({ name, id }) => targets.filter((one) => one.id === id).map(({ part }) => [name, part] as const)),
    ),
    texts: texts ? await readSharedStrings(zip.read(texts)) : NO_TEXTS,
    showsDay: styles ? await readStyles(zip, styles) : [],
    countsFrom1904,
  }
}

async function readWorkbook(zip: Zip) {
  const sheets: { readonly name: string; readonly id: string }[] = []
  let countsFrom1904 = false
  await parseWholeXml(zip.read(WORKBOOK), {
    open: (element, attributes) => {
      const { name, date1904 } = attributes
      const id = Object.entries(attributes).find(([key]) => key.endsWith(':id'))?.[1]
      if (element === 'sheet' && name !== undefined && id !== undefined) sheets.push({ name, id })
      if (element === 'workbookPr') countsFrom1904 = date1904 === '1' || date1904 === 'true'
    },
  })
  return { sheets, countsFrom1904 }
}

async function readRelations(zip: Zip) {
  const targets: { readonly id: string; readonly type: string; readonly part: string }[] = []
  await parseWholeXml(zip.read(RELATIONS), {
    open: (element, { Id: id = '', Type: type = '', Target: target = '' }) => {
      if (element === 'Relationship')
        targets.push({ id, type, part: target.startsWith('/') ? target.slice(1) : `xl/${target}` })
    },
  })
  return targets
}

async function readStyles(zip: Zip, part: string): Promise<readonly boolean[]> {
  const codes = new Map<string, string>()
  const formats: string[] = []
  let isInCells = false
  await parseWholeXml(zip.read(part), {
    open: (element, { numFmtId = '0', formatCode = '' }) => {
      if (element === 'numFmt') codes.set(numFmtId, formatCode)
      if (element === 'cellXfs') isInCells = true
      if (element === 'xf' && isInCells) formats.push(numFmtId)
    },
    close: (element) => {
      if (element === 'cellXfs') isInCells = false
    },
  })
  return formats.map((id) => isDayCode(codes.get(id)) ?? DAY_FORMATS.has(Number(id)))
}

/** The formats of days among those that need no code in the file. */
const DAY_FORMATS: ReadonlySet<number> = new Set([
  14, 15, 16, 17, 22, 27, 28, 29, 30, 31, 36, 50, 51, 52, 53, 54, 57, 58,
])

/** Whether a code like `dd.mm.yyyy` shows a day; undefined without a code. */
function isDayCode(code: string | undefined): boolean | undefined {
  if (code === undefined) return undefined
  const bare = code.replace(/"[^"]*"|\[[^\]]*\]|\\./g, '').toLowerCase()
  return /[yd]/.test(bare) || (bare.includes('m') && !/[hs]/.test(bare))
}
