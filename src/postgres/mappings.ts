// The account's mappings of its product ids, in the database and in memory: right within a second in every process.
import type { Pool } from 'pg'
import type { DeviceType } from '../engine/factor-book.ts'
import type { Mapping, MappingOf } from '../engine/find-product.ts'
import { NOW } from './statement-columns.ts'

/** A mapping as it is handed over. The product id is in the form in which they are compared. */
export interface NewMapping {
  readonly productId: string
  readonly target: Mapping
}

export interface StoredMapping extends NewMapping {
  readonly mappedAt: Date
}

export interface MappingsOwner {
  readonly accountId: number
  /** What the account's row said when its key was last looked up. */
  readonly mappingsVersion: number
}

export interface Mappings {
  /** The mappings that hold: at once where they are in memory, as they nearly always are. */
  readonly of: (owner: MappingsOwner) => MappingOf | Promise<MappingOf>
  /** All of them or, where the account would have too many, none: then false. */
  readonly put: (accountId: number, mappings: readonly NewMapping[]) => Promise<readonly StoredMapping[] | false>
  readonly find: (accountId: number, productId: string) => Promise<StoredMapping | null>
  /** Takes a mapping back, and says what it was; null where there was none. */
  readonly remove: (accountId: number, productId: string) => Promise<StoredMapping | null>
}

export interface MappingLimits {
  /** Product ids that an account may have mapped, those included whose mapping was taken back. */
  readonly mappingsPerAccountMax: number
  /** Mappings in memory, of all accounts together. */
  readonly mappingsKeptMax: number
}

interface MappingRow {
  readonly product_id: string
  readonly model_id: string | null
  readonly device_type: DeviceType | null
  readonly created_at: Date
}

/** Null where the mapping was taken back. */
function toTarget({ model_id: modelId, device_type: deviceType }: Omit<MappingRow, 'created_at'>): Mapping | null {
  if (modelId !== null) return { modelId, deviceType: null }
  return deviceType === null ? null : { modelId: null, deviceType }
}

function toStored(row: MappingRow | undefined): StoredMapping | null {
  const target = row && toTarget(row)
  return target ? { productId: row.product_id, target, mappedAt: row.created_at } : null
}

export function createMappings(pool: Pool, limits: MappingLimits): Mappings {
  const kept = keepMappings(pool, limits.mappingsKeptMax)
  return {
    of: ({ accountId, mappingsVersion }) => kept.of(accountId, mappingsVersion),
    put: async (accountId, mappings) => {
      const rows = await putMappings(pool, accountId, mappings, limits.mappingsPerAccountMax)
      // The next order that this process sees is charged by them, whatever its key's look-up said before.
      if (rows) await kept.refresh(accountId)
      return rows && rows.map((row) => toStored(row)!)
    },
    find: async (accountId, productId) => {
      const { rows } = await pool.query<MappingRow>({
        name: 'find-mapping',
        text: `select product_id, model_id, device_type, created_at from product_mappings
          where account_id = $1 and product_id = $2`,
        values: [accountId, productId],
      })
      return toStored(rows[0])
    },
    remove: async (accountId, productId) => {
      const removed = await removeMapping(pool, accountId, productId)
      await kept.refresh(accountId)
      return removed
    },
  }
}

/**
 * Changes of one account follow one another, since each counts up the account's version first; so whoever has seen a
 * version has seen all changes up to it.
 */
const BUMPED = `bumped as (
    update accounts set mappings_version = mappings_version + 1 where account_id = $1 returning mappings_version
  )`

/** One with the same content stays as it was. False where the account would have more than `max`. */
async function putMappings(
  pool: Pool,
  accountId: number,
  mappings: readonly NewMapping[],
  max: number,
): Promise<readonly MappingRow[] | false> {
  const { rows } = await pool.query<MappingRow>({
    name: 'put-mappings',
    text: `with sent as (
        select * from unnest($2::text[], $3::text[], $4::text[]) as sent (product_id, model_id, device_type)
      ), ${BUMPED}
      insert into product_mappings as there (account_id, product_id, model_id, device_type, version, created_at)
      select $1, product_id, model_id, device_type, mappings_version, ${NOW} from sent, bumped
      where (select count(*) from product_mappings where account_id = $1)
        + (select count(*) from sent where not exists (
            select from product_mappings as known where known.account_id = $1 and known.product_id = sent.product_id
          )) <= $5
      on conflict (account_id, product_id) do update set
        model_id = excluded.model_id, device_type = excluded.device_type, version = excluded.version,
        created_at = case
          when (there.model_id, there.device_type) is not distinct from (excluded.model_id, excluded.device_type)
          then there.created_at else excluded.created_at
        end
      returning product_id, model_id, device_type, created_at`,
    values: [
      accountId,
      mappings.map(({ productId }) => productId),
      mappings.map(({ target }) => target.modelId),
      mappings.map(({ target }) => target.deviceType),
      max,
    ],
  })
  if (rows.length < mappings.length) return false
  const byId = new Map(rows.map((row) => [row.product_id, row]))
  return mappings.map(({ productId }) => byId.get(productId)!)
}

async function removeMapping(pool: Pool, accountId: number, productId: string): Promise<StoredMapping | null> {
  const { rows } = await pool.query<MappingRow>({
    name: 'remove-mapping',
    text: `with known as (
        select product_id, model_id, device_type, created_at from product_mappings
        where account_id = $1 and product_id = $2 and (model_id is not null or device_type is not null)
      ), ${BUMPED}, removed as (
        update product_mappings set model_id = null, device_type = null, version = mappings_version, created_at = ${NOW}
        from bumped where account_id = $1 and product_id in (select product_id from known)
      )
      select * from known`,
    values: [accountId, productId],
  })
  return toStored(rows[0])
}

interface Kept {
  version: number
  readonly targets: Map<string, Mapping>
  readonly of: MappingOf
}

/** Mappings in memory by account. What changed since they were read is read alone, when a version tells of it. */
function keepMappings(pool: Pool, keptMax: number) {
  const accounts = new Map<number, Kept>()
  const reading = new Map<number, Promise<Kept>>()

  async function read(accountId: number): Promise<Kept> {
    const kept = accounts.get(accountId) ?? nothingKept()
    const { version, changed } = await readChanges(pool, accountId, kept.version)
    for (const row of changed) {
      const target = toTarget(row)
      if (target) kept.targets.set(row.product_id, target)
      else kept.targets.delete(row.product_id)
    }
    kept.version = version
    accounts.set(accountId, kept)
    forgetOthers(accountId)
    return kept
  }

  /** Those that have been in memory for longest go first; they are read again when they are asked for. */
  function forgetOthers(accountId: number): void {
    let count = 0
    for (const { targets } of accounts.values()) count += targets.size
    for (const [other, { targets }] of accounts) {
      if (count <= keptMax) return
      if (other === accountId) continue
      accounts.delete(other)
      count -= targets.size
    }
  }

  /** One reading at a time for an account, begun after the call. */
  async function refresh(accountId: number): Promise<Kept> {
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
    refresh,
    of: (accountId: number, version: number): MappingOf | Promise<MappingOf> => {
      const kept = accounts.get(accountId)
      if (kept && kept.version >= version) return kept.of
      return version === 0 ? UNMAPPED : readUntil(accountId, version)
    },
  }
}

const UNMAPPED: MappingOf = () => undefined

function nothingKept(): Kept {
  const targets = new Map<string, Mapping>()
  return { version: 0, targets, of: (productId) => targets.get(productId) }
}

/** Of one moment: the version, and every change up to it since the one that is known. */
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
