// Workbooks of the penetration test: what ended the process, or held it for a minute.
import { ITEM_COLUMNS, repeated, type HostileFile } from './hostile-file.ts'
import {
  HEADER,
  RELATIONS,
  SHEET,
  STYLES,
  TEXTS,
  WORKBOOK,
  hiding,
  relations,
  rowXml,
  sheet,
  sheetNames,
  soundRows,
  workbook,
} from './workbook.ts'
import { noiseOf } from './zip-file.ts'

type Reported = Omit<HostileFile, 'format'>

/** A long row of columns with labels. */
const WIDE = rowXml([...ITEM_COLUMNS, ...Array.from({ length: 22 }, (_, at) => `metadata.m${at}`)])
const TEXT_LENGTH = 32_767
/** Rows that are looked at to find out how a file is read are not more. */
const SOUND_ROWS = 5_199

function* inSheet(rows: Iterable<string>, hidden: number): Generator<string> {
  yield '<worksheet>'
  yield* hiding(hidden)
  yield '<sheetData>'
  yield* rows
}

function* joined(...all: readonly Iterable<string>[]): Generator<string> {
  for (const one of all) yield* one
}

const FILES: readonly Reported[] = [
  {
    name: 'poison',
    what: '5,199 sound rows, then elements within each other',
    before: 'C1: crash loop that outlives restarts',
    times: { full: 35_000_000, small: 1_000_000 },
    make: (times) =>
      workbook({
        [SHEET]: inSheet(joined([HEADER], soundRows(SOUND_ROWS), repeated('<a>', times)), times * 3),
      }),
    outcome: /32 elements within each other/,
  },
  {
    name: 'amp',
    what: 'rows of 31 cells that all name one text of 32,767 characters',
    before: 'C2: process dead after 1.4 s',
    times: { full: 5_000, small: 200 },
    make: (times) =>
      workbook({
        [SHEET]: sheet(joined([WIDE], repeated(`<row>${'<c t="s"><v>0</v></c>'.repeat(31)}</row>`, times))),
        [TEXTS]: `<sst><si><t>${'z'.repeat(TEXT_LENGTH)}</t></si></sst>`,
      }),
    outcome: /characters in its cells/,
  },
  {
    name: 'nest',
    what: 'elements within each other',
    before: 'C2: process dead after 6 s',
    times: { full: 35_000_000, small: 1_000_000 },
    make: (times) => workbook({ [SHEET]: inSheet(repeated('<a>', times), times * 3) }),
    outcome: /32 elements within each other/,
  },
  {
    name: 'formats',
    what: 'formats of cells',
    before: 'C2: process dead after 34 s',
    times: { full: 120_000_000, small: 400_000 },
    make: (times) =>
      workbook({
        [STYLES]: joined(['<styleSheet><cellXfs>'], hiding(times * 5), repeated('<xf/>', times), [
          '</cellXfs></styleSheet>',
        ]),
      }),
    outcome: /cell formats|unpacks from/,
  },
  {
    name: 'shared',
    what: 'empty shared texts',
    before: 'C2: 588 MB',
    times: { full: 32_000_000, small: 100_000 },
    make: (times) => workbook({ [TEXTS]: joined(['<sst>'], hiding(times * 5), repeated('<si/>', times), ['</sst>']) }),
    outcome: /^read: |more than 4194304 different texts/,
  },
  {
    name: 'comment',
    what: 'one comment in the sheet, after noise in another',
    before: 'C2: 690 MB',
    times: { full: 500 * 2 ** 20, small: 4 * 2 ** 20 },
    make: (times) =>
      workbook({
        [SHEET]: joined(['<worksheet><!--', noiseOf(times / 280)], repeated('a', times), [
          '--><sheetData/></worksheet>',
        ]),
      }),
    outcome: /characters in or between two tags/,
  },
  {
    name: 'text',
    what: 'one text in a cell',
    before: 'C2: 572 MB',
    times: { full: 400 * 2 ** 20, small: 4 * 2 ** 20 },
    make: (times) =>
      workbook({ [SHEET]: inSheet(joined(['<row><c><q>'], repeated('a', times), ['</q></c></row>']), times) }),
    outcome: /characters in or between two tags/,
  },
  {
    name: 'attr',
    what: 'one attribute',
    before: 'C2: 583 MB',
    times: { full: 400 * 2 ** 20, small: 4 * 2 ** 20 },
    make: (times) => workbook({ [SHEET]: inSheet(joined(['<row a="'], repeated('a', times), ['"/>']), times) }),
    outcome: /characters in or between two tags/,
  },
  {
    name: 'formatCode',
    what: 'a format code of opening brackets',
    before: 'H1: 50.9 s at 300,000; some 10 min at 1,000,000 (estimate)',
    times: { full: 1_000_000, small: 200_000 },
    make: (times) =>
      workbook({
        [STYLES]:
          `<styleSheet><numFmts><numFmt numFmtId="200" formatCode="${'['.repeat(times)}"/></numFmts>` +
          '<cellXfs><xf numFmtId="200"/></cellXfs></styleSheet>',
      }),
    outcome: /^read: |in or between two tags/,
  },
  {
    name: 'quad',
    what: 'sheets, and as many relations',
    before: 'H1: 7.2 s at 40,000',
    times: { full: 40_000, small: 4_000 },
    make: (times) =>
      workbook({
        [WORKBOOK]: sheetNames(Array.from({ length: times }, (_, at) => `a${at}`)),
        [RELATIONS]: relations(
          Array.from({ length: times }, (_, at) => `<Relationship Id="y${at}" Type="t" Target="q"/>`).join(''),
        ),
      }),
    outcome: /more than 1000 sheets/,
  },
  {
    name: 'blank',
    what: '300 names of one sheet of empty elements',
    before: 'H4: a core for 300 × 280 MB, after the sender had gone, too',
    times: { full: 70_000_000, small: 9_000_000 },
    make: (times) =>
      workbook({
        [WORKBOOK]: sheetNames(Array.from({ length: 300 }, (_, at) => `a${at}`)),
        [SHEET]: joined(inSheet(repeated('<q/>', times), times * 4), ['</sheetData></worksheet>']),
      }),
    outcome: /has a row in the first/,
  },
  {
    name: 'amp2',
    what: 'rows of 31 cells that name 8 random texts of 32,767 characters, after 5,198 sound ones',
    before: 'H3: 5.4 GB on disk, 760 MB',
    times: { full: 4_000, small: 200 },
    make: (times) =>
      workbook({
        [SHEET]: sheet(joined([WIDE], soundRows(SOUND_ROWS - 1), repeated(LONG_ROW, times))),
        [TEXTS]: `<sst>${Array.from({ length: 8 }, (_, at) =>
          LONG_TEXTS.slice(at * TEXT_LENGTH, (at + 1) * TEXT_LENGTH),
        )
          .map((text) => `<si><t>${text}</t></si>`)
          .join('')}</sst>`,
      }),
    outcome: /characters in its cells/,
  },
]

const LONG_ROW = `<row>${Array.from({ length: 31 }, (_, at) => `<c t="s"><v>${at % 8}</v></c>`).join('')}</row>`
const LONG_TEXTS = noiseOf((8 * TEXT_LENGTH) / 2 + 1)

export const REPORTED_WORKBOOKS: readonly HostileFile[] = FILES.map((file) => ({ ...file, format: 'xlsx' }))
