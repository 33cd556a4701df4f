// Whether orders can be taken right now: the database answers in time, and has the schema of this release.
import type { Pool } from 'pg'
import { explainSchema } from './migrations/migrate.ts'
import type { Migration } from './migrations/migrate-files.ts'

/**
 * `database`: it does not answer in time, or with an error. `schema`: it is not the one of this release. `workers`: not
 * all of them serve.
 */
export type Readiness = 'ready' | 'database' | 'schema' | 'workers'

/**
 * A function that asks the database. However many ask at once, one question is under way: anybody may ask, without a
 * key, and a silent database must not have all connections wait for it.
 */
export function createReadiness(
  pool: Pool,
  migrations: readonly Migration[],
  answerMsMax: number,
): () => Promise<Readiness> {
  let underWay: Promise<Readiness> | undefined
  const ask = (): Promise<Readiness> => {
    const asked = explainSchema(pool, migrations).then(
      (fault): Readiness => (fault === undefined ? 'ready' : 'schema'),
      (): Readiness => 'database',
    )
    void asked.then(() => (underWay = undefined))
    return asked
  }
  return () => withinTime((underWay ??= ask()), answerMsMax)
}

function withinTime(asked: Promise<Readiness>, milliseconds: number): Promise<Readiness> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve('database'), milliseconds)
    void asked.then((readiness) => {
      clearTimeout(timer)
      resolve(readiness)
    })
  })
}
