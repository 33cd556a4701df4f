// Runs many random histories against one service, several at a time; of one that fails it finds the shortest that does.
import { AssertionError } from 'node:assert'
import { inspect } from 'node:util'
import fc from 'fast-check'
import type { Pool } from 'pg'
import { buildApp } from '../../src/app.ts'
import { SCOPES, createKey, ensureAccount, setAmortisation } from '../../src/postgres/accounts.ts'
import { migrate, readMigrations } from '../../src/postgres/migrations.ts'
import { readCaseBook } from '../case-book.ts'
import { historyArbitrary, type History } from './history-arbitrary.ts'
import { CATALOGUE, checkHistory, type Subject, type Tally } from './history-check.ts'

const AT_ONCE = 8

/** The service with the worked examples' factors on an empty database, with an account of each kind. */
export async function openSubject(pool: Pool): Promise<Subject> {
  await migrate(pool, readMigrations())
  const app = await buildApp(pool, readCaseBook('book.json'), new Map(), false)
  const accounts = { capped: await createAccount(pool, 'capped'), uncapped: await createAccount(pool, 'uncapped') }
  return { app, pool, accounts }
}

async function createAccount(pool: Pool, amortisation: 'capped' | 'uncapped') {
  const { accountId } = await ensureAccount(pool, amortisation)
  await setAmortisation(pool, amortisation, amortisation)
  return { accountId, key: await createKey(pool, accountId, SCOPES, null) }
}

export const drawHistories = (seed: number, numRuns: number): readonly History[] =>
  fc.sample(historyArbitrary(Object.keys(CATALOGUE)), { seed, numRuns })

/**
 * @param onDone told of each history when it is done, with all that was done so far
 * @throws Error with the shortest history found that shows the first difference
 */
export async function runHistories(
  subject: Subject,
  histories: readonly History[],
  onDone: (done: number, tally: Tally) => void = () => {},
): Promise<Tally> {
  const left = histories.entries()
  let done = 0
  let tally: Tally = { steps: 0, accepted: 0, refused: 0, withdrawn: 0, corrected: 0 }
  const runInTurn = async () => {
    for (const [at, history] of left) {
      const one = await checkHistory(subject, history, `h${at}-`).catch((error: unknown) =>
        giveShortest(subject, history, `h${at}-`, error),
      )
      tally = {
        steps: tally.steps + one.steps,
        accepted: tally.accepted + one.accepted,
        refused: tally.refused + one.refused,
        withdrawn: tally.withdrawn + one.withdrawn,
        corrected: tally.corrected + one.corrected,
      }
      onDone((done += 1), tally)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, runInTurn))
  return tally
}

/** Leaves out step after step for as long as the rest still differs. */
async function giveShortest(subject: Subject, history: History, prefix: string, error: unknown): Promise<never> {
  let [shortest, failure] = [history, error]
  let attempts = 0
  for (let isShorter = true; isShorter;) {
    isShorter = false
    for (const at of shortest.steps.keys()) {
      const shorter = { ...shortest, steps: shortest.steps.toSpliced(at, 1) }
      const found = await failureOf(subject, shorter, `${prefix}x${(attempts += 1)}-`)
      if (!found) continue
      ;[shortest, failure, isShorter] = [shorter, found, true]
      break
    }
  }
  const told = inspect(shortest, { depth: 9, breakLength: 118 })
  throw new Error(`${failure instanceof Error ? failure.message : String(failure)}\nin the history\n${told}`)
}

async function failureOf(subject: Subject, history: History, prefix: string): Promise<AssertionError | null> {
  try {
    await checkHistory(subject, history, prefix)
    return null
  } catch (error) {
    if (error instanceof AssertionError) return error
    throw error
  }
}
