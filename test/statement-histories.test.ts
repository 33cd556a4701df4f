// Statements of random histories: year after year they close, and come to what the database's entries come to.
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { freshDatabase } from './fresh-database.ts'
import { drawHistories, openSubject, runHistories } from './history-run.ts'
import type { Subject } from './history-check.ts'
import { readStatement } from './statement-client.ts'

const HISTORIES = 4
const SEED = 23
/** Of each account; every one is asked for in every year. */
const CUSTOMERS = 4

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
      count(distinct serial_number) filter (where serial_number <> '') as devices,
      extract(year from least(min(tenure_start_date), min(start_date)))::integer as first,
      greatest(extract(year from max(posted_at)), extract(year from max(end_date)),
        extract(year from max(tenure_start_date)))::integer as last
    from entries join orders using (account_id, customer_id, order_id)
    where account_id = $1 group by customer_id having count(*) > 3 order by customer_id limit ${CUSTOMERS}`,
    [accountId],
  )
  return rows
}

const milligrams = (kilograms: number): bigint => BigInt(Math.round(kilograms * 1e6))

test('each year opens with what the one before closed, and the last closes with all that was posted', async (t) => {
  const subject = await openSubject((await freshDatabase()).pool)
  t.after(() => subject.app.close())
  await runHistories(subject, drawHistories(SEED, HISTORIES))
  let statements = 0
  for (const { accountId, key } of Object.values(subject.accounts)) {
    for (const { customer, posted, devices, first, last } of await sumsOf(subject, accountId)) {
      let opening = 0
      for (let year = first; year <= last; year += 1) {
        const { summary } = (await readStatement(subject.app, key, customer, year)).statement
        assert.equal(summary.opening_emission, opening, `${customer} ${year}`)
        opening = summary.closing_emission
        statements += 1
        if (year < last) continue
        assert.equal(milligrams(opening), posted, customer)
        assert.equal(summary.later_emission, 0, customer)
        assert.equal(summary.number_of_devices, Number(devices), customer)
      }
    }
  }
  assert.ok(statements > 30, `${statements} statements are too few`)
})
