// What is asked of a program that has a million orders: reports, and orders posted beside them and beside folding.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from 'pg'
import { LatencyHistogram } from '../bench/latency-histogram.ts'
import { COMMIT_LAG_MS_MAX } from '../src/config.ts'
import type { Program } from './storage-growth-measures.ts'
import { LONGEST, QUALITY, ask, askBehind, askGroupings } from './reports-queries.ts'
import type { Beside, Posting } from './reports-report.ts'
import { runLoad } from './typical-load.ts'
import { customersOf, type UsualOrders } from './typical-orders.ts'

export interface Measuring {
  readonly program: Program
  readonly pool: Pool
  readonly orders: number
  readonly usual: UsualOrders
}

const POSTING_ROUNDS = 9
/** At least: with folding, until the piece is folded that is begun by then, and rested after. */
const TURN_MS = 8_000
/** What was posted may be folded by then. */
const UNTIL_FOLDED_MS = COMMIT_LAG_MS_MAX + 2_000
const POSTS_AT_ONCE = 2_000
const CONNECTIONS = 32
/** How often it is looked whether another piece is folded, and how often at most. */
const LOOK_MS = 50
const LOOKS_MAX = 600
/** So few that an order waits for the program alone, not for those before it. */
const STEADY_CONNECTIONS = 4
const STEADY_POSTS = 4_000
/** And no more than a tenth of what is there, so that a short run is short. */
const SHARE_POSTED = 0.1

export function createReportMeasures(measuring: Measuring) {
  const { program, pool, orders, usual } = measuring
  /** Each order is posted once. */
  let posted = 0
  const requestOf = () => {
    const order = usual(orders + posted, posted % customersOf(orders))
    posted += 1
    return { path: '/api/customer-orders', body: JSON.stringify(order), expect: `"${order.order_id}"` }
  }
  const target = { port: program.server.port, key: program.key }
  const post = (histogram: LatencyHistogram, requests: number, connections: number): Promise<void> =>
    runLoad(target, { connections, requests, requestOf }, histogram)
  return {
    findFolded: () => findFolded(pool),
    waitUntilFolded: () => waitUntilFolded(measuring),
    askFirst: async () => (await ask(program, LONGEST)).milliseconds,
    askGroupings: () => askGroupings(program),
    postInTurns: () => postInTurns(pool, post, () => posted),
    askBehind: () => askBehind(program, pool),
    postBeside: () => postBeside(program, post, Math.min(STEADY_POSTS, orders * SHARE_POSTED)),
  }
}

type Post = (histogram: LatencyHistogram, requests: number, connections: number) => Promise<void>

/** What the program has folded by now. */
async function findFolded(pool: Pool) {
  const { rows } = await pool.query<{ readonly facts: number; readonly bytes: number; readonly chunks: number }>(
    `select coalesce(sum(facts), 0)::integer as facts, coalesce(sum(length(content)), 0)::float8 as bytes,
      count(*)::integer as chunks from fact_chunks`,
  )
  return rows[0]!
}

async function waitUntilFolded({ pool, orders }: Measuring): Promise<number> {
  const startedAt = performance.now()
  while ((await findFolded(pool)).facts < orders) await sleep(500)
  return (performance.now() - startedAt) / 1000
}

/**
 * Turns without folding, which a lock on its mark keeps out, and turns with it, while posting goes on. There is a
 * backlog before them, and each turn adds to it: folding always has as much to fold as it takes on.
 */
async function postInTurns(pool: Pool, post: Post, posted: () => number): Promise<readonly Posting[]> {
  const posting = keepPosting(post, posted)
  const found: Posting[] = []
  try {
    let letFold = await keepFromFolding(pool)
    await sleep(UNTIL_FOLDED_MS)
    found.push(await posting.measure(false, () => sleep(TURN_MS, 0)))
    for (let round = 0; round < POSTING_ROUNDS; round += 1) {
      await letFold()
      await untilPiece(pool)
      found.push(await posting.measure(true, () => foldFor(pool)))
      letFold = await keepFromFolding(pool)
      found.push(await posting.measure(false, () => sleep(TURN_MS, 0)))
    }
    await letFold()
  } finally {
    await posting.stop()
  }
  return found
}

/** Posts without end, and says how that goes on meanwhile. */
function keepPosting(post: Post, posted: () => number) {
  let histogram = new LatencyHistogram()
  let isStopping = false
  const work = async () => {
    while (!isStopping) await post(histogram, POSTS_AT_ONCE, CONNECTIONS)
  }
  const ended = work()
  return {
    /** @param during resolves with the facts that were folded */
    measure: async (isFolding: boolean, during: () => Promise<number>): Promise<Posting> => {
      histogram = new LatencyHistogram()
      const [startedAt, before] = [performance.now(), posted()]
      const folded = await Promise.race([during(), ended.then(() => 0)])
      const [seconds, orders] = [(performance.now() - startedAt) / 1000, posted() - before]
      return { isFolding, rate: orders / seconds, p99Ms: histogram.latency().p99Ms, posted: orders, folded }
    },
    stop: () => {
      isStopping = true
      return ended
    },
  }
}

/** @returns what lets it go on */
async function keepFromFolding(pool: Pool): Promise<() => Promise<void>> {
  const lock = await pool.connect()
  await lock.query('begin')
  await lock.query('select from report_watermarks for update')
  return async () => {
    await lock.query('rollback')
    lock.release()
  }
}

/** From where one piece was folded to where another is, so that of pieces and of the rests between them all count. */
async function foldFor(pool: Pool): Promise<number> {
  const [startedAt, { facts }] = [performance.now(), await findFolded(pool)]
  let now = facts
  while (performance.now() - startedAt < TURN_MS) now = await untilPiece(pool)
  return now - facts
}

/** @returns the facts that are folded then */
async function untilPiece(pool: Pool): Promise<number> {
  const { facts } = await findFolded(pool)
  for (let look = 0; look < LOOKS_MAX; look += 1) {
    await sleep(LOOK_MS)
    const now = await findFolded(pool)
    if (now.facts > facts) return now.facts
  }
  throw new Error('Nothing is folded')
}

/** Orders over a few connections beside somebody who asks for one report after the other. */
async function postBeside(program: Program, post: Post, posts: number): Promise<readonly Beside[]> {
  const found: Beside[] = []
  for (const path of [null, LONGEST, QUALITY]) {
    let isPosting = true
    let asked = 0
    const asking = async () => {
      while (isPosting && path !== null) {
        await ask(program, path)
        asked += 1
      }
    }
    const reports = asking()
    const histogram = new LatencyHistogram()
    const startedAt = performance.now()
    await post(histogram, posts, STEADY_CONNECTIONS)
    const { p50Ms, p99Ms, maxMs } = histogram.latency()
    const seconds = (performance.now() - startedAt) / 1000
    isPosting = false
    await reports
    found.push({ name: path ?? 'nothing', rate: posts / seconds, p50Ms, p99Ms, maxMs, asked })
  }
  return found
}
