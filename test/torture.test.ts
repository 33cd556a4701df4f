// The program ended, starved and cut off in every way, for a few cycles each: what was promised of orders holds.
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { kindsOf } from './torture/kinds.ts'
import { runRemoteCycles } from './torture/remote-program.ts'

/** The same each time: other ones, and more cycles, are what `npm run torture` is for. */
const SEED = 11

const PLAN = { seed: SEED, writers: 4, tell: () => undefined }

const KINDS = kindsOf('short').filter(({ shortCycles }) => shortCycles > 0)

for (const { id, title, shortCycles: cycles, obstacle, run } of KINDS) {
  test(`${id}: ${title}: nothing acknowledged is lost, and every row is what its facts give`, async (t) => {
    const missing = obstacle?.() ?? null
    if (missing !== null) return t.skip(missing)
    const { failures, counts } = await run({ ...PLAN, cycles })
    assert.deepEqual(failures, [])
    assert.ok(counts.acknowledged > 0)
  })
}

test('an order that was acknowledged and is gone is noticed, and so is an entry that is another', async () => {
  const { failures } = await runRemoteCycles({ ...PLAN, cycles: 1 }, async ({ client, pool }) => {
    await client.untilServed(5_000)
    const gone = '(select order_id from orders order by order_id limit 1)'
    await pool.query(`delete from entries where order_id = ${gone}`)
    await pool.query(`delete from orders where order_id = ${gone}`)
    const { rowCount } = await pool.query('update entries set use_mg = use_mg + 1')
    assert.ok(rowCount! > 0)
  })
  assert.match(failures.join('; '), /was acknowledged, and is stored 0 times/)
  assert.match(failures.join('; '), /verify --all: \d+ differences/)
})
