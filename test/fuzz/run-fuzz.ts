// Runs sequences against the program, many at a time, and counts what was seen; a failure names how to get it again.
import { setTimeout as sleep } from 'node:timers/promises'
import { exchange, type Answer, type Sent } from '../raw-http.ts'
import { build, type Accepts, type Built, type Keys } from './build-request.ts'
import { operationsOf, type Operation } from './documented-operations.ts'
import { drawSequences, sequenceArbitrary, type Sequence, type Step } from './draw-sequences.ts'
import { viewAsStranger } from './foreign-view.ts'
import { createAccepts, createJudge, type Judge } from './judge.ts'
import { newState, remember, type State } from './sequence-state.ts'
import type { Subject } from './subject.ts'

export interface Fuzzed {
  readonly requests: number
  readonly sequences: number
  /** Answers 503, after which the same was sent again. */
  readonly unavailable: number
  readonly failures: readonly string[]
  /** How often each operation got each status. */
  readonly seen: ReadonlyMap<string, number>
  readonly twists: ReadonlyMap<string, number>
  readonly operations: readonly Operation[]
}

export interface Plan {
  readonly seed: number
  readonly requests: number
  readonly report: (requests: number) => void
  /** Ends it before all requests were sent. */
  readonly signal?: AbortSignal
}

const AT_ONCE = 32
/** Each would post some 1,600 facts behind the back of the requests that count; test/demo-fleet.test.ts asks for it. */
const LOADS_FLEETS = '/api/demo-fleet'
/** Sequences that are drawn together, and that share an account: lists of one that has all would cost all the time. */
const BATCH = 200
const FAILURES_MAX = 50
const ATTEMPTS_MAX = 5
/** Seeds of batches are this far from each other, so that those of neighbouring seeds do not meet. */
const SEED_STEP = 0x9e3779b1

interface Running {
  readonly subject: Subject
  readonly operations: readonly Operation[]
  readonly judge: Judge
  readonly accepts: Accepts
  readonly failures: string[]
  readonly seen: Map<string, number>
  readonly twists: Map<string, number>
  readonly show: (built: Built, answer: Answer) => void
  requests: number
  sequences: number
  unavailable: number
}

const start = (subject: Subject, show: Running['show']): Running => ({
  subject,
  operations: operationsOf(subject.document).filter(({ path }) => path !== LOADS_FLEETS),
  judge: createJudge(subject.document, subject.password),
  accepts: createAccepts(subject.document),
  failures: [],
  seen: new Map(),
  twists: new Map(),
  show,
  requests: 0,
  sequences: 0,
  unavailable: 0,
})

