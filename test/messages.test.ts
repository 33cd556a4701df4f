// Messages with codes: each code means one thing, has a German text with the same values, and arrives at clients.
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from '@formatjs/icu-messageformat-parser'
import { MESSAGE_FILES, merged } from '../console/src/service-texts/german-files.ts'
import { translateMessage } from '../console/src/service-texts/messages.ts'
import { parseMessages } from '../scripts/parse-messages.ts'
import { ApiError, errorBody, invalidRequest } from '../src/contract/errors.ts'
import type { Message, MessageParams } from '../src/engine/message.ts'
import { EXPECTED, wrongValue } from '../src/contract/messages.ts'
import { ROUTE_MESSAGES } from '../src/http/messages.ts'

type Make = (params: MessageParams) => Message

const SRC = join(import.meta.dirname, '..', 'src')
const areas = await Promise.all(
  globSync('**/messages*.ts', { cwd: SRC, exclude: ['statement-pdf/**', 'cluster/**'] }).map(
    async (path) => (await import(join(SRC, path))) as Readonly<Record<string, unknown>>,
  ),
)
const makers = areas
  .flatMap((area) => Object.values(area))
  .filter((one): one is Readonly<Record<string, Make>> => typeof one === 'object' && one !== null)
  .flatMap((area) => Object.entries(area))
const german = MESSAGE_FILES.flatMap((file) =>
  Object.entries(JSON.parse(readFileSync(file, 'utf8')) as Readonly<Record<string, string>>),
)
const germanTexts: Readonly<Record<string, string>> = Object.fromEntries(german)
const TEXTS = merged(MESSAGE_FILES.map((file) => parseMessages(readFileSync(file, 'utf8'))))

/** The names of the values in the English sentence: those that are asked for while it is made. */
function namesIn(make: Make): readonly string[] {
  const asked = new Set<string>()
  make(new Proxy({}, { get: (_, name) => (asked.add(String(name)), '') }))
  return [...asked].sort()
}

type Elements = ReturnType<typeof parse>
/** Texts between arguments, and the number of a plural, as the parser numbers them: they name nothing. */
const NAMELESS: readonly Elements[number]['type'][] = [0, 7]

const argumentsOf = (elements: Elements): readonly string[] =>
  elements.flatMap((element) => {
    if (!('value' in element) || NAMELESS.includes(element.type)) return []
    const nested = 'options' in element ? Object.values(element.options).flatMap(({ value }) => argumentsOf(value)) : []
    return [element.value, ...nested]
  })

const namesInGerman = (text: string): readonly string[] =>
  [...new Set(argumentsOf(parse(text, { ignoreTag: true })))].sort()

const repeated = (codes: readonly string[]): readonly string[] => codes.filter((code, at) => codes.indexOf(code) < at)

test('a code is that of one message, in snake case', () => {
  const codes = makers.map(([code]) => code)
  assert.ok(codes.length > 150)
  assert.deepEqual(repeated(codes), [])
  assert.deepEqual(
    codes.filter((code) => !/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/.test(code)),
    [],
  )
})

test('each code has one German text, which names the values that the English sentence names', () => {
  assert.deepEqual(repeated(german.map(([code]) => code)), [])
  assert.deepEqual(Object.keys(germanTexts).sort(), makers.map(([code]) => code).sort())
  for (const [code, make] of makers) assert.deepEqual(namesInGerman(germanTexts[code]!), namesIn(make), code)
})

const wrongWeight = wrongValue(EXPECTED.expected_number_above({ min: 0, max: 40000 }), -1.25)

test('an error carries the code and the values of its sentence and of its problems', () => {
  const failure = invalidRequest([{ path: '/weight_kg', ...wrongWeight, suggestions: ['1'] }])
  const { reason, details } = JSON.parse(errorBody(failure, 'x')) as {
    readonly reason: Message
    readonly details: readonly Message[]
  }
  assert.equal(reason.code, 'invalid_input')
  assert.deepEqual(details, [
    {
      path: '/weight_kg',
      message: 'Must be a number greater than 0 and at most 40000; it is -1.25 (a number)',
      code: 'wrong_value',
      params: {
        expected: {
          message: 'Must be a number greater than 0 and at most 40000',
          code: 'expected_number_above',
          params: { min: 0, max: 40000 },
        },
        sent: { message: '-1.25 (a number)', code: 'sent_number', params: { value: -1.25 } },
      },
      suggestions: ['1'],
    },
  ])
  const unknown = new ApiError('not_found', ROUTE_MESSAGES.demo_fleet_unknown())
  assert.deepEqual(JSON.parse(errorBody(unknown, 'x')), {
    error: unknown.message,
    code: 'not_found',
    reason: { code: 'demo_fleet_unknown' },
    request_id: 'x',
  })
})

test('what arrives is put into German by its code, with numbers and days as German writes them', () => {
  const arrived = (body: string) => JSON.parse(body) as { readonly error: string; readonly reason: Message }
  const { error, reason } = arrived(errorBody(invalidRequest([{ path: '/weight_kg', ...wrongWeight }]), 'x'))
  assert.equal(
    translateMessage({ ...reason, message: error }, TEXTS, 'de'),
    'Ungültige Anfrage: /weight_kg: Muss eine Zahl größer als 0 und höchstens 40.000 sein; ' +
      'hier steht −1,25 (eine Zahl)',
  )
  const out = { message: '', code: 'rental_cut_before', params: { date: '2026-02-01', end: endOn('2026-01-31') } }
  assert.equal(translateMessage(out, TEXTS, 'de'), 'Das Gerät wurde am 31.01.2026 ausgemustert, vor dem 01.02.2026')
})

const endOn = (date: string) => ({ message: '', code: 'end_by_event', params: { type: 'retired', date } })

test('a message without a German text, or without a value that the text names, stays as it came', () => {
  const ofLater = { message: 'Is new', code: 'of_a_later_version' }
  assert.equal(translateMessage(ofLater, TEXTS, 'de'), null)
  assert.equal(translateMessage({ message: 'x', code: 'toString' }, TEXTS, 'de'), null)
  assert.equal(translateMessage({ message: 'x', code: 'scope_missing' }, TEXTS, 'de'), null)
  const around = { message: 'Invalid request: is new', code: 'invalid_input', params: { problem: ofLater } }
  assert.equal(translateMessage(around, TEXTS, 'de'), 'Ungültige Anfrage: Is new')
})

test('a German text counts, and names types and marks as German does', () => {
  const inGerman = (code: string, params: MessageParams) => translateMessage({ message: '', code, params }, TEXTS, 'de')
  assert.equal(
    inGerman('cells_written_so', { cells: 1, example: '1,5' }),
    '1 Zelle der ersten Zeilen ist so geschrieben, wie „1,5“',
  )
  assert.equal(inGerman('starts_with_brace', {}), 'sie beginnt mit „{“')
  assert.match(inGerman('file_type_unsupported', { type: '7z' })!, /^Die Datei ist ein 7z-Archiv; /)
  assert.match(inGerman('file_type_unsupported', { type: 'XML' })!, /^Die Datei ist vom Typ XML; /)
  assert.match(inGerman('row_too_long', { max: 1_048_576 })!, /1\.048\.576 Zeichen/)
})
