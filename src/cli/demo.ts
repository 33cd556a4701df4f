// `cradle demo`: loads and removes the demo fleet of an account, whether or not a service is running.
import { readConfig } from '../config.ts'
import { BUSY, REFUSALS, type StartedDemoLoad, type DemoFleets } from '../http/routes/demo-fleet.ts'
import { createDemoFleets } from '../demo-fleets.ts'
import { findAccountByName } from '../postgres/accounts.ts'
import { openCurrentSchema } from '../postgres/database.ts'
import { loadCurrentRelease, print } from './context.ts'

interface Options {
  readonly account: string
  readonly json?: boolean
}

export async function loadDemoCommand({ account, json: isJson }: Options): Promise<void> {
  const { demo, counts, key, keyExpiresAt, seconds } = await withDemoFleets(account, loadWhole)
  if (isJson) return print(JSON.stringify({ account: demo.name, ...counts, key, key_expires_at: keyExpiresAt }))
  print(`account ${demo.name}`)
  print(`orders ${counts.orders}, devices ${counts.devices}, events ${counts.events}`)
  print(`${seconds.toFixed(1)} s`)
  print(`key ${key}, until ${keyExpiresAt.toISOString()}`)
}

/** @throws Error if no demo fleet can be loaded, or if loading fails */
async function loadWhole(
  fleets: DemoFleets,
  accountId: number,
): Promise<StartedDemoLoad & { readonly seconds: number }> {
  const begunAt = performance.now()
  const begun = await fleets.load(accountId)
  if (typeof begun === 'string') throw new Error(REFUSALS[begun].message)
  await begun.loading
  const fleet = await fleets.find(accountId)
  if (!fleet?.demo.loadedAt) throw new Error('The demo fleet is not whole; load it again to have the rest')
  return { ...begun, ...fleet, seconds: (performance.now() - begunAt) / 1000 }
}

export async function removeDemoCommand({ account }: Options): Promise<void> {
  const removed = await withDemoFleets(account, (fleets, accountId) => fleets.remove(accountId))
  if (removed === 'none') throw new Error(`"${account}" has no demo fleet`)
  if (removed === 'busy') throw new Error(BUSY.message)
  process.stderr.write(`"${removed.name}" is removed, ${removed.rows} rows.\n`)
}

async function withDemoFleets<Result>(
  account: string,
  use: (fleets: DemoFleets, accountId: number) => Promise<Result>,
): Promise<Result> {
  const { pool, close } = await openCurrentSchema(readConfig(process.env))
  try {
    const accountId = await findAccountByName(pool, account)
    if (accountId === null) throw new Error(`There is no account "${account}"; see cradle accounts list`)
    // This process serves no requests.
    const fleets = createDemoFleets(
      pool,
      await loadCurrentRelease(pool),
      () => false,
      (error) => void process.stderr.write(`${error.message}\n`),
    )
    return await use(fleets, accountId)
  } finally {
    await close()
  }
}