export async function runFuzz(subject: Subject, { seed, requests, report, signal }: Plan): Promise<Fuzzed> {
  const running = start(subject, () => undefined)
  const batchOf = batchesOf(running)
  const isOver = () =>
    running.requests >= requests || running.failures.length >= FAILURES_MAX || (signal?.aborted ?? false)
  const waiting: Named[] = []
  let batches = 0
  let keys: Keys
  const nextBatch = async () => {
    keys = await subject.newKeys()
    waiting.push(...batchOf(seed, (batches += 1)))
    report(running.requests)
  }
  let coming: Promise<void> | null = null
  const work = async () => {
    while (!isOver()) {
      const next = waiting.pop()
      if (next) await runSequence(running, next, keys)
      else await (coming ??= nextBatch().finally(() => (coming = null)))
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return running
}

/** Runs one sequence again, by the name that a failure bears, and shows what is sent and answered. */
export async function runNamed(subject: Subject, name: string, show: Running['show']): Promise<readonly string[]> {
  const running = start(subject, show)
  const [seed, batch, place] = name.match(/\d+/g)!.map(Number)
  await runSequence(running, batchesOf(running)(seed!, batch!)[place!]!, await subject.newKeys())
  return running.failures
}

interface Named {
  readonly name: string
  readonly sequence: Sequence
}

function batchesOf({ subject, operations }: Running): (seed: number, batch: number) => readonly Named[] {
  const arbitrary = sequenceArbitrary(subject.document, operations, subject.listed)
  return (seed, batch) =>
    drawSequences(arbitrary, (seed + batch * SEED_STEP) | 0, BATCH).map((sequence, place) => ({
      sequence,
      name: `n${seed}-${batch}-${place}-`,
    }))
}

async function runSequence(running: Running, { name, sequence }: Named, keys: Keys): Promise<void> {
  running.sequences += 1
  const state = newState(name)
  for (const [at, step] of sequence.entries()) {
    const built = build(step, state, keys, running.accepts)
    const fault = await runStep(running, step, built, state, keys)
    if (fault === null) continue
    running.failures.push(`${name}${at} ${step.twist} ${built.sent.method} ${built.told.path.slice(0, 300)}: ${fault}`)
    return
  }
}

async function runStep(running: Running, step: Step, built: Built, state: State, keys: Keys): Promise<string | null> {
  const { judge } = running
  const { told, sent } = built
  running.requests += 1
  count(running.twists, step.twist)
  if (step.twist === 'foreignKey' && isOfAnAccount(step.operation)) {
    // Two requests: what is there, and what nobody has.
    running.requests += 1
    const { answer, fault } = await viewAsStranger(
      (path, own) => send(running, path, own),
      told,
      sent,
      keys.foreign,
      state.name,
    )
    running.show(built, answer)
    note(running, built, answer)
    return fault ?? judge({ ...built, expected: null, isOwn: false }, answer)
  }
  const answer = await send(running, told.path, sent).catch((error: Error) => error)
  if (answer instanceof Error) return `${answer.message}, sent ${shown(built)}`
  running.show(built, answer)
  note(running, built, answer)
  const fault = judge(built, answer) ?? replayFault(built, state, answer)
  if (fault !== null) return `${answer.status} ${fault}; sent ${shown(built)}; answered ${answer.text.slice(0, 300)}`
  if (built.isOwn) remember(state, told, answer)
  return null
}

/** A database under load is late now and then; what is unavailable again and again is so by its input. */
async function send(running: Running, path: string, sent: Sent): Promise<Answer> {
  for (let attempt = 1; ; attempt += 1) {
    const answer = await exchange(running.subject.address, path, sent)
    if (answer.status !== 503 || attempt === ATTEMPTS_MAX) return answer
    running.unavailable += 1
    await sleep(1000 * Number(answer.headers['retry-after']))
  }
}

/** The same order again, asked for with the same query, gets the same bytes. */
function replayFault({ told, operation, isOwn, expected }: Built, { orders }: State, answer: Answer): string | null {
  if (operation.id !== 'createOrder' || !isOwn || answer.status !== 200 || expected?.length !== 1) return null
  const known = [...orders.values()].find((order) => order.sent === told.body && order.query === told.query)
  return known === undefined || known.answered === answer.text ? null : `Answered at first: ${known.answered}`
}

const shown = ({ told }: Built): string => told.body.slice(0, 1_500)

/** What is answered from what accounts stored; what a stranger would store or estimate is the stranger's own. */
const isOfAnAccount = ({ id, method, scope }: Operation): boolean =>
  scope !== null && scope.startsWith('orders:') && method !== 'PUT' && !STRANGERS_OWN.includes(id)
const STRANGERS_OWN = ['createOrder', 'createOrders', 'createEstimate', 'createImport']

function note({ seen }: Running, { operation, sent }: Built, { status }: Answer): void {
  const isOf = sent.method === operation.method || status === 405
  if (isOf && operation.statuses.includes(status)) count(seen, `${operation.id} ${status}`)
}

const count = (counts: Map<string, number>, name: string): void => void counts.set(name, (counts.get(name) ?? 0) + 1)
