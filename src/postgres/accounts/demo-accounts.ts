// Demo accounts, each belonging to the account that it was made for: found, created, locked during loading, and deleted
// with all their rows.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool, PoolClient } from 'pg'
import { storeKey, type NewKey } from '../accounts.ts'
import { inTransaction } from '../transaction.ts'
import { deleteAll, hasImportUnderWay } from './delete-rows.ts'

export interface DemoAccount {
  readonly accountId: number
  readonly name: string
  /** Last day that the demo data covers, as YYYY-MM-DD. */
  readonly today: string
  /** Number of orders and events to load. */
  readonly facts: number
  /** When loading was complete; null until then. */
  readonly loadedAt: Date | null
}

export interface DemoCounts {
  readonly orders: number
  readonly devices: number
  readonly events: number
}

/** `of-demo`: the calling account is itself a demo account. `name-taken`: an ordinary account has the name. */
export type OpenedDemo = DemoAccount | 'of-demo' | 'name-taken'

/** `busy`: the demo account is being loaded, or a file is being imported into it. */
export type RemovedDemo = { readonly name: string; readonly rows: number } | 'none' | 'busy'

const FIELDS = `account_id as "accountId", name, (created_at at time zone 'UTC')::date::text as today,
  demo_facts as facts, demo_loaded_at as "loadedAt"`

export async function findDemo(pool: Pool, ownerId: number): Promise<DemoAccount | null> {
  const text = `select ${FIELDS} from accounts where demo_of = $1`
  return (await pool.query<DemoAccount>(text, [ownerId])).rows[0] ?? null
}

/** Finds or creates the demo account of an account, for this number of orders and events up to the present day. */
export async function openDemo(pool: Pool, ownerId: number, now: Date, facts: number): Promise<OpenedDemo> {
  const owners = 'select name, demo_of is not null as "isDemo" from accounts where account_id = $1'
  const owner = (await pool.query<{ readonly name: string; readonly isDemo: boolean }>(owners, [ownerId])).rows[0]!
  if (owner.isDemo) return 'of-demo'
  const text =
    'insert into accounts (name, demo_of, demo_facts, created_at) values ($1, $2, $3, $4) on conflict do nothing'
  await pool.query(text, [`${owner.name} (demo fleet)`, ownerId, facts, now])
  return (await findDemo(pool, ownerId)) ?? 'name-taken'
}

export async function countDemo(pool: Pool, accountId: number): Promise<DemoCounts> {
  const { rows } = await pool.query<DemoCounts>(
    `select (select count(*)::integer from orders where account_id = $1) as orders,
      (select count(*)::integer from devices where account_id = $1) as devices,
      (select count(*)::integer from events where account_id = $1) as events`,
    [accountId],
  )
  return rows[0]!
}

/** Creates a key for a demo account; null if the account has been removed. */
export const makeDemoKey = (pool: Pool, accountId: number, key: NewKey): Promise<string | null> =>
  inTransaction(pool, async (connection) =>
    (await keepThere(connection, accountId)) ? (await storeKey(connection, accountId, key)).secret : null,
  )

/**
 * Loads a demo account, which cannot be removed meanwhile. Does nothing if the account has been removed.
 * @param load returns true if it loaded everything
 */
export const loadDemo = (pool: Pool, accountId: number, load: () => Promise<boolean>): Promise<void> =>
  inTransaction(pool, async (connection) => {
    if (!(await keepThere(connection, accountId)) || !(await load())) return
    const text = 'update accounts set demo_loaded_at = coalesce(demo_loaded_at, now()) where account_id = $1'
    await connection.query(text, [accountId])
  })

/** Takes a key-share lock: no transaction can remove the account until this one ends. False if the account is gone. */
async function keepThere(connection: PoolClient, accountId: number): Promise<boolean> {
  const text = 'select from accounts where account_id = $1 for key share'
  return (await connection.query(text, [accountId])).rowCount === 1
}

/**
 * Removes the demo fleet of an account. Its keys are revoked immediately. When no process can accept them any more, all
 * rows of the demo account are deleted in one transaction. Only demo accounts can be removed.
 * @param keysKnownMs how long a process may accept a revoked key, because it caches keys
 */
export async function removeDemo(pool: Pool, ownerId: number, keysKnownMs: number): Promise<RemovedDemo> {
  const demo = await findDemo(pool, ownerId)
  if (!demo) return 'none'
  const { accountId, name } = demo
  const isRevoked = await inTransaction(pool, async (connection) => {
    if (!(await isIdle(connection, accountId))) return false
    const text = 'update api_keys set revoked_at = now() where account_id = $1 and revoked_at is null'
    await connection.query(text, [accountId])
    return true
  })
  if (!isRevoked) return 'busy'
  await sleep(keysKnownMs)
  const rows = await inTransaction(pool, async (connection) =>
    (await isIdle(connection, accountId)) ? deleteAll(connection, [accountId]) : null,
  )
  return rows === null ? 'busy' : { name, rows }
}

/**
 * True if the account is neither being loaded nor has an import under way. Either can start only after this
 * transaction.
 */
async function isIdle(connection: PoolClient, accountId: number): Promise<boolean> {
  const own = 'select from accounts where account_id = $1 and demo_of is not null for update skip locked'
  if ((await connection.query(own, [accountId])).rowCount === 0) return false
  return !(await hasImportUnderWay(connection, [accountId]))
}
