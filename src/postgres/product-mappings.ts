// The table of product mappings, and a cache of them that is at most a second old in every process.
import type { Pool, PoolClient } from 'pg'
import { raceDeadline } from '../concurrency/deadline.ts'
import type { Mapping, MappingOf } from '../engine/reference/product-match.ts'
import type { DeviceType } from '../engine/reference/reference-data.ts'
import { CLOCK_SQL } from './row-encoding.ts'
import { inTransaction, type Connection } from './transaction.ts'

interface MappingRow {
  readonly product_id: string
  readonly model_id: string | null
  readonly device_type: DeviceType | null
  readonly created_at: Date
}

/** Null if the mapping was removed. */
function mappingOfRow({ model_id: modelId, device_type: deviceType }: Omit<MappingRow, 'created_at'>): Mapping | null {
  if (modelId !== null) return { modelId, deviceType: null }
  return deviceType === null ? null : { modelId: null, deviceType }
}

interface CachedMappings {
  version: number
  readonly targets: Map<string, Mapping>
  readonly of: MappingOf
}

/** Cache of mappings by account. When a newer version is known, only the changes since the last read are read. */
function createMappingCache(pool: Pool, cachedMax: number) {
  const accounts = new Map<number, CachedMappings>()
  const reading = new Map<number, Promise<CachedMappings>>()

  async function read(accountId: number): Promise<CachedMappings> {
    const cached = accounts.get(accountId) ?? emptyCache()
    const { version, changed } = await readChanges(pool, accountId, cached.version)
    for (const row of changed) {
      const target = mappingOfRow(row)
      if (target) cached.targets.set(row.product_id, target)
      else cached.targets.delete(row.product_id)
    }
    cached.version = version
    accounts.set(accountId, cached)
    forgetOthers(accountId)
    return cached
  }

  /** The accounts that were cached first are removed first; they are read again when needed. */
  function forgetOthers(accountId: number): void {
    let count = 0
    for (const { targets } of accounts.values()) count += targets.size
    for (const [other, { targets }] of accounts) {
      if (count <= cachedMax) return
      if (other === accountId) continue
      accounts.delete(other)
      count -= targets.size
    }
  }

  /** One read at a time for an account. It begins after the call. */
  async function refresh(accountId: number): Promise<CachedMappings> {
    for (let other = reading.get(accountId); other; other = reading.get(accountId)) await other.catch(() => null)
    const begun = read(accountId).finally(() => reading.delete(accountId))
    reading.set(accountId, begun)
    return begun
  }

  async function readUntil(accountId: number, version: number): Promise<MappingOf> {
    const begun = await reading.get(accountId)
    return begun && begun.version >= version ? begun.of : (await refresh(accountId)).of
  }

  return {
    refresh: (accountId: number): Promise<CachedMappings> => raceDeadline(refresh(accountId)),
    of: (accountId: number, version: number): MappingOf | Promise<MappingOf> => {
      const cached = accounts.get(accountId)
      if (cached && cached.version >= version) return cached.of
      return version === 0 ? UNMAPPED : raceDeadline(readUntil(accountId, version))
    },
  }
}

const UNMAPPED: MappingOf = () => undefined

function emptyCache(): CachedMappings {
  const targets = new Map<string, Mapping>()
  return { version: 0, targets, of: (productId) => targets.get(productId) }
}

/** From one snapshot: the version, and every change since the known version. */
async function readChanges(pool: Pool, accountId: number, since: number) {
  const { rows } = await pool.query<Omit<MappingRow, 'product_id'> & { version: number; product_id: string | null }>({
    name: 'find-changed-mappings',
    text: `select mappings_version as version, product_id, model_id, device_type from accounts
      left join product_mappings using (account_id)
      where account_id = $1 and (product_mappings.version is null or product_mappings.version > $2)
      union all
      select mappings_version, null, null, null from accounts where account_id = $1`,
    values: [accountId, since],
  })
  const changed = rows.flatMap((row) => (row.product_id === null ? [] : [{ ...row, product_id: row.product_id }]))
  return { version: rows[0]?.version ?? since, changed }
}

/** A mapping to be stored. The product id is in its normalised form for comparison. */
export interface NewMapping {
  readonly productId: string
  readonly target: Mapping
}

export interface StoredMapping extends NewMapping {
  readonly mappedAt: Date
}

export interface MappingsOwner {
  readonly accountId: number
  /** The version in the account's row when its key was last looked up. */
  readonly mappingsVersion: number
}

export interface Mappings {
  /** The current mappings; synchronous if they are cached, as they nearly always are. */
  readonly of: (owner: MappingsOwner) => MappingOf | Promise<MappingOf>
  /** Stores all mappings or, if the account would have too many, none. */
  readonly put: (accountId: number, mappings: readonly NewMapping[]) => Promise<PutMappings>
  readonly find: (accountId: number, productId: string) => Promise<StoredMapping | null>
  /** Removes a mapping and returns it; null if there was none. */
  readonly remove: (accountId: number, productId: string) => Promise<StoredMapping | null>
}

export type PutMappings =
  | { readonly ok: true; readonly stored: readonly StoredMapping[] }
  /** How many mappings there are, and how many would have been added. */
  | { readonly ok: false; readonly holding: number; readonly added: number }

export interface MappingLimits {
  /** Product ids that an account may have mapped. */
  readonly mappingsPerAccountMax: number
  /** Mappings in the cache, for all accounts together. */
  readonly mappingsCachedMax: number
}

