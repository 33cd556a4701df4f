// Random histories under random changes: a scenario says what a fresh account would have been posted.
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { freshDatabase } from './fresh-database.ts'
import { checkScenarios, drawScenarios } from './model-based/random-scenarios.ts'
import { rounds } from './rounds.ts'

const [HISTORIES, SEED] = [rounds(40, 400), 31]

test('a scenario comes to what an account has to which the history was sent that way, in every year', async () => {
  const { pool } = await freshDatabase()
  const { histories, compared, moved } = await checkScenarios(pool, drawScenarios(SEED, HISTORIES))
  assert.ok(compared > histories / 2, `${compared} of ${histories} histories compared`)
  assert.ok(moved > compared / 2, `${moved} of ${compared} have a difference`)
})
