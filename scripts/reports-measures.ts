// What is asked of a program that has a million orders: reports, and orders posted beside them and beside folding.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from 'pg'
import { LatencyHistogram } from '../bench/latency-histogram.ts'
import { POSTING_MS_MAX } from '../src/config.ts'
import { NAMED } from '../src/reports/emissions-query.ts'
import { GROUPS_MAX } from '../src/reports/group-limit.ts'
import type { Program } from './growth-measures.ts'
import { type Beside, type Grouping, type Posting } from './reports-report.ts'
import { runLoad } from './usual-load.ts'
import { customersOf, type UsualOrders } from './usual-orders.ts'

export interface Measuring {
  readonly program: Program
  readonly pool: Pool
  readonly orders: number
  readonly usual: UsualOrders
}

/** How often a grouping by one thing is asked for, and by two: of those there are many. */
const TIMES = 5
const TIMES_OF_PAIRS = 3
const POSTING_TURNS = 5
/** A turn without folding takes as long as one in which some tens of thousands are folded, all at once. */
const ROUNDS_WITHOUT = 4
/** And no more than a tenth of what is there, so that a short run is short. */
const POSTS_PER_TURN = 8_000
/** What was posted may be folded by then. */
const UNTIL_FOLDED_MS = POSTING_MS_MAX + 2_000
const ROUNDS_MAX = 10
const SHARE_POSTED = 0.1
const CONNECTIONS = 32
/** So few that an order waits for the program alone, not for those before it. */
const STEADY_CONNECTIONS = 4
const STEADY_POSTS = 4_000
/** Holds all orders. */
const YEAR = 'from=2018-01-01&to=2018-12-31'
const EMISSIONS = '/api/reports/emissions'
const ALL_GROUPS = `&limit=${GROUPS_MAX}`
const QUALITY = `/api/reports/quality?${YEAR}`
const LONGEST = `${EMISSIONS}?basis=tenure&group_by=month,customer&${YEAR}`

export function createReportMeasures(measuring: Measuring) {
  const most = measuring.orders * SHARE_POSTED
  /** Each order is posted once. */
  let posted = 0
  const post = async (posts: number, connections: number): Promise<LatencyHistogram> => {
    const { program, orders, usual } = measuring
    const histogram = new LatencyHistogram()
    const first = orders + posted
    posted += posts
    const requestOf = (n: number) => {
      const order = usual(first + n, n % customersOf(orders))
      return { path: '/api/customer-orders', body: JSON.stringify(order), expect: `"${order.order_id}"` }
    }
    const target = { port: program.server.port, key: program.key }
    await runLoad(target, { connections, requests: posts, requestOf }, histogram)
    return histogram
  }
  return {
    findFolded: () => findFolded(measuring.pool),
    waitUntilFolded: () => waitUntilFolded(measuring),
    askFirst: async () => (await ask(measuring.program, LONGEST)).milliseconds,
    askGroupings: () => askGroupings(measuring.program),
    postInTurns: () => postInTurns(measuring.pool, post, Math.min(POSTS_PER_TURN, most)),
    postBeside: () => postBeside(measuring.program, post, Math.min(STEADY_POSTS, most)),
  }
}

type Post = (posts: number, connections: number) => Promise<LatencyHistogram>

/** What the program has folded by now. */
async function findFolded(pool: Pool) {
  const { rows } = await pool.query<{ readonly facts: number; readonly bytes: number; readonly chunks: number }>(
    `select coalesce(sum(facts), 0)::integer as facts, coalesce(sum(length(content)), 0)::float8 as bytes,
      count(*)::integer as chunks from report_chunks`,
  )
  return rows[0]!
}

async function waitUntilFolded({ pool, orders }: Measuring): Promise<number> {
  const startedAt = performance.now()
  while ((await findFolded(pool)).facts < orders) await sleep(500)
  return (performance.now() - startedAt) / 1000
}

async function ask({ server, key }: Program, path: string) {
  const startedAt = performance.now()
  const answer = await fetch(`http://127.0.0.1:${server.port}${path}`, { headers: { 'x-api-key': key } })
  const text = await answer.text()
  if (answer.status !== 200) throw new Error(text.slice(0, 300))
  return { text, milliseconds: performance.now() - startedAt }
}

