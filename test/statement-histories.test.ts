// Statements of random histories: they close, and reports and the ledgers of devices say the same, to the milligram.
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { PARTS } from '../src/engine/numbers/emission.ts'
import type { Amounts, Statement } from '../src/statements/statement.ts'
import type { Json } from './document-check.ts'
import { freshDatabase } from './fresh-database.ts'
import { drawHistories, openSubject, runHistories } from './model-based/history-run.ts'
import type { Subject } from './model-based/history-check.ts'
import { sumsInSql } from './report-sums.ts'
import { readStatement } from './statement-client.ts'

const HISTORIES = 4
const SEED = 23

type Account = Subject['accounts']['capped']

interface CustomerSum {
  readonly customer: string
  readonly posted: bigint
  readonly devices: bigint
  readonly first: number
  readonly last: number
}

/** By SQL alone, from what is stored: what was posted to each customer, and the years that this may lie in. */
async function sumsOf({ pool }: Subject, accountId: number): Promise<readonly CustomerSum[]> {
  const { rows } = await pool.query<CustomerSum>(
    `select customer_id as customer, sum(embodied_mg + use_mg + packaging_mg + transportation_mg)::bigint as posted,
      count(distinct serial_number) filter (where serial_number <> '' and not exists (
        select from entries as left_order
        where left_order.account_id = entries.account_id and left_order.serial_number = entries.serial_number
          and left_order.customer_id = entries.customer_id and left_order.order_id = entries.order_id
          and left_order.reason = 'withdrawal' and left_order.months is not null and left_order.in_force_reason is null
      )) as devices,
      extract(year from least(min(tenure_start_date), min(start_date)))::integer as first,
      greatest(extract(year from max(posted_at)), extract(year from max(end_date)),
        extract(year from max(tenure_start_date)))::integer as last
    from entries join orders using (account_id, customer_id, order_id)
    where account_id = $1 group by customer_id order by customer_id`,
    [accountId],
  )
  return rows
}

const milligrams = (kilograms: unknown): bigint => BigInt(Math.round(Number(kilograms) * 1e6))

async function ask({ app }: Subject, { key }: Account, url: string): Promise<Json> {
  const { statusCode, body } = await app.inject({ url, headers: { 'x-api-key': key } })
  assert.equal(statusCode, 200, body.slice(0, 300))
  return JSON.parse(body) as Json
}

/** Milligrams under names that tell what they are of; none where there are none. */
type Sums = Map<string, bigint>

function addParts(sums: Sums, name: string, amounts: Amounts): void {
  for (const part of PARTS) {
    const sum = (sums.get(`${name} ${part}`) ?? 0n) + milligrams(amounts[part])
    if (sum === 0n) sums.delete(`${name} ${part}`)
    else sums.set(`${name} ${part}`, sum)
  }
}

const told = (sums: Iterable<readonly [string, bigint]>) => [...sums].map(([name, sum]) => `${name}: ${sum}`).sort()

async function compareReport(subject: Subject, account: Account, { customer_id, year, by_month }: Statement) {
  const query = new URLSearchParams({
    date_basis: 'tenure',
    customer: customer_id,
    from: `${year}-01`,
    to: `${year}-12`,
  })
  const report = await ask(subject, account, `/api/reports/emissions?group_by=month,part&${query.toString()}`)
  const reported = (report['groups'] as Json[]).map(
    ({ month, part, total_emission }) => [`${String(month)} ${String(part)}`, milligrams(total_emission)] as const,
  )
  const stated: Sums = new Map()
  for (const { month, ...amounts } of by_month) addParts(stated, month, amounts)
  assert.deepEqual(told(reported.filter(([, sum]) => sum !== 0n)), told(stated), query.toString())
}

/** Ledgers by year, by SQL from their entries; and the whole of each as its own operation has it. */
async function compareLedgers(subject: Subject, account: Account, stated: Sums): Promise<void> {
  const ledgers = await sumsInSql(subject.pool, {
    accountId: account.accountId,
    basis: 'tenure',
    groupBy: ['device', 'year', 'part'],
    where: `device <> ''`,
  })
  assert.deepEqual(told(ledgers.map(({ labels, milligrams: sum }) => [labels.join(' '), sum] as const)), told(stated))
  for (const [device, years] of Map.groupBy(stated, ([name]) => name.split(' ')[0]!)) {
    const ledger = await ask(subject, account, `/api/device-emissions/${device}`)
    assert.equal(
      milligrams(ledger['total_emission']),
      years.reduce((sum, [, one]) => sum + one, 0n),
      device,
    )
  }
}

test('years open with what those before closed, the last closes with all, and reports and ledgers agree', async (t) => {
  const subject = await openSubject((await freshDatabase()).pool)
  t.after(() => subject.app.close())
  await runHistories(subject, drawHistories(SEED, HISTORIES))
  let statements = 0
  for (const account of Object.values(subject.accounts)) {
    const ofDevices: Sums = new Map()
    for (const { customer, posted, devices, first, last } of await sumsOf(subject, account.accountId)) {
      let opening = 0
      for (let year = first; year <= last; year += 1) {
        const { statement } = await readStatement(subject.app, account.key, customer, year)
        const { summary } = statement
        assert.equal(summary.opening_emission, opening, `${customer} ${year}`)
        opening = summary.closing_emission
        statements += 1
        await compareReport(subject, account, statement)
        for (const device of statement.devices) addParts(ofDevices, `${device.serial_number} ${year}`, device.year)
        if (year < last) continue
        assert.equal(milligrams(opening), posted, customer)
        assert.equal(summary.posted_later_emission, 0, customer)
        assert.equal(summary.number_of_devices, Number(devices), customer)
      }
    }
    await compareLedgers(subject, account, ofDevices)
  }
  assert.ok(statements > 30, `${statements} statements are too few`)
})
