// The table of accounts' own figures: versions that never change, the latest of which applies to new orders.
import type { Pool, PoolClient } from 'pg'
import { giveReasons, isCompared, type UnexplainedJump } from '../engine/electricity/figure-reasons.ts'
import { isInventoryKind, type InventoryFigureKind } from '../engine/electricity/inventory-figures.ts'
import type { OwnFigureRow } from '../engine/reference/read-own-figures.ts'
import { lockAccount } from './product-mappings.ts'
import { inTransaction, type Connection } from './transaction.ts'

type Kind = OwnFigureRow['kind'] | InventoryFigureKind

/** The members of a figure as they were sent, apart from its id. */
export type FigureBody = Readonly<Record<string, unknown>>

export interface NewFigure {
  readonly id: string
  readonly body: FigureBody
}

export interface StoredFigure extends NewFigure {
  /** From 1; a figure that was withdrawn and is stored again has the next version. */
  readonly version: number
  readonly createdAt: Date
}

export interface FiguresChange {
  readonly accountId: number
  readonly keyId: number | null
  readonly kind: Kind
}

export type PutFigures =
  /** `figuresVersion` is null if nothing of a release changed; `changes` counts the new versions. */
  | {
      readonly ok: true
      readonly stored: readonly StoredFigure[]
      readonly changes: number
      readonly figuresVersion: number | null
    }
  /** The figures that may not be replaced, and what is stored of the first one. */
  | {
      readonly ok: false
      readonly why: 'other-version'
      readonly stored: StoredFigure | null
      readonly ids: readonly string[]
    }
  /** Figures that need a reason. */
  | { readonly ok: false; readonly why: 'no-reason'; readonly jumps: readonly UnexplainedJump[] }
  /** How many figures of the kind there are, and how many would have been added. */
  | { readonly ok: false; readonly why: 'too-many'; readonly holding: number; readonly added: number }

export type RemovedFigure =
  | { readonly ok: true; readonly removed: StoredFigure; readonly figuresVersion: number | null }
  | { readonly ok: false; readonly stored: StoredFigure | null }

/** True if what is stored may be replaced; null for a figure that is not stored. */
export type MayReplace = (stored: StoredFigure | null) => boolean

export interface PutRules {
  readonly mayReplace: MayReplace
  /** For figures that need one and have none; null for none. */
  readonly reason: string | null
}

export interface AccountFigures {
  /** The figures of a kind that apply to new orders, by id. */
  readonly list: (accountId: number, kind: Kind) => Promise<readonly StoredFigure[]>
  readonly find: (accountId: number, kind: Kind, id: string) => Promise<StoredFigure | null>
  /** Stores all figures or none. One with the content that it has already is not changed. */
  readonly put: (change: FiguresChange, figures: readonly NewFigure[], rules: PutRules) => Promise<PutFigures>
  /** Withdraws a figure: orders that were made with it keep it. */
  readonly remove: (change: FiguresChange, id: string, mayReplace: MayReplace) => Promise<RemovedFigure>
}

interface FigureRow {
  readonly id: string
  readonly version: number
  readonly body: FigureBody
  readonly isWithdrawn: boolean
  readonly createdAt: Date
}

export const createAccountFigures = (pool: Pool, figuresPerKindMax: number): AccountFigures => ({
  list: (accountId, kind) => listFigures(pool, accountId, kind),
  find: async (accountId, kind, id) => {
    const found = (await findLatest(pool, accountId, kind, [id])).get(id)
    return found && !found.isWithdrawn ? found : null
  },
  put: (change, figures, rules) =>
    inTransaction(pool, (connection) => putFigures(connection, change, figures, { ...rules, figuresPerKindMax })),
  remove: (change, id, mayReplace) =>
    inTransaction(pool, (connection) => removeFigure(connection, change, id, mayReplace)),
})

const FIELDS = 'figure_id as id, version, body, is_withdrawn as "isWithdrawn", created_at as "createdAt"'

async function listFigures(connection: Connection, accountId: number, kind: Kind): Promise<readonly StoredFigure[]> {
  const { rows } = await connection.query<FigureRow>({
    name: 'list-figures',
    text: `select * from (
        select distinct on (figure_id) ${FIELDS} from account_figures where account_id = $1 and kind = $2
        order by figure_id, version desc
      ) latest where not "isWithdrawn" order by id`,
    values: [accountId, kind],
  })
  return rows
}

/** The latest versions, also if they are withdrawn. */
async function findLatest(
  connection: Connection,
  accountId: number,
  kind: Kind,
  ids: readonly string[],
): Promise<ReadonlyMap<string, FigureRow>> {
  const { rows } = await connection.query<FigureRow>({
    name: 'find-figures',
    text: `select distinct on (figure_id) ${FIELDS} from account_figures
      where account_id = $1 and kind = $2 and figure_id = any($3) order by figure_id, version desc`,
    values: [accountId, kind, ids],
  })
  return new Map(rows.map((row) => [row.id, row]))
}

