// Reports over HTTP against sums in SQL: of random histories, whether their entries are folded, half folded or not.
import { test } from 'node:test'
import assert from 'node:assert/strict'
import type { Pool } from 'pg'
import { createRollups } from '../src/postgres/reporting/store.ts'
import { foldAll } from './roll-up-all.ts'
import { readCaseBook } from './case-book.ts'
import type { Json } from './document-check.ts'
import { freshDatabase } from './fresh-database.ts'
import { checkHistory, type Subject } from './model-based/history-check.ts'
import { drawHistories, openSubject, runHistories } from './model-based/history-run.ts'
import { milligrams } from './order-client.ts'
import { sumsInSql, type AskedSums } from './report-sums.ts'

const HISTORIES = 3
const SEED = 5

const BASES = ['order', 'dispatch', 'tenure'] as const
const GROUPINGS = [
  [],
  ['month'],
  ['quarter', 'customer'],
  ['year', 'part'],
  ['customer', 'part'],
  ['model'],
  ['model', 'month'],
] as const
/** Where rentals are cut, days within a month decide; whatever lies on one day is within or not. */
const RANGES = [{}, { from: '2024-01-01', to: '2024-12-31' }, { from: '2024-02-10', to: '2025-01-30' }]

const foldNow = (pool: Pool) => {
  const referenceData = readCaseBook('book.json')
  return foldAll(
    { folds: createRollups(pool, 0, 0), referenceDataOf: () => Promise.resolve(referenceData) },
    () => false,
    (error) => {
      throw error
    },
  )
}

async function ask({ app }: Subject, key: string, query: string): Promise<Json> {
  const { statusCode, payload } = await app.inject({
    url: `/api/reports/emissions?${query}`,
    headers: { 'x-api-key': key },
  })
  assert.equal(statusCode, 200, payload.slice(0, 300))
  return JSON.parse(payload) as Json
}

const byLabels = (groups: readonly { readonly labels: readonly (string | null)[]; readonly milligrams: bigint }[]) =>
  groups.map(({ labels, milligrams }) => `${labels.map((label) => label ?? '∅').join(' | ')}: ${milligrams}`).toSorted()

async function compare(
  subject: Subject,
  account: { accountId: number; key: string },
  asked: Omit<AskedSums, 'accountId'>,
) {
  const { groupBy, basis, from, to } = asked
  const query = new URLSearchParams({ date_basis: basis, ...(from && { from }), ...(to && { to }) })
  for (const name of groupBy) query.append('group_by', name)
  const report = await ask(subject, account.key, query.toString())
  const groups = (report['groups'] as Json[]).map((group) => ({
    labels: groupBy.map((name) => group[name] as string | null),
    milligrams: milligrams(group['total_emission']),
  }))
  const summed = await sumsInSql(subject.pool, { ...asked, accountId: account.accountId })
  const told = groups.filter((group) => group.milligrams !== 0n)
  assert.deepEqual(byLabels(told), byLabels(summed), query.toString())
  const total = summed.reduce((sum, group) => sum + group.milligrams, 0n)
  assert.equal(milligrams(report['total_emission']), total, query.toString())
  return told.length
}

async function compareAll(subject: Subject): Promise<number> {
  let compared = 0
  for (const account of Object.values(subject.accounts)) {
    for (const basis of BASES) {
      for (const groupBy of GROUPINGS) {
        for (const range of basis === 'tenure' ? RANGES : RANGES.slice(-1))
          compared += await compare(subject, account, { basis, groupBy, ...range })
      }
    }
  }
  return compared
}

test('reports are what SQL sums from the entries, before they are folded, half folded, and after', async (t) => {
  const { pool } = await freshDatabase()
  const subject = await openSubject(pool)
  t.after(() => subject.app.close())
  const histories = drawHistories(SEED, 2 * HISTORIES)
  await runHistories(subject, histories.slice(0, HISTORIES))
  assert.ok((await compareAll(subject)) > 60)
  await foldNow(pool)
  for (const [at, history] of histories.slice(HISTORIES).entries()) await checkHistory(subject, history, `later${at}-`)
  assert.ok((await compareAll(subject)) > 60)
  await foldNow(pool)
  assert.ok((await compareAll(subject)) > 60)
})
