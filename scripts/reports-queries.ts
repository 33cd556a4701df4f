// Reports that a program is asked for, over HTTP: each grouping, and one while much is not folded.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from 'pg'
import { RETRY_AFTER_SECONDS } from '../src/config.ts'
import { GROUPS_MAX, NAMED_DIMENSIONS } from '../src/reporting/query.ts'
import type { Program } from './storage-growth-measures.ts'
import type { Behind, Grouping } from './reports-report.ts'

/** How often a grouping by one thing is asked for, and by two: of those there are many. */
const TIMES = 5
const TIMES_OF_PAIRS = 3
const REFUSED_MAX = 60
/** Holds all orders. */
const YEAR = 'from=2018-01-01&to=2018-12-31'
const EMISSIONS = '/api/reports/emissions'
const ALL_GROUPS = `&limit=${GROUPS_MAX}`
export const QUALITY = `/api/reports/quality?${YEAR}`
export const LONGEST = `${EMISSIONS}?date_basis=tenure&group_by=month,customer&${YEAR}`

export async function ask({ server, key }: Program, path: string) {
  const startedAt = performance.now()
  const answer = await fetch(`http://127.0.0.1:${server.port}${path}`, { headers: { 'x-api-key': key } })
  const text = await answer.text()
  if (answer.status !== 200) throw new Error(text.slice(0, 300))
  return { text, milliseconds: performance.now() - startedAt }
}

/** A report while much is unfolded: it folds, or tells to come again, and what it folded is there for the next. */
export async function askBehind(program: Program, pool: Pool): Promise<Behind> {
  const { rows } = await pool.query<{ readonly unfolded: number }>(
    `select count(*)::integer as unfolded from entries join report_watermarks using (account_id)
    where posted_at > rolled_up_until`,
  )
  const { unfolded } = rows[0]!
  const startedAt = performance.now()
  for (let refused = 0; refused < REFUSED_MAX; refused += 1) {
    const answered = await ask(program, QUALITY).catch((error: Error) => error)
    const seconds = (performance.now() - startedAt) / 1000
    if (!(answered instanceof Error)) return { unfolded, seconds, refused }
    if (!answered.message.includes('ask again')) throw answered
    await sleep(RETRY_AFTER_SECONDS * 1000)
  }
  throw new Error('A report is refused again and again')
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
export async function askGroupings(program: Program): Promise<readonly Grouping[]> {
  const names = [...NAMED_DIMENSIONS, 'metadata.project']
  const pairs = names.flatMap((one, at) => names.slice(at + 1).map((other) => `${one},${other}`))
  const { text: board, ...quality } = await askOften(program, QUALITY, TIMES)
  const { to_improve: rows } = JSON.parse(board) as { readonly to_improve: readonly unknown[] }
  const found: Grouping[] = [
    { basis: 'order', groupBy: 'the quality board', groups: rows.length, isOfAll: false, ...quality },
  ]
  const askOne = async (basis: string, groupBy: string, limit: string) => {
    const path = `${EMISSIONS}?date_basis=${basis}&${YEAR}${groupBy && `&group_by=${groupBy}`}${limit}`
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
