// A file is imported while the program is killed: every order is stored once, every fault told once.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { importWithKills } from './fault-injection/import-kills.ts'
import { rounds } from './rounds.ts'

/** The same each time: other ones, more orders and more kills are what `npm run imports` is for. */
const PLAN = { orders: 800, kills: rounds(1, 2), seed: 11, workers: 1, isPatient: false, report: () => undefined }

test('an import that is killed at any point comes to what it comes to undisturbed', async () => {
  const { undisturbed, failures } = await importWithKills(PLAN)
  assert.deepEqual(failures, [])
  assert.equal(undisturbed['state'], 'succeeded')
  const counts = ['orders_stored', 'orders_rejected'].map((name) => Number(undisturbed[name]))
  assert.ok(counts.every((count) => count > 0))
  assert.equal(counts[0]! + counts[1]!, PLAN.orders)
})

test('an import beside two workers, of which one is killed, comes to what it comes to undisturbed', async () => {
  const { undisturbed, failures } = await importWithKills({ ...PLAN, orders: 400, kills: 1, workers: 2 })
  assert.deepEqual(failures, [])
  assert.equal(undisturbed['state'], 'succeeded')
})
