// The accounts' mappings of their product ids in memory: right within a second in every process.
import type { Pool } from 'pg'
import type { DeviceType } from '../../engine/reference/reference-data.ts'
import type { Mapping, MappingOf } from '../../engine/reference/product-match.ts'
import { raceDeadline } from '../../concurrency/deadline.ts'

export interface MappingRow {
  readonly product_id: string
  readonly model_id: string | null
  readonly device_type: DeviceType | null
  readonly created_at: Date
}

/** Null where the mapping was taken back. */
export function mappingOfRow({
  model_id: modelId,
  device_type: deviceType,
}: Omit<MappingRow, 'created_at'>): Mapping | null {
  if (modelId !== null) return { modelId, deviceType: null }
  return deviceType === null ? null : { modelId: null, deviceType }
}

interface Kept {
  version: number
  readonly targets: Map<string, Mapping>
  readonly of: MappingOf
}

/** Mappings in memory by account. What changed since they were read is read alone, when a version tells of it. */
export function createMappingCache(pool: Pool, keptMax: number) {
  const accounts = new Map<number, Kept>()
  const reading = new Map<number, Promise<Kept>>()

  async function read(accountId: number): Promise<Kept> {
    const kept = accounts.get(accountId) ?? nothingKept()
    const { version, changed } = await readChanges(pool, accountId, kept.version)
    for (const row of changed) {
      const target = mappingOfRow(row)
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
    refresh: (accountId: number): Promise<Kept> => raceDeadline(refresh(accountId)),
    of: (accountId: number, version: number): MappingOf | Promise<MappingOf> => {
      const kept = accounts.get(accountId)
      if (kept && kept.version >= version) return kept.of
      return version === 0 ? UNMAPPED : raceDeadline(readUntil(accountId, version))
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
