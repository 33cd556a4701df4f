// A workbook of which single parts are hostile.
import { ITEM_COLUMNS, itemCells, type MadeFile } from './hostile-file.ts'
import { noiseOf, pack, zipOfEntries, type Content, type Entry } from './zip-file.ts'

export const SHEET = 'xl/worksheets/sheet1.xml'
export const STYLES = 'xl/styles.xml'
export const TEXTS = 'xl/sharedStrings.xml'
export const WORKBOOK = 'xl/workbook.xml'
export const RELATIONS = 'xl/_rels/workbook.xml.rels'

export const sheetNames = (names: readonly string[]): string =>
  `<workbook xmlns:r="r"><sheets>${names
    .map((name, at) => `<sheet name="${name}" sheetId="${at + 1}" r:id="rId1"/>`)
    .join('')}</sheets></workbook>`

const OWN_RELATIONS =
  '<Relationship Id="rId1" Type="o/worksheet" Target="worksheets/sheet1.xml"/>' +
  '<Relationship Id="rId2" Type="o/styles" Target="styles.xml"/>' +
  '<Relationship Id="rId3" Type="o/sharedStrings" Target="sharedStrings.xml"/>'

export const relations = (more = ''): string => `<Relationships>${OWN_RELATIONS}${more}</Relationships>`

/** A row in texts of its own. */
export const rowXml = (cells: readonly string[]): string =>
  `<row>${cells.map((cell) => `<c t="inlineStr"><is><t>${cell}</t></is></c>`).join('')}</row>`

export const HEADER = rowXml(ITEM_COLUMNS)

/** Sound rows from the second on: more than are looked at to find out how the file is read. */
export function* soundRows(count: number): Generator<string> {
  for (let no = 2; no < 2 + count; no += 1) yield rowXml(itemCells(no))
}

const PARTS: Readonly<Record<string, Content>> = {
  '[Content_Types].xml': '<Types/>',
  [WORKBOOK]: sheetNames(['Orders']),
  [RELATIONS]: relations(),
  [SHEET]: sheet([HEADER, rowXml(itemCells(2))]),
  [STYLES]: '<styleSheet><cellXfs><xf numFmtId="0"/></cellXfs></styleSheet>',
  [TEXTS]: '<sst/>',
}

export function* sheet(rows: Iterable<string>): Generator<string> {
  yield '<worksheet><sheetData>'
  yield* rows
  yield '</sheetData></worksheet>'
}

export async function entriesOf(parts: Readonly<Record<string, Content>>): Promise<readonly Entry[]> {
  const entries: Entry[] = []
  const all = { ...PARTS, [SHEET]: sheet([HEADER, rowXml(itemCells(2))]), ...parts }
  for (const [name, content] of Object.entries(all)) entries.push({ name, part: await pack(content) })
  return entries
}

export const workbook = async (parts: Readonly<Record<string, Content>>): Promise<MadeFile> =>
  zipOfEntries(await entriesOf(parts))

const COMMENT_BYTES = 100_000

/** Noise in short comments, with an element after each: what is packed beside it seems packed less than it is. */
export function* comments(bytes: number): Generator<string> {
  const noise = noiseOf(bytes)
  for (let at = 0; at < noise.length; at += COMMENT_BYTES) yield `<!--${noise.slice(at, at + COMMENT_BYTES)}--><q/>`
}

/** As much noise as so many bytes need, to be packed to no less than a three-hundredth. */
export const hiding = (bytes: number): Generator<string> => comments(Math.ceil(bytes / 280))

/** A sheet that begins with noise, as much as what follows needs to be packed as if it were none. */
export function* hidden(bytes: number, ...all: readonly Iterable<string>[]): Generator<string> {
  yield '<worksheet>'
  yield* hiding(bytes)
  for (const one of all) yield* one
}
