// Random histories of orders and events: after every step the database, the answers and a plain model agree.
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { freshDatabase } from './fresh-database.ts'
import { checkHistory } from './model-based/history-check.ts'
import { drawHistories, openSubject, runHistories } from './model-based/history-run.ts'
import { rounds } from './rounds.ts'

const HISTORIES = rounds(16, 100)
/** The same each time: another one is what `node scripts/random-histories.ts` is for. */
const SEED = 17

test('whatever is told, in whatever sequence, ledgers are what the methodology says, and close', async (t) => {
  const { pool } = await freshDatabase()
  const subject = await openSubject(pool)
  t.after(() => subject.app.close())
  const { steps, accepted, refused, withdrawn, corrected } = await runHistories(subject, drawHistories(SEED, HISTORIES))
  assert.ok(withdrawn >= 10 && corrected >= 10, `${withdrawn} withdrawals, ${corrected} corrections`)
  assert.ok(accepted > steps / 2 && refused > steps / 10, 'the histories have both what can happen and what cannot')
})

test('nothing is left of a device that is gone, even where its shares end on half a milligram', async (t) => {
  const { pool } = await freshDatabase()
  const subject = await openSubject(pool)
  t.after(() => subject.app.close())
  const devices = [{ serial: 's0', model: 'apple-macbook-air-13-m3', tenure: 36 }]
  const order = { kind: 'order', order: 'c0/o0', orderId: 'o0', customer: 'c0', start: '2025-03-01' } as const
  // Rented for 3 months and a day of 30: 109.35 kg × 3 1/30 ÷ 48 = 6.9103125 kg.
  const lost = { kind: 'device-event', id: 'd0', serial: 's0', type: 'lost', date: '2025-06-02' } as const
  const facts = [{ ...order, devices, transports: [], packagings: [] }, lost]
  const steps = facts.map((fact) => ({ kind: 'tell', fact }) as const)
  await checkHistory(subject, { isCapped: true, steps, resequencing: [0] }, 'half-')
})