async function putFigures(
  connection: PoolClient,
  change: FiguresChange,
  sent: readonly NewFigure[],
  limits: PutRules & { readonly figuresPerKindMax: number },
): Promise<PutFigures> {
  const { accountId, kind } = change
  await lockAccount(connection, accountId)
  const { figures, jumps } = isCompared(kind)
    ? giveReasons(kind, sent, await listFigures(connection, accountId, kind), limits.reason)
    : { figures: sent, jumps: [] }
  const ids = figures.map(({ id }) => id)
  const latest = await findLatest(connection, accountId, kind, ids)
  const current = new Map([...latest].filter(([, { isWithdrawn }]) => !isWithdrawn))
  const same = await findSame(connection, accountId, kind, figures)
  const changed = figures.filter(({ id }) => !same.has(id))
  const refused = changed.map(({ id }) => id).filter((id) => !limits.mayReplace(current.get(id) ?? null))
  const [first] = refused
  if (first !== undefined) return { ok: false, why: 'other-version', stored: current.get(first) ?? null, ids: refused }
  if (jumps.length > 0) return { ok: false, why: 'no-reason', jumps }
  const added = changed.filter(({ id }) => !current.has(id)).length
  if (added > 0) {
    const holding = (await listFigures(connection, accountId, kind)).length
    if (holding + added > limits.figuresPerKindMax) return { ok: false, why: 'too-many', holding, added }
  }
  if (changed.length === 0)
    return { ok: true, stored: ids.map((id) => current.get(id)!), changes: 0, figuresVersion: null }
  const figuresVersion = await storeVersions(connection, change, changed, latest, false)
  const stored = await findLatest(connection, accountId, kind, ids)
  return { ok: true, stored: ids.map((id) => stored.get(id)!), changes: changed.length, figuresVersion }
}

/** The ids whose current version has the content that is sent. */
async function findSame(
  connection: Connection,
  accountId: number,
  kind: Kind,
  figures: readonly NewFigure[],
): Promise<ReadonlySet<string>> {
  const { rows } = await connection.query<{ readonly id: string }>({
    name: 'find-same-figures',
    text: `select sent.id from unnest($3::text[], $4::jsonb[]) as sent (id, body) join lateral (
        select body, is_withdrawn from account_figures
        where account_id = $1 and kind = $2 and figure_id = sent.id order by version desc limit 1
      ) latest on latest.body = sent.body and not is_withdrawn`,
    values: [accountId, kind, figures.map(({ id }) => id), figures.map(({ body }) => JSON.stringify(body))],
  })
  return new Set(rows.map(({ id }) => id))
}

/**
 * Figures of the inventory of electricity are in no release, so that the version of the account's figures stays.
 * @returns the account's version of figures from which on these apply; null if it stays
 */
async function storeVersions(
  connection: Connection,
  { accountId, keyId, kind }: FiguresChange,
  figures: readonly NewFigure[],
  latest: ReadonlyMap<string, FigureRow>,
  isWithdrawn: boolean,
): Promise<number | null> {
  const isOfInventory = isInventoryKind(kind)
  const { rows } = await connection.query<{ readonly figures_version: number }>({
    name: 'store-figures',
    text: `with bumped as (
        update accounts set figures_version = figures_version + $8 where account_id = $1 returning figures_version
      ), stored as (
        insert into account_figures
          (account_id, kind, figure_id, version, figures_version, body, is_withdrawn, created_at, created_by_key)
        select $1, $2, id, version, figures_version, body, $3, now(), $4
        from bumped, unnest($5::text[], $6::integer[], $7::jsonb[]) as sent (id, version, body)
      )
      select figures_version from bumped`,
    values: [
      accountId,
      kind,
      isWithdrawn,
      keyId,
      figures.map(({ id }) => id),
      figures.map(({ id }) => (latest.get(id)?.version ?? 0) + 1),
      figures.map(({ body }) => JSON.stringify(body)),
      isOfInventory ? 0 : 1,
    ],
  })
  return isOfInventory ? null : rows[0]!.figures_version
}

async function removeFigure(
  connection: PoolClient,
  change: FiguresChange,
  id: string,
  mayReplace: MayReplace,
): Promise<RemovedFigure> {
  await lockAccount(connection, change.accountId)
  const latest = await findLatest(connection, change.accountId, change.kind, [id])
  const found = latest.get(id)
  const current = found && !found.isWithdrawn ? found : null
  if (!current || !mayReplace(current)) return { ok: false, stored: current }
  const figuresVersion = await storeVersions(connection, change, [current], latest, true)
  return { ok: true, removed: current, figuresVersion }
}
