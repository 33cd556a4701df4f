// Sends requests drawn from the document, sound and spoilt, and says what held in docs/fuzzing.md: [--requests] [--seed].
import { parseArgs } from 'node:util'
import { writeReport } from '../test/fuzz/fuzz-report.ts'
import { runFuzz } from '../test/fuzz/run-fuzz.ts'
import { secretsWritten } from '../test/fuzz/secrets.ts'
import { startSubject } from '../test/fuzz/subject.ts'
import { guessKeys, timeWrongKeys } from '../test/fuzz/wrong-keys.ts'

const TOLD_EVERY = 10_000
const GUESSES = 10_000

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '1000000' },
    seed: { type: 'string', default: '20261122' },
  },
})
const [requests, seed] = [Number(values.requests), Number(values.seed)]
const subject = await startSubject()
try {
  const startedAt = performance.now()
  const secondsSince = () => (performance.now() - startedAt) / 1000
  let toldAt = 0
  const tell = (sent: number) => {
    if (sent - toldAt < TOLD_EVERY) return
    toldAt = sent
    process.stderr.write(`${sent} of ${requests} requests, ${secondsSince().toFixed(0)} s\n`)
  }
  const fuzzed = await runFuzz(subject, { seed, requests, tell })
  const seconds = secondsSince()
  const keys = await subject.newKeys()
  const bruteForce = await guessKeys(subject, keys, GUESSES)
  const timings = await timeWrongKeys(subject, keys, GUESSES)
  const { code, stdout, stderr } = await subject.verify()
  const failures = [
    ...fuzzed.failures,
    ...(await secretsWritten(subject)),
    ...(code === 0 ? [] : [`verify --all: ${stdout}${stderr}`]),
  ]
  writeReport({ seed, seconds, fuzzed, failures, timings, bruteForce })
  for (const failure of failures) process.stderr.write(`${failure}\n`)
  process.stdout.write(`${fuzzed.requests} requests, ${seconds.toFixed(0)} s, ${failures.length} failures\n`)
  if (failures.length > 0) process.exitCode = 1
} finally {
  await subject.stop()
}