function toStored(row: MappingRow): StoredMapping | null {
  const target = mappingOfRow(row)
  return target ? { productId: row.product_id, target, mappedAt: row.created_at } : null
}

export function createMappings(pool: Pool, limits: MappingLimits): Mappings {
  const cache = createMappingCache(pool, limits.mappingsCachedMax)
  return {
    of: ({ accountId, mappingsVersion }) => cache.of(accountId, mappingsVersion),
    put: async (accountId, mappings) => {
      const put = await putMappings(pool, accountId, mappings, limits.mappingsPerAccountMax)
      // The next order in this process uses the new mappings, whatever version its key's look-up had.
      if (put.ok) await cache.refresh(accountId)
      return put
    },
    find: async (accountId, productId) => (await findMappings(pool, accountId, [{ productId }])).get(productId) ?? null,
    remove: async (accountId, productId) => {
      const removed = await removeMapping(pool, accountId, productId)
      if (removed) await cache.refresh(accountId)
      return removed
    },
  }
}

/**
 * Serialises the changes of an account: each locks the account's row in a statement before those that read what is
 * stored. So a reader of a version has seen all changes up to it, and concurrent changes do not exceed the limit
 * together.
 */
export async function lockAccount(connection: PoolClient, accountId: number): Promise<void> {
  await connection.query({
    name: 'lock-account',
    text: 'select from accounts where account_id = $1 for no key update',
    values: [accountId],
  })
}

const BUMPED = `bumped as (
    update accounts set mappings_version = mappings_version + 1 where account_id = $1 returning mappings_version
  )`

/** A mapping with the same content is not changed, and the version is incremented only if something changes. */
const putMappings = (
  pool: Pool,
  accountId: number,
  mappings: readonly NewMapping[],
  max: number,
): Promise<PutMappings> =>
  inTransaction(pool, async (connection): Promise<PutMappings> => {
    await lockAccount(connection, accountId)
    const there = await findMappings(connection, accountId, mappings)
    const added = mappings.filter(({ productId }) => !there.has(productId)).length
    if (added > 0) {
      const holding = await countMappings(connection, accountId)
      if (holding + added > max) return { ok: false, holding, added }
    }
    const changed = mappings.filter((mapping) => !isSame(mapping, there.get(mapping.productId)))
    const rows = changed.length === 0 ? [] : await storeMappings(connection, accountId, changed)
    const byId = new Map([...there, ...rows.map((row) => [row.product_id, toStored(row)!] as const)])
    return { ok: true, stored: mappings.map(({ productId }) => byId.get(productId)!) }
  })

const isSame = ({ target }: NewMapping, there: StoredMapping | undefined): boolean =>
  target.modelId === there?.target.modelId && target.deviceType === there.target.deviceType

/** The current mappings, by product id. */
async function findMappings(
  connection: Connection,
  accountId: number,
  wanted: readonly Pick<NewMapping, 'productId'>[],
): Promise<ReadonlyMap<string, StoredMapping>> {
  const { rows } = await connection.query<MappingRow>({
    name: 'find-mappings',
    text: `select product_id, model_id, device_type, created_at from product_mappings
      where account_id = $1 and product_id = any($2)`,
    values: [accountId, wanted.map(({ productId }) => productId)],
  })
  const stored = rows.map(toStored).filter((mapping) => mapping !== null)
  return new Map(stored.map((mapping) => [mapping.productId, mapping]))
}

async function countMappings(connection: Connection, accountId: number): Promise<number> {
  const { rows } = await connection.query<{ readonly count: number }>({
    name: 'count-mappings',
    text: `select count(*)::integer as count from product_mappings
      where account_id = $1 and (model_id is not null or device_type is not null)`,
    values: [accountId],
  })
  return rows[0]!.count
}

/** A product id whose mapping was removed already has a row. */
async function storeMappings(
  connection: Connection,
  accountId: number,
  mappings: readonly NewMapping[],
): Promise<readonly MappingRow[]> {
  const { rows } = await connection.query<MappingRow>({
    name: 'store-mappings',
    text: `with ${BUMPED}
      insert into product_mappings (account_id, product_id, model_id, device_type, version, created_at)
      select $1, product_id, model_id, device_type, mappings_version, ${CLOCK_SQL}
      from bumped, unnest($2::text[], $3::text[], $4::text[]) as sent (product_id, model_id, device_type)
      on conflict (account_id, product_id) do update set
        model_id = excluded.model_id, device_type = excluded.device_type, version = excluded.version,
        created_at = excluded.created_at
      returning product_id, model_id, device_type, created_at`,
    values: [
      accountId,
      mappings.map(({ productId }) => productId),
      mappings.map(({ target }) => target.modelId),
      mappings.map(({ target }) => target.deviceType),
    ],
  })
  return rows
}

const removeMapping = (pool: Pool, accountId: number, productId: string): Promise<StoredMapping | null> =>
  inTransaction(pool, async (connection) => {
    await lockAccount(connection, accountId)
    const known = (await findMappings(connection, accountId, [{ productId }])).get(productId)
    if (!known) return null
    await connection.query({
      name: 'delete-mapping',
      text: `with ${BUMPED}
        update product_mappings set model_id = null, device_type = null, version = mappings_version, created_at =
        ${CLOCK_SQL}
        from bumped where account_id = $1 and product_id = $2`,
      values: [accountId, productId],
    })
    return known
  })
