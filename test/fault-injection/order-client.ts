// A client that remembers what each of its requests was answered, and holds what is stored against that.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from 'pg'
import type { ReferenceData } from '../../src/engine/reference/reference-data.ts'
import { verifyAll } from '../../src/cli/verify.ts'
import { exchange, type Answer } from '../raw-http.ts'
import { createRandomRequests, type RandomRequest } from './random-requests.ts'
import { compareStored, countStored } from './stored-names.ts'
import type { Target } from './programs.ts'
import type { Counts } from './trial.ts'
import { createUploader } from './uploader.ts'
import { addAnswer, addSilence, newWindow, type Window } from './window.ts'

const HEADERS = { 'content-type': 'application/json' }
const AT_ONCE = 8
/** For all that are unknown together: a service that does not come back is a failure, not a trial without an end. */
const SETTLE_MS_MAX = 60_000
const RETRY_WAIT_MS = 100
/** A client that gets no answer does not hammer. */
const PAUSE_MS = 50
/** One alone may have been on its way when the fault began. */
const SERVED_IN_A_ROW = 3
const REPLAYED_MAX = 100
const TOLD_MAX = 20
/** Every answer that may come: done, refused for a reason of the request's, or try again. */
const EXPECTED: ReadonlySet<number> = new Set([200, 400, 404, 409, 503])

export interface OrderClient {
  /** So many write orders and events, one after the other, and so many upload files of orders. */
  readonly load: (writers: number, uploaders?: number) => { readonly stop: () => Promise<void> }
  /** Opens a new window, and gives the one that was open. */
  readonly window: () => Window
  /** Sends orders until they are accepted, one after the other. @returns milliseconds until the first of those */
  readonly untilServed: (millisecondsMax: number) => Promise<number>
  /** What is acknowledged so far of this round. */
  readonly acknowledged: () => ReadonlySet<RandomRequest>
  /**
   * Compares what a backup brought back with what was acknowledged before it, and sends again what came too late.
   * @returns how many were too late
   */
  readonly checkRestored: (before: ReadonlySet<RandomRequest>, pool: Pool) => Promise<number>
  /** Sends what is unknown again until it is known, and compares all of this round with what is stored. */
  readonly checkRound: (pool: Pool) => Promise<void>
  /** Compares all rounds with what is stored, and recomputes every row of the database. */
  readonly checkAll: (pool: Pool) => Promise<void>
  readonly fail: (sentence: string) => void
  readonly failures: readonly string[]
  readonly counts: () => Counts
}

interface Round {
  /** The first answer to each, or null for a repetition whose first answer never came. */
  readonly acknowledged: Map<RandomRequest, string>
  readonly refused: Set<RandomRequest>
  readonly unknown: Set<RandomRequest>
}

const newRound = (): Round => ({ acknowledged: new Map(), refused: new Set(), unknown: new Set() })

