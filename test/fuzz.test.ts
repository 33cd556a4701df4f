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
const REQUESTS = 4_800
/** Of the statuses that the document has for its operations, so many are seen by so few requests. */
/**
 * Of these, drawn requests are refused alone: they need a restatement, a release or figures of the account's own, which
 * no sequence makes yet. test/restatements, test/own-figures and test/dataset-releases do them.
 */
const NEEDS_WHAT_WAS_PUT =
  /^((get|delete|apply)Restatement|listRe(statement|lease)Changes|(import|get|put|delete)Own\w+)$/
const SEEN_MIN = 0.42

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
    undone.filter((id) => !NEEDS_WHAT_WAS_PUT.test(id)),
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
  const untrue = (replace: (text: string) => string): Subject => ({
    ...subject,
    document: JSON.parse(replace(JSON.stringify(subject.document))) as OpenApi,
  })
  const faultsOf = async (other: Subject) =>
    (await runFuzz(other, { seed: SEED + 1, requests: 300, report: () => undefined })).failures.join('\n')
  const shorter = untrue((text) => text.replaceAll('"maxLength":200', '"maxLength":2'))
  assert.match(await faultsOf(shorter), /200 Not 400/)
  const longer = untrue((text) => text.replaceAll('"maximum":1200', '"maximum":120000'))
  assert.match(await faultsOf(longer), /customer-orders\S*: 400 Not 200/)
  const withoutTotal = untrue((text) => text.replaceAll('"total_emission":', '"sum":'))
  assert.match(await faultsOf(withoutTotal), /must NOT have additional properties/)
})
