// The command line as people run it: a process of its own, with what it prints and how it ends.
import assert from 'node:assert/strict'
import { spawn, type ChildProcess } from 'node:child_process'
import { chmodSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'

const CRADLE = join(import.meta.dirname, '..', 'src', 'cli', 'cradle.ts')
/** Several that start at once share the machine. */

export interface Ended {
  readonly code: number | NodeJS.Signals
  readonly stdout: string
  readonly stderr: string
}

type Environment = Readonly<Record<string, string>>

function spawnCradle(words: readonly string[], environment: Environment): ChildProcess {
  const { DATABASE_URL, CRADLE_DATA_DIR, ...inherited } = process.env
  void [DATABASE_URL, CRADLE_DATA_DIR]
  return spawn(process.execPath, [CRADLE, ...words], {
    env: { ...inherited, CRADLE_PORT: '0', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

const endOf = (child: ChildProcess): Promise<number | NodeJS.Signals> =>
  new Promise((resolve) => child.on('close', (code, signal) => resolve(code ?? signal!)))

/** Runs a command to its end. */
export async function cradle(words: readonly string[], environment: Environment): Promise<Ended> {
  const child = spawnCradle(words, environment)
  const [code, stdout, stderr] = await Promise.all([endOf(child), text(child.stdout!), text(child.stderr!)])
  return { code, stdout, stderr }
}

export type End = 'stopped' | number | NodeJS.Signals

export interface Serving {
  readonly child: ChildProcess
  readonly address: string
  readonly printed: string
  /** Sends the signal and waits for the end: `stopped` in order, or by which code or signal otherwise. */
  readonly end: (signal: NodeJS.Signals) => Promise<End>
}

export interface Starting {
  /** What it has said so far that is no part of its start. */
  readonly complaints: () => string
  /** Once it has said all that it says at its start. */
  readonly ready: () => Promise<Serving>
  readonly end: Serving['end']
}

/** `cradle serve`, ready or not. */
export function startServe(environment: Environment): Starting {
  const child = spawnCradle(['serve'], environment)
  const ended = endOf(child)
  let printed = ''
  let complaints = ''
  child.stdout!.on('data', (data: Buffer) => (printed += data.toString()))
  child.stderr!.on('data', (data: Buffer) => (complaints += data.toString()))
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal)
    const how = await ended
    return how === signal && complaints.endsWith('Stopped.\n') ? 'stopped' : how
  }
  const ready = async () => {
    await until(
      () => child.exitCode !== null || /^(curl .*|Keys: .*)\n/m.test(printed),
      () => `not ready: ${printed}${complaints}`,
    )
    assert.equal(child.exitCode, null, `ended before it was ready: ${printed}${complaints}`)
    return { child, address: /http:\/\/127\.0\.0\.1:\d+/.exec(printed)![0], printed, end }
  }
  return { complaints: () => complaints, ready, end }
}

/** `cradle serve`, once it has said all that it says at its start. */
export const serve = (environment: Environment): Promise<Serving> => startServe(environment).ready()

/** Where a program answers that waits for its database, once it says so. */
export async function waitingAddress({ complaints }: Starting): Promise<string> {
  const find = () => /(http:\/\/127\.0\.0\.1:\d+)\/livez answers 200/.exec(complaints())?.[1]
  await until(
    () => find() !== undefined,
    () => `not waiting: ${complaints()}`,
  )
  return find()!
}

/** An end to a wait, not a promise: on a busy machine whatever is waited for takes its time. */
const WAIT_MS_MAX = 180_000

export async function until(
  isTrue: () => boolean | Promise<boolean>,
  sentence: () => string,
  milliseconds = WAIT_MS_MAX,
): Promise<void> {
  const deadline = performance.now() + milliseconds
  while (!(await isTrue())) {
    assert.ok(performance.now() < deadline, sentence())
    await sleep(20)
  }
}

/**
 * Asks until it is true. What is asked more than so many milliseconds later has to find it true, however slow the
 * machine is: the time that an answer takes does not count.
 */
export async function trueAfter(milliseconds: number, isTrue: () => Promise<boolean>, sentence: string): Promise<void> {
  const since = performance.now()
  for (;;) {
    const askedAt = performance.now()
    if (await isTrue()) return
    assert.ok(askedAt - since <= milliseconds, sentence)
    await sleep(10)
  }
}

/** A new directory through which PostgreSQL's own user may pass. */
export function freshDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'cradle-test-'))
  chmodSync(directory, 0o711)
  return directory
}
