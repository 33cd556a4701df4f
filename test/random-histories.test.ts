// Random histories of orders and events: after every step the database, the answers and a plain model agree.
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { freshDatabase } from './fresh-database.ts'
import { drawHistories, openSubject, runHistories } from './history-run.ts'

const HISTORIES = 150
/** The same each time: another one is what `node scripts/random-histories.ts` is for. */
const SEED = 17

test('whatever is told, in whatever sequence, ledgers are what the methodology says, and close', async (t) => {
  const { pool } = await freshDatabase()
  const subject = await openSubject(pool)
  t.after(() => subject.app.close())
  const { steps, accepted, refused } = await runHistories(subject, drawHistories(SEED, HISTORIES))
  assert.ok(accepted > steps / 2 && refused > steps / 10, 'the histories have both what can happen and what cannot')
})
