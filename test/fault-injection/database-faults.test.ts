// A database without room, without connections, or read-only, for a few cycles each; and a trial that has to fail.
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { runRemoteCycles } from './remote-program.ts'
import { shortPlan, tryShort } from './short-trials.ts'

tryShort((id) => /^X[678]$/.test(id))

test('an order that was acknowledged and is gone is noticed, and so is an entry that is another', async () => {
  const { failures } = await runRemoteCycles(shortPlan(1), async ({ client, pool }) => {
    await client.untilServed(5_000)
    // The last by name is of this trial: its names have the highest number.
    const gone = '(select order_id from orders order by order_id desc limit 1)'
    await pool.query(`delete from entries where order_id = ${gone}`)
    await pool.query(`delete from orders where order_id = ${gone}`)
    const { rowCount } = await pool.query('update entries set use_mg = use_mg + 1')
    assert.ok(rowCount! > 0)
  })
  assert.match(failures.join('; '), /was acknowledged, and is stored 0 times/)
  assert.match(failures.join('; '), /verify --all: \d+ differences/)
})
