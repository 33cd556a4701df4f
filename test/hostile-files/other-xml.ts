// XML of workbooks of the same kinds that nobody had sent yet: one thing in it that is long.
import { numbered, repeated, type HostileFile } from './hostile-file.ts'
import { SHEET, TEXTS, hidden, workbook } from './workbook.ts'

type Described = Pick<HostileFile, 'name' | 'what' | 'times' | 'outcome'> & {
  readonly parts: (times: number) => Parameters<typeof workbook>[0]
}

const TOO_LONG = /characters in or between two tags/

const FILES: readonly Described[] = [
  {
    name: 'attributes',
    what: 'attributes of one element',
    times: { full: 5_000_000, small: 100_000 },
    parts: (times) => ({
      [SHEET]: hidden(
        times * 11,
        ['<row '],
        [numbered(Math.min(times, 30_000), (no) => `a${no}="" `)],
        repeated('b="x" ', times),
      ),
    }),
    outcome: /256 attributes/,
  },
  {
    name: 'instruction',
    what: 'one processing instruction',
    times: { full: 200_000_000, small: 4_000_000 },
    parts: (times) => ({ [SHEET]: hidden(times, ['<?a '], repeated('a', times), ['?>']) }),
    outcome: TOO_LONG,
  },
  {
    name: 'tag name',
    what: 'one name of an element',
    times: { full: 200_000_000, small: 4_000_000 },
    parts: (times) => ({ [SHEET]: hidden(times, ['<'], repeated('a', times), ['>']) }),
    outcome: TOO_LONG,
  },
  {
    name: 'entities',
    what: 'one text of characters by their numbers',
    times: { full: 40_000_000, small: 800_000 },
    parts: (times) => ({
      [SHEET]: hidden(times * 5, ['<sheetData><row><c t="str"><v>'], repeated('&#65;', times), ['</v></c></row>']),
    }),
    outcome: TOO_LONG,
  },
  {
    name: 'open entity',
    what: 'an entity that does not end',
    times: { full: 200_000_000, small: 4_000_000 },
    parts: (times) => ({ [SHEET]: hidden(times, ['<sheetData><row><c><v>&'], repeated('a', times)) }),
    outcome: TOO_LONG,
  },
  {
    name: 'CDATA',
    what: 'one section of characters',
    times: { full: 200_000_000, small: 4_000_000 },
    parts: (times) => ({ [SHEET]: hidden(times, ['<q><![CDATA['], repeated('a', times), [']]></q></worksheet>']) }),
    outcome: TOO_LONG,
  },
  {
    name: 'document type',
    what: 'a document type that does not end',
    times: { full: 200_000_000, small: 4_000_000 },
    parts: (times) => ({ [TEXTS]: hidden(0, ['<!DOCTYPE a ['], repeated(`<!ENTITY a "b">`, times / 15)) }),
    outcome: /document type|damaged|unpacks from|two tags/,
  },
]

export const OTHER_XML: readonly HostileFile[] = FILES.map(({ parts, ...file }) => ({
  ...file,
  format: 'xlsx',
  before: null,
  make: (times) => workbook(parts(times)),
}))