export function createOrderClient(target: () => Target, referenceData: ReferenceData, seed: number): OrderClient {
  const requests = createRandomRequests(referenceData, seed)
  const failures: string[] = []
  const all = { acknowledged: new Set<string>(), refused: new Set<string>(), retried: 0 }
  let round = newRound()
  let open = newWindow()
  const fail = (sentence: string) => void (failures.length < TOLD_MAX && failures.push(sentence))
  const uploader = createUploader(target, seed, fail)

  async function send(request: RandomRequest): Promise<Answer | null> {
    const { address, key } = target()
    const startedAt = performance.now()
    try {
      const headers = { ...HEADERS, 'x-api-key': key, 'if-match': '*' }
      const method = request.kind === 'correction' ? 'PUT' : 'POST'
      const answer = await exchange(address, request.path, { method, headers, body: request.body })
      addAnswer(open, answer, performance.now() - startedAt)
      if (!EXPECTED.has(answer.status))
        fail(`${request.name} was answered ${answer.status}: ${answer.text.slice(0, 200)}`)
      return answer
    } catch (error) {
      addSilence(open, error as NodeJS.ErrnoException)
      return null
    }
  }

  /** True once it is known. */
  function note(request: RandomRequest, answer: Answer | null): boolean {
    if (answer === null || answer.status >= 500) {
      if (answer?.status === 503 && answer.headers['retry-after'] === undefined) fail('A 503 came without Retry-After')
      round.unknown.add(request)
      return false
    }
    round.unknown.delete(request)
    if (answer.status !== 200) round.refused.add(request)
    else round.acknowledged.set(request, answer.text)
    return true
  }

  async function write(isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      const request = requests.next()
      const answer = await send(request)
      if (!note(request, answer)) await sleep(PAUSE_MS)
      else if (answer?.status === 200) requests.acknowledged(request)
    }
  }

  async function untilServed(millisecondsMax: number): Promise<number> {
    const startedAt = performance.now()
    let [inARow, since] = [0, startedAt]
    while (inARow < SERVED_IN_A_ROW) {
      if (performance.now() - startedAt > millisecondsMax) {
        fail(`No order was accepted for ${millisecondsMax} ms`)
        break
      }
      const request = requests.nextOrder()
      const answer = await send(request)
      const isAccepted = note(request, answer) && answer?.status === 200
      if (isAccepted && inARow === 0) since = performance.now()
      inARow = isAccepted ? inARow + 1 : 0
      await sleep(RETRY_WAIT_MS)
    }
    return since - startedAt
  }

  /** Each of them once more, until it has an answer that says what became of it. */
  async function settle(): Promise<void> {
    const unknown = [...round.unknown]
    all.retried += unknown.length
    const deadline = performance.now() + SETTLE_MS_MAX
    await eachOf(unknown, async (request) => {
      let isKnown = note(request, await send(request))
      while (!isKnown && performance.now() < deadline) {
        await sleep(RETRY_WAIT_MS)
        isKnown = note(request, await send(request))
      }
      if (!isKnown) fail(`${request.name} has no answer after ${SETTLE_MS_MAX} ms of repetitions`)
      const first = round.acknowledged.get(request)
      if (first !== undefined) await repeat(request, first)
    })
  }

  async function repeat(request: RandomRequest, first: string): Promise<void> {
    const again = await send(request)
    const isSame = again?.status === 200 && (request.kind !== 'order' || again.text === first)
    if (!isSame) fail(`${request.name} was answered 200, and sent again ${again?.status}: ${again?.text.slice(0, 200)}`)
  }

  /** Identity with other content: told so, and what is stored stays. */
  async function contradict(request: RandomRequest): Promise<void> {
    const order = JSON.parse(request.body) as Record<string, unknown>
    const other = { ...order, metadata: { ...(order['metadata'] as object), told: 'otherwise' } }
    const answer = await send({ ...request, body: JSON.stringify(other) })
    if (answer?.status !== 409) fail(`${request.name} with other content was answered ${answer?.status}, not 409`)
  }

  async function compare(pool: Pool, acknowledged: Iterable<string>, refused: Iterable<string>): Promise<void> {
    for (const sentence of await compareStored(pool, acknowledged, refused)) fail(sentence)
  }

  /** An order is accepted whatever is known; an event may contradict what others made known in between. */
  async function sendLost(request: RandomRequest): Promise<void> {
    round.acknowledged.delete(request)
    const answer = await send(request)
    note(request, answer)
    if (answer?.status === 200) return repeat(request, answer.text)
    if (request.kind === 'order' || answer?.status !== 409)
      fail(`${request.name} was lost, and sent again it was answered ${answer?.status}`)
  }

  return {
    failures,
    fail,
    untilServed,
    load: (writers, uploaders = 0) => {
      let isOver = false
      const writing = Array.from({ length: writers }, () => write(() => isOver))
      const uploading = Array.from({ length: uploaders }, () => uploader.run(() => isOver))
      const running = Promise.all([...writing, ...uploading])
      return {
        stop: async () => {
          isOver = true
          await running
        },
      }
    },
    window: () => {
      const before = open
      open = newWindow()
      return before
    },
    acknowledged: () => new Set(round.acknowledged.keys()),
    checkRestored: async (before, pool) => {
      await compare(pool, namesOf([...before]), namesOf([...round.refused]))
      const stored = await countStored(pool, namesOf([...round.acknowledged.keys()]))
      const isLost = (request: RandomRequest) => !before.has(request) && !stored.has(request.name)
      const lost = [...round.acknowledged.keys()].filter(isLost)
      const kept = [...round.acknowledged].filter(([request]) => !isLost(request))
      await eachOf(kept, ([request, first]) => repeat(request, first))
      // One by one as they were acknowledged: an event rests on what came before it.
      for (const request of lost) await sendLost(request)
      return lost.length
    },
    checkRound: async (pool) => {
      await settle()
      const [acknowledged, refused] = [[...round.acknowledged.keys()], [...round.refused]].map(namesOf)
      // Before anything is sent again: that would store what was lost.
      await compare(pool, acknowledged!, refused!)
      const orders = [...round.acknowledged].filter(([{ kind }]) => kind === 'order')
      const step = Math.max(1, Math.ceil(orders.length / REPLAYED_MAX))
      const some = orders.filter((_, at) => at % step === 0)
      await eachOf(some, ([request, first]) => repeat(request, first))
      for (const [request] of some.slice(0, 5)) await contradict(request)
      for (const name of acknowledged!) all.acknowledged.add(name)
      for (const name of refused!) all.refused.add(name)
      round = newRound()
    },
    checkAll: async (pool) => {
      await uploader.check(pool)
      await compare(pool, all.acknowledged, all.refused)
      const { lines, differences } = await verifyAll(pool)
      if (differences > 0) fail(`verify --all: ${differences} differences; ${lines.slice(0, 3).join('; ')}`)
    },
    counts: () => ({
      acknowledged: all.acknowledged.size,
      refused: all.refused.size,
      retried: all.retried,
      files: uploader.accepted(),
    }),
  }
}

/** Some at once, each once. */
async function eachOf<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const left = [...items]
  const run = async () => {
    for (let item = left.pop(); item !== undefined; item = left.pop()) await work(item)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, run))
}

const namesOf = (requests: readonly RandomRequest[]): readonly string[] => requests.map(({ name }) => name)
