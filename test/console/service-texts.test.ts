// Whatever the service says in English the console says in German: each text that it can be made to say, and each
// sentence that its source has.
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { FILES, KINDS, MESSAGE_FILES, joined, merged } from '../../console/src/service-texts/german.ts'
import { translateMessage } from '../../console/src/service-texts/messages.ts'
import { createTranslate, readTemplate, type Templates } from '../../console/src/service-texts/templates.ts'
import { parseMessages } from '../../scripts/parse-messages.ts'
import { SENTENCES } from '../../src/statement-pdf/sentences-de.ts'
import { shippedReferenceData } from '../shipped-book.ts'
import { ofCalculations, ofCatalogue, ofMatches, ofReports, standInNames, type SaidText } from './said-texts.ts'
import { ofFiles, ofProblems } from './said-faults.ts'
import { GAP, isSentence, textsIn } from './source-sentences.ts'

const { referenceData } = shippedReferenceData()
const TEMPLATES = joined(FILES.map((file) => JSON.parse(readFileSync(file, 'utf8')) as Templates))
const translations = Object.entries(TEMPLATES).flatMap(([kind, own]) =>
  Object.entries(own).map(([text, translation]) => ({ kind, ...readTemplate(text, translation) })),
)

const used = new Set<string>()
const translate = createTranslate(TEMPLATES, KINDS, ({ text }) => used.add(text))

const untranslated = (said: Iterable<SaidText>): readonly string[] => [
  ...new Set([...said].filter(({ text, kind }) => translate(text, kind) === null).map(({ text }) => text)),
]

/** Each kind of text with those of it that have no German. */
const missing = {
  'a line, or what its “Why?” shows': untranslated(ofCalculations(referenceData)),
  'a reason of a match': untranslated(ofMatches(referenceData)),
  'a transport, a packaging or the error of a sheet': untranslated(ofCatalogue(referenceData)),
  'a reason of a report': untranslated(ofReports()),
}

for (const [what, texts] of Object.entries(missing)) {
  test(`${what} has a German text, whatever it is`, () => assert.deepEqual(texts, []))
}

test('an error of an order or a file, and how a file is read, has a German text, whatever it is', async () => {
  const messages = merged(MESSAGE_FILES.map((file) => parseMessages(readFileSync(file, 'utf8'))))
  const said = [...ofProblems(), ...(await ofFiles())]
  assert.ok(new Set(said.map(({ code }) => code)).size > 45)
  assert.deepEqual(
    said.filter((one) => translateMessage(one, messages, 'de') === null).map(({ message }) => message),
    [],
  )
})

test('whatever stands in for a model is called so, not taken for a model’s name', () => {
  const taken = standInNames(referenceData).filter(
    (name) => !translate(`Embodied emission of ${name}`)?.includes('Ersatzwert'),
  )
  assert.deepEqual(taken, [])
})

/** Without the messages that have codes: their texts are found by these. */
const source = textsIn(
  'src/{*.ts,{contract,http,imports,ledger,spreadsheets,strict-json,engine,reporting,workers}/**/*.ts}',
).filter(({ file }) => !/\/messages(-\w+)?\.ts$/.test(file))

/** Of these the console asks nothing that could be refused so, or shows no answer. */
const NOT_ASKED = [
  /^src\/ledger\/verification\/.*\.ts$/,
  /^src\/(workers\/job-worker|strict-json\/(exact-tree|decoder))\.ts$/,
  /^src\/spreadsheets\/(write-.*|error-file|stored-messages|export-table|chunks)\.ts$/,
  // Names that reports have as labels: the console has names of its own for them.
  /^src\/(engine\/(inventory-boundary|numbers\/emission)|http\/views\/report)\.ts$/,
  // Errors of the program itself, and examples.
  /^src\/(cluster-worker|reporting\/.*|http\/listen)\.ts$/,
  /^src\/http\/(plugins\/(console-assets|openapi)|schemas\/import)\.ts$/,
]
/** Descriptions of parameters, examples, lists of words, and formulas, of which only the numbers are written anew. */
const NO_SENTENCES = /^Only |^(First|Last) day|^With 95 %|MacBook|^Laptop 7th|^§itemname|^E = |× Σ/
const ONLY_LOGGED = /^The replica is passed over$|^Too many wrong keys from one address/

test('each sentence of the source that the console may show has a German text', () => {
  const templates = translations.map(({ constants }) => constants.join(GAP))
  const isKnown = (text: string) => templates.some((template) => text.split(GAP).every((one) => template.includes(one)))
  const lacking = source
    .filter((one) => isSentence(one) && !NO_SENTENCES.test(one.text) && !ONLY_LOGGED.test(one.text))
    .filter(({ file }) => !NOT_ASKED.some((path) => path.test(file)))
    // A description of the API ends with a full stop, a refusal without.
    .filter(({ file, text }) => file.startsWith('src/engine') || !text.endsWith('.'))
    .filter(({ text }) => !isKnown(text))
  assert.deepEqual(
    lacking.map(({ file, text }) => `${file}: ${text}`),
    [],
  )
})

/** What texts share that is shorter says nothing. */
const TELLING_LENGTH = 10

test('each template is of something that the service says', () => {
  const pieces = [...new Set(source.flatMap(({ text }) => text.split(GAP)))]
  const words = new Set(pieces)
  const long = pieces.filter(({ length }) => length >= TELLING_LENGTH)
  const isInSource = (one: string) =>
    (one !== '' && words.has(one)) ||
    long.some((piece) => one.includes(piece) || (one.length >= TELLING_LENGTH && piece.includes(one)))
  const dead = translations.filter(({ text, constants }) => !used.has(text) && !constants.some(isInSource))
  assert.deepEqual(
    dead.map(({ kind, text }) => `${kind}: ${text}`),
    [],
  )
})

/** Paths of the API, where a page says the same. */
const LEFT_OUT: ReadonlySet<string> = new Set(['path'])

test('a translation has the gaps of its template', () => {
  for (const { text, gaps, translation } of translations) {
    const names = new Set(translation.match(/(?<=\{)\w+(?=\})/g))
    const lost = gaps.filter(({ name }) => !names.has(name))
    const strange = [...names].filter((name) => !gaps.some((gap) => gap.name === name))
    assert.deepEqual([lost.filter(({ name }) => !LEFT_OUT.has(name)), strange], [[], []], text)
  }
})

test('a sentence that a statement says too is said in the same words', () => {
  const same = translations.filter(({ text }) => SENTENCES.has(text))
  assert.ok(same.length > 4)
  for (const { text, translation } of same) assert.equal(translation, SENTENCES.get(text))
})

test('texts in gaps are kept, whatever they are, and take no time to speak of', () => {
  assert.equal(
    translate('went out under the order "a" of "b" of "c" on 2025-01-31', 'ended'),
    'wurde am 31.01.2025 mit der Bestellung „a“ von „b" of "c“ vermietet',
  )
  assert.equal(translate('The account maps "{x} <b>" to a.'), 'Das Konto ordnet „{x} <b>“ dem Modell a zu.')
  // Tried place by place, each of these would take longer than the test may.
  assert.equal(translate('Held from 2025-13-45 to 2025-01-01: 1 months; 1 were ordered.'), null)
  for (const text of [`fits: ${'a, '.repeat(600)}`, `Held from ${' to '.repeat(450)}`, '"'.repeat(1900)])
    assert.equal(translate(text), null)
})
