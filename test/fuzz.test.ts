// Requests drawn from the document, sound and spoilt, in sequences: every answer is one that the document promises.
import { after, before, test } from 'node:test'
import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { coverageOf } from './fuzz/fuzz-report.ts'
import { runFuzz } from './fuzz/run-fuzz.ts'
import { secretsWritten } from './fuzz/secrets.ts'
import { startSubject, type Subject } from './fuzz/subject.ts'
import type { OpenApi } from './document-check.ts'

/** The same each time: other ones, and many more requests, are what `npm run fuzz` is for. */
const SEED = 20261127
const REQUESTS = 16_000
/**
 * Operations that are refused whenever they are drawn, or nearly: a preview is hardly ever complete before its sequence
 * ends, a text that is drawn is no URL of a webhook and no release, and this service does not serve PACT. The tests of
 * restatements, webhooks, PACT and releases have them done.
 */
const ELSEWHERE = /^(applyRestatement|listReleaseChanges)$|Webhook|PactClient$/
/** Of the statuses that the document has for its operations, so many are seen by so few requests. */
const SEEN_MIN = 0.5

let subject: Subject
before(async () => void (subject = await startSubject()))
after(() => subject.stop())

test('requests drawn from the document are answered as it promises, and show nothing of others', async () => {
  const { failures, seen, operations } = await runFuzz(subject, {
    seed: SEED,
    requests: REQUESTS,
    report: () => undefined,
  })
  assert.deepEqual(failures, [])
  const undone = operations.map(({ id }) => id).filter((id) => !seen.has(`${id} 200`) && !seen.has(`${id} 202`))
  assert.deepEqual(
    undone.filter((id) => !ELSEWHERE.test(id)),
    [],
    'were never done',
  )
  const coverage = coverageOf(operations, seen)
  assert.ok(coverage.seen / coverage.documented >= SEEN_MIN, `${coverage.seen} of ${coverage.documented} were seen`)
})

test('after them every row is what its facts give, and no secret stands in logs, metrics or a backup', async () => {
  const { code, stdout, stderr } = await subject.verify()
  assert.equal(code, 0, stdout + stderr)
  assert.deepEqual(await secretsWritten(subject), [])
  const { own } = await subject.newKeys()
  const leaking = { ...subject, written: () => Promise.resolve({ log: Readable.from([Buffer.from(`key ${own}.`)]) }) }
  assert.deepEqual(await secretsWritten(leaking), ['A secret stands in the log'])
})

test('where the document promises something else than the service does, that is noticed', async () => {
  const [long, short] = ['"maxLength":200', '"maxLength":2']
  const ownFigures = Object.entries(subject.document.components.schemas)
    .filter(([name]) => name.startsWith('Own'))
    .map(([, schema]) => JSON.stringify(schema))
  const untrue = (replace: (text: string) => string): Subject => ({
    ...subject,
    document: JSON.parse(replace(JSON.stringify(subject.document))) as OpenApi,
  })
  const faultsOf = async (other: Subject) =>
    (await runFuzz(other, { seed: SEED + 1, requests: 700, report: () => undefined })).failures.join('\n')
  // Not of own figures: their answers have the same schema, and break it before a request does.
  const shorter = untrue((text) =>
    ownFigures.reduce(
      (changed, schema) => changed.replace(schema.replaceAll(long, short), schema),
      text.replaceAll(long, short),
    ),
  )
  assert.match(await faultsOf(shorter), /20[02] Not 400/)
  const longer = untrue((text) => text.replaceAll('"maximum":1200', '"maximum":120000'))
  assert.match(await faultsOf(longer), /customer-orders\S*: 400 Not 200/)
  const withoutTotal = untrue((text) => text.replaceAll('"total_emission":', '"sum":'))
  assert.match(await faultsOf(withoutTotal), /must NOT have additional properties/)
})
