// A restatement is posted while the program is killed: every order ends as its preview says, and all verifies.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { restateWithKills } from './fault-injection/restatement-kills.ts'
import { rounds } from './rounds.ts'

/** The same each time: other ones, more orders and more kills are what `npm run restatement-kills` is for. */
const PLAN = { orders: rounds(600, 2_000), kills: rounds(1, 2), seed: 1, report: () => undefined }

test('a restatement that is killed at any point ends as its preview says', async () => {
  const { changed, failures } = await restateWithKills(PLAN)
  assert.deepEqual(failures, [])
  assert.ok(changed > PLAN.orders / 4, `${changed} orders changed`)
})
