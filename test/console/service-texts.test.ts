// Whatever the service says in English the console says in German: each text that it can be made to say.
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { TYPE, type MessageFormatElement } from '@formatjs/icu-messageformat-parser/no-parser.js'
import { CATALOGUE_FILE, MESSAGE_FILES, merged } from '../../console/src/service-texts/german-files.ts'
import { translateMessage, type ServiceMessage } from '../../console/src/service-texts/messages.ts'
import { DECOMMISSIONING_TYPES, DEVICE_EVENT_TYPES, isDecommissioning } from '../../src/engine/device-event-types.ts'
import { describeLine } from '../../src/engine/explanation/calculation.ts'
import { DEVICE_TYPES, TRANSPORT_MODES } from '../../src/engine/reference/reference-data.ts'
import { parseMessages } from '../../scripts/parse-messages.ts'
import { SENTENCES } from '../../src/statement-pdf/sentences-de.ts'
import { shippedReferenceData } from '../shipped-book.ts'
import { explainedLines, fallbackFootprints, messagesOfLine, ofMatches, ofReports } from './said-texts.ts'
import { ofFiles, ofProblems } from './said-faults.ts'

const { referenceData } = shippedReferenceData()

const MESSAGES = merged(MESSAGE_FILES.map((file) => parseMessages(readFileSync(file, 'utf8'))))
const inGerman = (one: ServiceMessage): string | null => translateMessage(one, MESSAGES, 'de')

test('an error of an order or a file, and how a file is read, has a German text, whatever it is', async () => {
  const said = [...ofProblems(), ...(await ofFiles())]
  assert.ok(new Set(said.map(({ code }) => code)).size > 45)
  assert.deepEqual(
    said.filter((one) => inGerman(one) === null).map(({ message }) => message),
    [],
  )
})

test('each transport, packaging and material of the catalogue has a German name, and nothing else has', () => {
  const names = JSON.parse(readFileSync(CATALOGUE_FILE, 'utf8')) as Readonly<Record<string, string>>
  const { transports, packagings } = referenceData
  const ids = [
    ...[...transports.keys()].map((id) => `transportation:${id}`),
    ...[...packagings.keys()].map((id) => `packaging:${id}`),
    ...[...packagings.values()].map(({ material }) => `material:${material}`),
  ]
  assert.deepEqual(Object.keys(names).sort(), [...new Set(ids)].sort())
  assert.ok(Object.values(names).every((name) => /^[^{}]+$/.test(name)))
})

/** The values that each choice among texts of a message has a text for. */
const choicesIn = (elements: readonly MessageFormatElement[]): readonly ReadonlySet<string>[] =>
  elements.flatMap((element) => {
    if (element.type !== TYPE.select && element.type !== TYPE.plural) return []
    const within = Object.values(element.options).flatMap(({ value }) => choicesIn(value))
    return element.type === TYPE.select ? [new Set(Object.keys(element.options)), ...within] : within
  })

const choices = Object.values(MESSAGES).flatMap((text) => (typeof text === 'string' ? [] : choicesIn(text)))

const LISTS: Readonly<Record<string, readonly string[]>> = {
  'mode of transport': TRANSPORT_MODES,
  'type of device': DEVICE_TYPES,
  // Some texts are of these events alone.
  'event that takes a device out of service': DECOMMISSIONING_TYPES,
  'other event on a device': DEVICE_EVENT_TYPES.filter((type) => !isDecommissioning({ type })),
}

for (const [what, values] of Object.entries(LISTS)) {
  test(`a text that depends on the ${what} has German words for each`, () => {
    const dependent = choices.filter((choice) => values.some((value) => choice.has(value)))
    assert.ok(dependent.length > 1)
    for (const choice of dependent)
      assert.ok(
        values.every((value) => choice.has(value)),
        [...choice].join(', '),
      )
  })
}

const lines = [...explainedLines(referenceData)]

/** Each kind of message with those that the service makes of it. */
const made = {
  'a line, or a note or error of it': lines.flatMap(messagesOfLine),
  'a reason of a match': ofMatches(referenceData),
  'a reason of a report': ofReports(),
}

for (const [what, messages] of Object.entries(made)) {
  test(`${what} has a German text, whatever values it has`, () => {
    const all = new Map([...messages].map((one) => [one.message, one]))
    assert.ok(all.size > 10)
    assert.deepEqual(
      [...all.values()].filter((one) => inGerman(one) === null).map(({ message }) => message),
      [],
    )
  })
}

test('a fallback has a German name that says so, and no article', () => {
  const names = fallbackFootprints(referenceData).map(({ name, fallbackName }) => {
    assert.equal(fallbackName?.message, name)
    return inGerman(fallbackName) ?? name
  })
  assert.ok(names.length > 10)
  assert.deepEqual(
    names.filter((name) => !/^Ersatzwert: \p{Lu}/u.test(name)),
    [],
  )
})

/** The messages that the console has for values of the API's lists. */
const VALUES = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../console/src/api-values/messages.de.json'), 'utf8'),
) as Readonly<Record<string, string>>

test('a line has the same description as its message', () => {
  for (const { line } of lines) assert.equal(describeLine(line).message, line.description)
})

test('each input, origin and unit of a calculation has a name in the console', () => {
  const keys = lines.flatMap(({ calculation: { inputs, factors } }) => [
    ...inputs.filter(({ years }) => !years).map(({ name }) => `input_${name}`),
    ...inputs.map(({ from }) => `origin_${from}`),
    ...[...inputs, ...factors].filter(({ unit }) => unit !== '1').map(({ unit }) => `unit_${unit}`),
  ])
  assert.deepEqual(
    [...new Set(keys)].filter((key) => !Object.hasOwn(VALUES, key)),
    [],
  )
})

test('a sentence that a statement says too is said in the same words', () => {
  const same = [...ofReports()].filter(({ message }) => SENTENCES.has(message))
  assert.ok(same.length > 4)
  for (const one of same) assert.equal(inGerman(one), SENTENCES.get(one.message))
})
