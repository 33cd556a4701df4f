// Workbooks as spreadsheets save them, made part by part.
import { strToU8, zipSync } from 'fflate'

/** A text, a number, a day to be shown as such, an error, a truth, or a formula with the value that it had. */
export type Cell =
  | string
  | number
  | boolean
  | null
  | { readonly day: string }
  | { readonly error: string }
  | { readonly inline: string }
  | { readonly formula: string; readonly value: string | number }

export interface WorkbookOptions {
  readonly countsFrom1904?: boolean
  /** Further sheets, by name. */
  readonly more?: Readonly<Record<string, readonly (readonly Cell[])[]>>
}

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
const RELATION = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

/** The parts of a workbook by their names. */
export function workbookParts(
  rows: readonly (readonly Cell[])[],
  options: WorkbookOptions = {},
): Record<string, string> {
  const sheets = Object.entries({ Orders: rows, ...options.more })
  const texts: string[] = []
  const parts = sheets.map(
    ([, ofSheet], at) => [`xl/worksheets/sheet${at + 1}.xml`, sheetXml(ofSheet, texts, options)] as const,
  )
  const relations = [
    ...sheets.map((_, at) => ['worksheet', `worksheets/sheet${at + 1}.xml`] as const),
    ['styles', '/xl/styles.xml'] as const,
    ['sharedStrings', 'sharedStrings.xml'] as const,
  ].map(([type, target], at) => `<Relationship Id="rId${at + 1}" Type="${RELATION}/${type}" Target="${target}"/>`)
  const names = sheets.map(([name], at) => `<sheet name="${escaped(name)}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`)
  const from1904 = options.countsFrom1904 ? '<workbookPr date1904="1"/>' : ''
  return {
    'xl/workbook.xml':
      `${XML}<workbook ${MAIN} xmlns:r="${RELATION}">${from1904}` + `<sheets>${names.join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `${XML}<Relationships>${relations.join('')}</Relationships>`,
    'xl/styles.xml':
      `${XML}<styleSheet ${MAIN}><numFmts><numFmt numFmtId="164" formatCode="dd\\.mm\\.yyyy"/></numFmts>` +
      '<cellStyleXfs><xf numFmtId="14"/></cellStyleXfs>' +
      '<cellXfs><xf numFmtId="0"/><xf numFmtId="164"/></cellXfs></styleSheet>',
    ...Object.fromEntries(parts),
    'xl/sharedStrings.xml': `${XML}<sst ${MAIN}>${texts.map(textXml).join('')}</sst>`,
  }
}

export const workbookOf = (rows: readonly (readonly Cell[])[], options: WorkbookOptions = {}): Buffer =>
  zipOf(workbookParts(rows, options))

export const zipOf = (parts: Readonly<Record<string, string>>): Buffer =>
  Buffer.from(zipSync(Object.fromEntries(Object.entries(parts).map(([name, text]) => [name, strToU8(text)]))))

const textXml = (text: string): string => `<si><t xml:space="preserve">${escaped(text)}</t></si>`

function sheetXml(rows: readonly (readonly Cell[])[], texts: string[], options: WorkbookOptions): string {
  const lines = rows.map((cells, row) => {
    const written = cells.map((cell, column) => cellXml(cell, `${columnName(column)}${row + 1}`, texts, options))
    return cells.length === 0 ? '' : `<row r="${row + 1}">${written.join('')}</row>`
  })
  return `${XML}<worksheet ${MAIN}><sheetData>${lines.join('')}</sheetData></worksheet>`
}

function cellXml(cell: Cell, reference: string, texts: string[], options: WorkbookOptions): string {
  if (cell === null || cell === '') return ''
  if (typeof cell === 'number') return `<c r="${reference}"><v>${cell}</v></c>`
  if (typeof cell === 'boolean') return `<c r="${reference}" t="b"><v>${Number(cell)}</v></c>`
  if (typeof cell === 'string') return `<c r="${reference}" t="s"><v>${texts.push(cell) - 1}</v></c>`
  if ('day' in cell) return `<c r="${reference}" s="1"><v>${serialOf(cell.day, options)}</v></c>`
  if ('error' in cell) return `<c r="${reference}" t="e"><v>${cell.error}</v></c>`
  if ('inline' in cell) return `<c r="${reference}" t="inlineStr"><is><t>${escaped(cell.inline)}</t></is></c>`
  const type = typeof cell.value === 'string' ? ' t="str"' : ''
  return `<c r="${reference}"${type}><f>${escaped(cell.formula)}</f><v>${escaped(String(cell.value))}</v></c>`
}

const DAY_MS = 86_400_000

const serialOf = (day: string, { countsFrom1904 }: WorkbookOptions): number =>
  (Date.parse(day) - (countsFrom1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, 30))) / DAY_MS

const columnName = (column: number): string =>
  column < 26 ? String.fromCharCode(65 + column) : columnName(Math.floor(column / 26) - 1) + columnName(column % 26)

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
