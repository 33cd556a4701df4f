// Product lines: where each was found, and against names whose types have sources (the catalogue, the known devices).
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parse } from 'csv-parse/sync'
import { shippedReferenceData } from '../../../test/shipped-book.ts'
import { brandKey } from '../reference/product-family.ts'
import { normalisedWords } from './brand.ts'
import { deviceTypeInText } from './device-type.ts'
import { indexLines, lineInWords } from './product-lines.ts'

const { referenceData, files } = shippedReferenceData()

test('no product line gives a model of the catalogue or a known device another type than its source', () => {
  const named = [...referenceData.models.values(), ...referenceData.knownDevices.values()]
  const found = named.flatMap(({ name, brand, type }) => {
    const words = normalisedWords(name)
    const line = lineInWords(words, brandKey(brand), referenceData.matching.lines)
    // A line counts only where no word tells the type.
    return line && deviceTypeInText(name, brandKey(brand), referenceData.matching) === null
      ? [{ name: `${brand} ${name}`, type, line: line.line.type, words: line.words }]
      : []
  })
  // Two-in-ones are laptops in some sources and tablets in others.
  const kindOf = (type: string) => (type === 'tablet' ? 'laptop' : type)
  const wrong = found.filter(({ type, line }) => kindOf(type) !== kindOf(line))
  assert.ok(found.length > named.length / 2, `${found.length} of ${named.length}`)
  assert.deepEqual(wrong, [])
})

interface Row {
  readonly brand: string
  readonly line: string
  readonly type: string
  readonly source: string
  readonly example: string
}

const rows: readonly Row[] = parse(files.get('matching/lines.csv')!, { columns: true })

const aliases = Map.groupBy(
  parse<{ model_id: string; alias: string }>(files.get('devices/aliases.csv')!, { columns: true }),
  ({ model_id: id }) => id,
)
const codes = new Map(
  parse<{ id: string; codes: string }>(files.get('devices/known-devices.csv')!, { columns: true }).map((one) => [
    one.id,
    one.codes.split(' '),
  ]),
)

/** The names of the device that an example of our own lists refers to; null if the list has no such device. */
function namesOf({ source, example, type, brand }: Row): readonly string[] | null {
  if (source !== 'device-models' && source !== 'known-devices') return [example]
  const device =
    source === 'device-models' ? referenceData.models.get(example) : referenceData.knownDevices.get(example)
  if (device?.type !== type || brandKey(device.brand) !== brandKey(brand)) return null
  const more = source === 'device-models' ? (aliases.get(example) ?? []).map(({ alias }) => alias) : codes.get(example)!
  return [device.name, ...more]
}

test('each line states where it was found and a name there that has it; our own lists state its type', () => {
  const wrong = rows.filter((row) => {
    if (row.source === 'vocabulary') return row.brand !== '' || row.example !== ''
    if (row.source === 'editors') return row.brand === '' || row.example !== ''
    const index = indexLines([{ brand: null, words: row.line, type: row.type, isOwnWord: true }])
    const names = namesOf(row)
    return !names?.some((name) => lineInWords(normalisedWords(name), null, index))
  })
  assert.deepEqual(wrong, [])
})

/** Lower it whenever a source is found for some of them: to add a line, find a list that has it. */
const OF_EDITORS_MAX = 2272

test('lines that nobody but the editors of the file states become no more', () => {
  const ofEditors = rows.filter(({ source }) => source === 'editors')
  assert.ok(ofEditors.length <= OF_EDITORS_MAX, `${ofEditors.length} lines`)
})