async function askOften(program: Program, path: string, times: number) {
  const taken: number[] = []
  let text = ''
  for (let time = 0; time < times; time += 1) {
    const answer = await ask(program, path)
    taken.push(answer.milliseconds)
    text = answer.text
  }
  taken.sort((a, b) => a - b)
  return { least: taken[0]!, median: taken[taken.length >> 1]!, text }
}

/**
 * The quality board, and all groupings by one and by two, of one year that holds all orders; and where an answer has
 * not all groups by itself, all of them as well.
 */
async function askGroupings(program: Program): Promise<readonly Grouping[]> {
  const names = [...NAMED, 'metadata.project']
  const pairs = names.flatMap((one, at) => names.slice(at + 1).map((other) => `${one},${other}`))
  const { text: board, ...quality } = await askOften(program, QUALITY, TIMES)
  const { to_mend: rows } = JSON.parse(board) as { readonly to_mend: readonly unknown[] }
  const found: Grouping[] = [
    { basis: 'order', groupBy: 'the quality board', groups: rows.length, isOfAll: false, ...quality },
  ]
  const askOne = async (basis: string, groupBy: string, limit: string) => {
    const path = `${EMISSIONS}?basis=${basis}&${YEAR}${groupBy && `&group_by=${groupBy}`}${limit}`
    const { text, ...taken } = await askOften(program, path, groupBy.includes(',') ? TIMES_OF_PAIRS : TIMES)
    const { groups, others } = JSON.parse(text) as { readonly groups: readonly unknown[]; readonly others: unknown }
    const name = groupBy === '' ? 'nothing' : `${groupBy}${limit}`
    found.push({ basis, groupBy: name, groups: groups.length, isOfAll: limit !== '', ...taken })
    return others === null
  }
  for (const basis of ['order', 'dispatch', 'tenure'] as const) {
    for (const groupBy of ['', ...names, ...pairs]) {
      if (!(await askOne(basis, groupBy, ''))) await askOne(basis, groupBy, ALL_GROUPS)
    }
  }
  return found
}

/**
 * Turns without folding, which a lock on its mark keeps out until what they posted is old enough to be folded; after
 * each a turn with it, which goes on until as many facts are folded as one round has orders.
 */
async function postInTurns(pool: Pool, post: Post, posts: number): Promise<readonly Posting[]> {
  await post(posts, CONNECTIONS) // to warm up
  const found: Posting[] = []
  for (let turn = 0; turn < POSTING_TURNS; turn += 1) {
    const lock = await pool.connect()
    await lock.query('begin')
    await lock.query('select from report_marks for update')
    found.push({ isFolding: false, ...(await postFor(pool, post, posts, ROUNDS_WITHOUT, 0)) })
    await sleep(UNTIL_FOLDED_MS)
    await lock.query('rollback')
    lock.release()
    found.push({ isFolding: true, ...(await postFor(pool, post, posts, 1, posts)) })
  }
  return found
}

/** Posts so many orders that often at least, and again until so many facts are folded meanwhile. */
async function postFor(pool: Pool, post: Post, posts: number, roundsLeast: number, facts: number) {
  const [before, startedAt] = [await findFolded(pool), performance.now()]
  let [rounds, folded, p99Ms] = [0, 0, 0]
  do {
    p99Ms = Math.max(p99Ms, (await post(posts, CONNECTIONS)).latency().p99Ms)
    folded = (await findFolded(pool)).facts - before.facts
    rounds += 1
  } while (rounds < roundsLeast || (folded < facts && rounds < ROUNDS_MAX))
  const seconds = (performance.now() - startedAt) / 1000
  return { posted: rounds * posts, rate: (rounds * posts) / seconds, p99Ms, folded }
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
    const startedAt = performance.now()
    const { p50Ms, p99Ms, maxMs } = (await post(posts, STEADY_CONNECTIONS)).latency()
    const seconds = (performance.now() - startedAt) / 1000
    isPosting = false
    await reports
    found.push({ name: path ?? 'nothing', rate: posts / seconds, p50Ms, p99Ms, maxMs, asked })
  }
  return found
}
