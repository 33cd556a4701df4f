// Random histories, restated by random releases and scopes.
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { freshDatabase } from './fresh-database.ts'
import { drawHistories, openSubject, runHistories } from './model-based/history-run.ts'
import { checkRestatements } from './model-based/random-restatements.ts'
import { rounds } from './rounds.ts'

/** The same each time: other ones, and 1,000 of them, are what `npm run restatements` is for. */
const [HISTORIES, RESTATEMENTS, SEED] = [rounds(8, 12), rounds(8, 12), 29]

test('what a restatement posts is its preview, cause by cause, for every order and year, and back again', async (t) => {
  const { pool } = await freshDatabase()
  const subject = await openSubject(pool)
  t.after(() => subject.app.close())
  await runHistories(subject, drawHistories(SEED, HISTORIES))
  const { restatements, changed } = await checkRestatements(subject, RESTATEMENTS, SEED)
  assert.ok(restatements >= RESTATEMENTS / 2, `${restatements} restatements`)
  assert.ok(changed > RESTATEMENTS, `${changed} orders changed`)
})
