// Workbooks of the same kinds that nobody had sent yet: whatever a parser keeps, in numbers and in length.
import { ITEM_COLUMNS, READ, numbered, repeated, type HostileFile } from './hostile-file.ts'
import {
  HEADER,
  RELATIONS,
  SHEET,
  STYLES,
  TEXTS,
  WORKBOOK,
  hidden,
  relations,
  rowXml,
  sheet,
  sheetNames,
  workbook,
} from './workbook.ts'

type Described = Pick<HostileFile, 'name' | 'what' | 'times' | 'outcome'> & {
  readonly parts: (times: number) => Parameters<typeof workbook>[0]
}

const sheetsXml = (sheets: string): string => `<workbook><sheets>${sheets}</sheets></workbook>`

const FILES: readonly Described[] = [
  {
    name: 'sparse rows',
    what: 'rows that name the last of 16,384 columns alone',
    times: { full: 3_000_000, small: 500 },
    parts: (times) => ({
      [SHEET]: sheet([
        rowXml([...ITEM_COLUMNS, ...Array.from({ length: 16_374 }, (_, no) => `metadata.m${no}`)]),
        ...repeated('<row><c r="XFC"><v>1</v></c></row>', times),
      ]),
    }),
    outcome: /rows times columns|^read: /,
  },
  {
    name: 'error cells',
    what: 'one cell with an error, again and again in a row',
    times: { full: 10_000_000, small: 60_000 },
    parts: (times) => ({
      [SHEET]: hidden(
        times * 32,
        ['<sheetData>', HEADER, '<row>'],
        repeated('<c r="A2" t="e"><v>#N/A</v></c>', times),
        ['</row></sheetData></worksheet>'],
      ),
    }),
    outcome: /^read: |has more than 1048576 characters/,
  },
  {
    name: 'error texts',
    what: 'errors of 32,000 characters',
    times: { full: 2_000, small: 50 },
    parts: (times) => ({
      [SHEET]: hidden(
        times * 32_030,
        ['<sheetData>', HEADER],
        repeated(`<row><c t="e"><v>${'x'.repeat(32_000)}</v></c></row>`, times),
        ['</sheetData></worksheet>'],
      ),
    }),
    outcome: READ,
  },
  {
    name: 'empty cells',
    what: 'cells that hold nothing, in one row',
    times: { full: 40_000_000, small: 400_000 },
    parts: (times) => ({
      [SHEET]: hidden(times * 4, ['<sheetData>', HEADER, '<row>'], repeated('<c/>', times), [
        '</row></sheetData></worksheet>',
      ]),
    }),
    outcome: READ,
  },
  {
    name: 'empty rows',
    what: 'rows that hold nothing, below the header',
    times: { full: 15_000_000, small: 300_000 },
    parts: (times) => ({
      [SHEET]: hidden(times * 6, ['<sheetData>', HEADER], repeated('<row/>', times), ['</sheetData></worksheet>']),
    }),
    outcome: READ,
  },
  {
    name: 'pieces of a text',
    what: 'a shared text of pieces',
    times: { full: 8_000_000, small: 200_000 },
    parts: (times) => ({
      [TEXTS]: hidden(times * 17, ['<si>'], repeated('<r><t>aa</t></r>', times), ['</si></worksheet>']),
    }),
    outcome: /more than 32767 characters/,
  },
  {
    name: 'short texts',
    what: 'shared texts of one character',
    times: { full: 12_000_000, small: 100_000 },
    parts: (times) => ({ [TEXTS]: hidden(times * 17, repeated('<si><t>a</t></si>', times), ['</worksheet>']) }),
    outcome: /^read: |more than 4194304 different texts/,
  },
  {
    name: 'format codes',
    what: 'format codes of 255 brackets, without number',
    times: { full: 60_000, small: 6_000 },
    parts: (times) => ({
      [STYLES]: [
        '<styleSheet><numFmts>',
        numbered(times, (no) => `<numFmt numFmtId="${200 + no}" formatCode="${'['.repeat(255)}"/>`),
        `</numFmts><cellXfs>${numbered(1000, (no) => `<xf numFmtId="${200 + no}"/>`)}</cellXfs></styleSheet>`,
      ],
    }),
    outcome: /number formats/,
  },
  {
    name: 'defined names',
    what: 'names that nobody reads, in the workbook',
    times: { full: 3_000_000, small: 50_000 },
    parts: (times) => ({
      [WORKBOOK]: [
        ...hidden(times * 17, repeated('<definedName r:id="x"/>', times)),
        '<sheets><sheet name="Orders" r:id="rId1"/></sheets></worksheet>',
      ],
    }),
    outcome: /^read: |unpacks from/,
  },
  {
    name: 'relations',
    what: 'relations to parts that are not there',
    times: { full: 300_000, small: 20_000 },
    parts: (times) => ({
      [RELATIONS]: relations(numbered(times, (no) => `<Relationship Id="y${no}" Type="t" Target="q${no}"/>`)),
    }),
    outcome: /more than 10000 relations/,
  },
  {
    name: 'sheet name',
    what: 'the name of a sheet',
    times: { full: 500_000, small: 100_000 },
    parts: (times) => ({ [WORKBOOK]: sheetNames(['n'.repeat(times)]) }),
    outcome: /name of a sheet/,
  },
  {
    name: 'sheets of white space',
    what: '1,000 sheets, each of a megabyte of white space',
    times: { full: 1_000, small: 60 },
    parts: (times) => ({
      [WORKBOOK]: sheetsXml(numbered(times, (no) => `<sheet name="a${no}" r:id="s${no}"/>`)),
      [RELATIONS]: relations(
        numbered(times, (no) => `<Relationship Id="s${no}" Type="o/worksheet" Target="worksheets/s${no}.xml"/>`),
      ),
      ...Object.fromEntries(
        Array.from({ length: times }, (_, no) => [
          `xl/worksheets/s${no}.xml`,
          `<worksheet>${'<q> </q>'.repeat(125_000)}</worksheet>`,
        ]),
      ),
    }),
    outcome: /unpack to more than|No sheet/,
  },
  {
    name: 'spelled characters',
    what: 'texts of characters by their numbers, as workbooks spell them',
    times: { full: 4_600, small: 4_600 },
    parts: (times) => ({
      [SHEET]: sheet([HEADER, ...repeated('<row><c t="s"><v>0</v></c></row>', 3_000)]),
      [TEXTS]: `<sst><si><t>${'_x005F_'.repeat(times)}</t></si></sst>`,
    }),
    outcome: /^read: |characters in its cells/,
  },
  {
    name: 'digits',
    what: 'numbers of 32,000 digits',
    times: { full: 3_000, small: 50 },
    parts: (times) => ({
      [SHEET]: hidden(
        times * 32_100,
        ['<sheetData>', HEADER],
        repeated(`<row><c><v>${'9'.repeat(32_000)}</v></c></row>`, times),
        ['</sheetData></worksheet>'],
      ),
    }),
    outcome: READ,
  },
  {
    name: 'column letters',
    what: 'references of many letters',
    times: { full: 3_000, small: 100 },
    parts: (times) => ({
      [SHEET]: hidden(
        times * 60_000,
        ['<sheetData>', HEADER],
        repeated(`<row><c r="${'Z'.repeat(60_000)}"><v>1</v></c></row>`, times),
        ['</sheetData></worksheet>'],
      ),
    }),
    outcome: READ,
  },
]

export const OTHER_WORKBOOKS: readonly HostileFile[] = FILES.map(({ parts, ...file }) => ({
  ...file,
  format: 'xlsx',
  before: null,
  make: (times) => workbook(parts(times)),
}))
