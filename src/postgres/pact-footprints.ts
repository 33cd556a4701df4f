// The product footprints that were published to customers. A footprint never changes: another one replaces it.
import { randomUUID } from 'node:crypto'
import type { Pool, PoolClient } from 'pg'
import { inTransaction, type Connection } from './transaction.ts'

export interface NewFootprint {
  /** The product id (URN). */
  readonly product: string
  /** SHA-256 of the content. */
  readonly digest: Buffer
  /** As JSON. */
  readonly content: string
}

export interface PublishedFootprint {
  readonly footprintNo: number
  readonly footprintId: string
  readonly content: Readonly<Record<string, unknown>>
  readonly precedingId: string | null
  readonly createdAt: Date
  readonly deprecatedAt: Date | null
}

export interface FootprintOwner {
  readonly accountId: number
  readonly customerId: string
}

/** Values of one filter are alternatives; all filters must hold. Texts in lower case; null for no filter. */
export interface FootprintFilter {
  readonly productIds: readonly string[] | null
  readonly companyIds: readonly string[] | null
  readonly countries: readonly string[] | null
  readonly classifications: readonly string[] | null
  readonly status: readonly string[] | null
  /** The validity period includes this time. */
  readonly validOn: Date | null
  /** It starts later than this time. */
  readonly validAfter: Date | null
  /** It ends earlier than this time. */
  readonly validBefore: Date | null
}

export interface PactFootprints {
  /**
   * Publishes what is new or changed, and deprecates what no longer applies.
   * @returns the ids of what was published
   */
  readonly publish: (owner: FootprintOwner, footprints: readonly NewFootprint[], at: Date) => Promise<readonly string[]>
  /** In the order of publication. @param after number of the last footprint of the previous page; 0 for the first */
  readonly list: (
    owner: FootprintOwner,
    filter: FootprintFilter,
    after: number,
    limit: number,
  ) => Promise<readonly PublishedFootprint[]>
  readonly find: (owner: FootprintOwner, footprintId: string) => Promise<PublishedFootprint | null>
}

export const createPactFootprints = (pool: Pool): PactFootprints => ({
  publish: (owner, footprints, at) => inTransaction(pool, (connection) => publish(connection, owner, footprints, at)),
  list: (owner, filter, after, limit) => list(pool, owner, filter, after, limit),
  find: (owner, footprintId) => find(pool, owner, footprintId),
})

interface ActiveRow {
  readonly product: string
  readonly digest: Buffer
  readonly footprint_id: string
}

async function publish(
  connection: PoolClient,
  { accountId, customerId }: FootprintOwner,
  footprints: readonly NewFootprint[],
  at: Date,
): Promise<readonly string[]> {
  // Two readers that ask at the same time publish one after the other. An erasure removes the clients: nothing may be
  // published under the old id afterwards.
  const { rowCount: clients } = await connection.query(
    'select from pact_clients where account_id = $1 and customer_id = $2 order by client_no for update',
    [accountId, customerId],
  )
  if (clients === 0) return []
  const { rows } = await connection.query<ActiveRow>(
    `select product, digest, footprint_id from pact_footprints
      where account_id = $1 and customer_id = $2 and deprecated_at is null`,
    [accountId, customerId],
  )
  const active = new Map(rows.map((row) => [row.product, row]))
  const wanted = new Map(footprints.map((one) => [one.product, one]))
  const changed = footprints.filter(({ product, digest }) => !active.get(product)?.digest.equals(digest))
  const over = rows.filter(({ product, digest }) => !wanted.get(product)?.digest.equals(digest))
  if (over.length > 0) {
    await connection.query(
      'update pact_footprints set deprecated_at = $3 where account_id = $1 and footprint_id = any($2)',
      [accountId, over.map((row) => row.footprint_id), at],
    )
  }
  const ids = changed.map(() => randomUUID())
  if (changed.length > 0) {
    await connection.query(
      `insert into pact_footprints
          (account_id, customer_id, footprint_id, product, digest, content, preceding_id, created_at)
        select $1, $2, new.footprint_id, new.product, new.digest, new.content::jsonb, new.preceding_id, $3
        from unnest($4::uuid[], $5::text[], $6::bytea[], $7::text[], $8::uuid[])
          as new (footprint_id, product, digest, content, preceding_id)`,
      [
        accountId,
        customerId,
        at,
        ids,
        changed.map(({ product }) => product),
        changed.map(({ digest }) => digest),
        changed.map(({ content }) => content),
        changed.map(({ product }) => active.get(product)?.footprint_id ?? null),
      ],
    )
    await addPublishedMessages(connection, { accountId, customerId }, ids, at)
  }
  return ids
}

/** Every client of the customer that takes events is told. */
async function addPublishedMessages(
  connection: PoolClient,
  { accountId, customerId }: FootprintOwner,
  footprintIds: readonly string[],
  at: Date,
): Promise<void> {
  await connection.query(
    `insert into pact_messages (account_id, client_no, event_id, created_at, footprint_ids, next_attempt_at)
      select account_id, client_no, gen_random_uuid(), $3, $4, $3 from pact_clients
      where account_id = $1 and customer_id = $2 and events_url is not null and revoked_at is null`,
    [accountId, customerId, at, footprintIds],
  )
}

const FIELDS = `footprint_no as "footprintNo", footprint_id as "footprintId", content, preceding_id as "precedingId",
  created_at as "createdAt", deprecated_at as "deprecatedAt"`

/** Without a validity period of its own, a footprint is valid for three years after its reference period. */
const VALID_FROM = "(content->'pcf'->>'referencePeriodEnd')::timestamptz"
const VALID_UNTIL = `(${VALID_FROM} + interval '3 years')`

async function list(
  connection: Connection,
  { accountId, customerId }: FootprintOwner,
  filter: FootprintFilter,
  after: number,
  limit: number,
): Promise<readonly PublishedFootprint[]> {
  const { rows } = await connection.query<PublishedFootprint>({
    name: 'list-pact-footprints',
    text: `select ${FIELDS} from pact_footprints
      where account_id = $1 and customer_id = $2 and footprint_no > $3
        and ($5::text[] is null or lower(product) = any($5))
        and ($6::text[] is null or lower(content->'companyIds'->>0) = any($6))
        and ($7::text[] is null or lower(content->'pcf'->>'geographyCountry') = any($7))
        and ($8::text[] is null or lower(content->'productClassifications'->>0) = any($8))
        and ($9::text[] is null or case when deprecated_at is null then 'active' else 'deprecated' end = any($9))
        and ($10::timestamptz is null or (${VALID_FROM} <= $10 and ${VALID_UNTIL} > $10))
        and ($11::timestamptz is null or ${VALID_FROM} > $11)
        and ($12::timestamptz is null or ${VALID_UNTIL} < $12)
      order by footprint_no limit $4`,
    values: [
      accountId,
      customerId,
      after,
      limit,
      filter.productIds,
      filter.companyIds,
      filter.countries,
      filter.classifications,
      filter.status,
      filter.validOn,
      filter.validAfter,
      filter.validBefore,
    ],
  })
  return rows
}

async function find(
  connection: Connection,
  { accountId, customerId }: FootprintOwner,
  footprintId: string,
): Promise<PublishedFootprint | null> {
  const { rows } = await connection.query<PublishedFootprint>({
    name: 'find-pact-footprint',
    text: `select ${FIELDS} from pact_footprints
      where account_id = $1 and customer_id = $2 and footprint_id = $3`,
    values: [accountId, customerId, footprintId],
  })
  return rows[0] ?? null
}
