// The parts of a workbook beside its sheets: what they are, how they hang together, and how cells are shown.
export const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
export const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

export const WORKBOOK = 'xl/workbook.xml'
export const WORKBOOK_RELATIONS = 'xl/_rels/workbook.xml.rels'
export const sheetPart = (number: number): string => `xl/worksheets/sheet${number}.xml`

/** How cells are shown, by their places among the formats. A text stays one when it is edited: so the format @ says. */
export const STYLE = { number: 0, text: 1, day: 2, time: 3, header: 4 } as const

const format = (id: number, font = 0): string =>
  `<xf numFmtId="${id}" fontId="${font}" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1"/>`
const font = (weight: string): string => `<font>${weight}<sz val="11"/><name val="Calibri"/></font>`

const STYLES =
  `${XML}<styleSheet xmlns="${MAIN}"><numFmts count="2"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/>` +
  '<numFmt numFmtId="165" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/></numFmts>' +
  `<fonts count="2">${font('')}${font('<b/>')}</fonts>` +
  '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill>' +
  '</fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>' +
  '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>' +
  `<cellXfs count="5">${format(0)}${format(49)}${format(164)}${format(165)}${format(49, 1)}</cellXfs>` +
  '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>'

/** The parts that are the same in all workbooks. Whatever ends in `.xml` is a sheet, but for these. */
export const FIXED_PARTS: readonly (readonly [name: string, xml: string])[] = [
  [
    '[Content_Types].xml',
    `${XML}<Types xmlns="${PACKAGE}/content-types">` +
      '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
      `<Default Extension="xml" ContentType="${TYPE}.worksheet+xml"/>` +
      `<Override PartName="/${WORKBOOK}" ContentType="${TYPE}.sheet.main+xml"/>` +
      `<Override PartName="/xl/styles.xml" ContentType="${TYPE}.styles+xml"/></Types>`,
  ],
  ['_rels/.rels', relations([['officeDocument', WORKBOOK]])],
  ['xl/styles.xml', STYLES],
]

function relations(targets: readonly (readonly [type: string, target: string])[]): string {
  const all = targets.map(
    ([type, target], at) => `<Relationship Id="rId${at + 1}" Type="${OFFICE}/${type}" Target="${target}"/>`,
  )
  return `${XML}<Relationships xmlns="${PACKAGE}/relationships">${all.join('')}</Relationships>`
}

/** @param titles of the sheets in their sequence, none of which needs to be escaped */
export function workbookXml(titles: readonly string[]): string {
  const sheets = titles.map((title, at) => `<sheet name="${title}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`)
  return `${XML}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets>${sheets.join('')}</sheets></workbook>`
}

export const workbookRelations = (titles: readonly string[]): string =>
  relations([
    ...titles.map((_, at) => ['worksheet', `worksheets/sheet${at + 1}.xml`] as const),
    ['styles', 'styles.xml'] as const,
  ])
