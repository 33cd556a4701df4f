// Sends requests drawn from the document, and writes bench/results/fuzz.md: [--requests] [--seed].
// Interrupted, it says so of what was sent. With --sequence and the name that a failure bears: that sequence alone.
import { parseArgs } from 'node:util'
import { writeReport } from '../test/fuzz/fuzz-report.ts'
import { runFuzz, runNamed } from '../test/fuzz/run-fuzz.ts'
import { secretsWritten } from '../test/fuzz/secrets.ts'
import { startSubject, type Subject } from '../test/fuzz/subject.ts'
import { guessKeys, timeWrongKeys } from '../test/fuzz/wrong-keys.ts'

const TOLD_EVERY = 10_000
const GUESSES = 10_000

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '1000000' },
    seed: { type: 'string', default: '20261122' },
    sequence: { type: 'string' },
  },
})
const subject = await startSubject()
try {
  const failures =
    values.sequence === undefined
      ? await fuzz(subject, Number(values.seed), Number(values.requests))
      : await showSequence(subject, values.sequence)
  for (const failure of failures) process.stderr.write(`${failure}\n`)
  if (failures.length > 0) process.exitCode = 1
} finally {
  await subject.stop()
}

async function fuzz(subject: Subject, seed: number, requests: number): Promise<readonly string[]> {
  const startedAt = performance.now()
  const secondsSince = () => (performance.now() - startedAt) / 1000
  let reportedAt = 0
  const report = (sent: number) => {
    if (sent - reportedAt < TOLD_EVERY) return
    reportedAt = sent
    process.stderr.write(`${sent} of ${requests} requests, ${secondsSince().toFixed(0)} s\n`)
  }
  const interrupted = new AbortController()
  process.once('SIGINT', () => interrupted.abort())
  const fuzzed = await runFuzz(subject, { seed, requests, report, signal: interrupted.signal })
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
  process.stdout.write(`${fuzzed.requests} requests, ${seconds.toFixed(0)} s, ${failures.length} failures\n`)
  return failures
}

function showSequence(subject: Subject, name: string): Promise<readonly string[]> {
  return runNamed(subject, name, ({ told, sent }, { status, text }) =>
    process.stdout.write(`${sent.method} ${told.path}\n  ${told.body}\n  ${status} ${text}\n`),
  )
}
