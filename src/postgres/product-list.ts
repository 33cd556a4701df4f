// The product ids of an account that were matched or mapped, with the emissions of each and totals by state.
import type { Milligrams } from '../engine/numbers/emission.ts'
import type { Mapping } from '../engine/reference/product-match.ts'
import type { DeviceType } from '../engine/reference/reference-data.ts'
import { isRowError } from './errors.ts'
import { JOB_BYTES, createBatcher, type BatchLimits } from '../concurrency/batcher.ts'
import type { ReplicaReads } from './read-replica.ts'
import type { Connection } from './transaction.ts'

/**
 * `unmatched`: a fallback is used; `variant`, `name`: matched by its words; `mapped`: mapped by the account; `stale`:
 * mapped by the account to a model that is no longer in the catalogue; `was_mapped`: footprint of a former mapping.
 */
export type ProductState = 'unmatched' | 'variant' | 'name' | 'stale' | 'was_mapped' | 'mapped'

/** A position in the list: largest emissions first; equal ones by code point of the product id. */
export interface ProductCursor {
  readonly posted: Milligrams
  readonly productId: string
}

export interface ProductQuery {
  readonly accountId: number
  readonly states: readonly ProductState[]
  /** The models of the catalogue. */
  readonly modelIds: readonly string[]
  /** The last product of the previous page. */
  readonly after: ProductCursor | null
  readonly limit: number
}

export interface ListedProduct extends ProductCursor {
  readonly state: ProductState
  readonly mapping: { readonly target: Mapping; readonly mappedAt: Date } | null
  /** The footprints of its devices. */
  readonly bases: readonly string[]
  readonly orderCount: number
  readonly deviceCount: number
  /** The words of one of its orders; null where the order has none. */
  readonly words: {
    readonly productName: string | null
    readonly brand: string | null
    readonly deviceType: DeviceType | null
  }
}

export type ListProducts = (wanted: ProductQuery) => Promise<readonly ListedProduct[]>

/** A page sums up everything that was ever matched; more pages concurrently would keep connections from writes. */
const LISTS_AT_ONCE = 2

export function createProductList(longReads: ReplicaReads, limits: BatchLimits): ListProducts {
  return createBatcher<ProductQuery, readonly ListedProduct[]>({
    ...limits,
    queue: 'product-lists',
    concurrencyMax: LISTS_AT_ONCE,
    isJobError: isRowError,
    bytesOf: () => JOB_BYTES,
    batchBytesMax: 0,
    executeBatch: async ([wanted]) => [await longReads((connection) => listProducts(connection, wanted!))],
  })
}

interface ProductRow {
  readonly product_id: string
  readonly state: ProductState
  readonly model_id: string | null
  readonly device_type: DeviceType | null
  readonly created_at: Date | null
  readonly bases: readonly string[]
  readonly order_count: number
  readonly device_count: number
  readonly posted: Milligrams
  readonly product_name: string | null
  readonly brand: string | null
  readonly said_type: DeviceType | null
}

const BASES_MAX = 5

/**
 * The emissions that depend on a match are embodied and use-phase emissions; transport and packaging do not. The
 * entries of each device are looked up by its serial number, whatever the statistics say: in an account without
 * statistics, PostgreSQL would read all entries once for every device. `offset 0` prevents that.
 */
const CHARGED = `
  select devices.product_id, sum(embodied_mg + use_mg)::bigint as posted,
    count(distinct devices.serial_number)::integer as device_count,
    count(distinct (customer_id, split_part(order_id, chr(31), 1)))
      filter (where order_id <> '')::integer as order_count,
    array_agg(distinct footprint_id) as bases,
    max(case
      when match_method like 'mapping:%' then 0 when match_method = 'name' then 1
      when match_method = 'variant' then 2 else 3
    end) as doubt
  from devices cross join lateral (
    select embodied_mg, use_mg, customer_id, order_id from entries
    where entries.account_id = $1 and entries.serial_number = devices.serial_number
    offset 0
  ) as posted
  where devices.account_id = $1 and product_id is not null
  group by devices.product_id`

/** Takes the account as $1 and the models of the catalogue as $2. */
const LISTED_PRODUCTS_SQL = `
  select product_id, mapped.model_id, device_type, created_at, coalesce(posted, 0) as posted,
    coalesce(device_count, 0) as device_count, coalesce(order_count, 0) as order_count,
    coalesce(bases[1:${BASES_MAX}], '{}') as bases,
    case
      when mapped.model_id is not null and catalogue.model_id is null then 'stale'
      when created_at is not null then 'mapped'
      when doubt = 3 then 'unmatched'
      when doubt = 2 then 'variant'
      when doubt = 1 then 'name'
      else 'was_mapped'
    end as state
  from (${CHARGED}) as charged full join (
    select product_id, model_id, device_type, created_at from product_mappings
    where account_id = $1 and (model_id is not null or device_type is not null)
  ) as mapped using (product_id)
  left join unnest($2::text[]) as catalogue (model_id) on catalogue.model_id = mapped.model_id`

/**
 * The words of the first order of one of the devices, by the short names of ledger/codec.ts, or of the swap that
 * brought it in. `offset 0` makes devices be found by their matched product: the planner would scan the account's
 * serial numbers until it finds one.
 */
const WORDS = `
  select product_name, brand, said_type
  from (
    select serial_number from entries where account_id = $1 and product_id = page.product_id
    order by serial_number
    offset 0
  ) as devices
  cross join lateral (
    select customer_id, order_id, event_id from entries
    where entries.account_id = $1 and entries.serial_number = devices.serial_number and order_key = '' and entry_no = 1
    offset 0
  ) as first
  cross join lateral (
    select item ->> 'p' as said_id, item ->> 'n' as product_name, item ->> 'b' as brand, item ->> 'd' as said_type
    from orders cross join lateral json_array_elements(items::json) as item
    where (orders.account_id, orders.customer_id, orders.order_id)
      = ($1, first.customer_id, first.order_id)
    union all
    select told ->> 'product_id', told ->> 'product_name', told ->> 'brand', told ->> 'device_type'
    from events cross join lateral (select content::json as told offset 0) as said
    where events.account_id = $1 and events.event_id = first.event_id
    offset 0
  ) as asked
  where said_id = page.product_id
  order by devices.serial_number limit 1`

async function listProducts(connection: Connection, wanted: ProductQuery): Promise<readonly ListedProduct[]> {
  const { accountId, states, modelIds, after, limit } = wanted
  const { rows } = await connection.query<ProductRow>({
    name: 'list-products',
    text: `select page.*, product_name, brand, said_type from (
        select * from (${LISTED_PRODUCTS_SQL}) as listed
        where state = any($6) and ($3::bigint is null or posted < $3 or (posted = $3 and product_id > $4))
        order by posted desc, product_id limit $5
      ) as page
      left join lateral (${WORDS}) as words on true
      order by posted desc, product_id`,
    values: [accountId, modelIds, after?.posted ?? null, after?.productId ?? null, limit, states],
  })
  return rows.map(toListed)
}

function toListed(row: ProductRow): ListedProduct {
  const target = { modelId: row.model_id, deviceType: row.device_type } as Mapping
  return {
    productId: row.product_id,
    posted: row.posted,
    state: row.state,
    mapping: row.created_at && { target, mappedAt: row.created_at },
    bases: row.bases,
    orderCount: row.order_count,
    deviceCount: row.device_count,
    words: { productName: row.product_name, brand: row.brand, deviceType: row.said_type },
  }
}

export interface ProductSumsQuery {
  readonly accountId: number
  /** The models of the catalogue. */
  readonly modelIds: readonly string[]
}

export interface ProductSum {
  readonly state: ProductState
  readonly productCount: number
  readonly posted: Milligrams
}

export type SumProducts = (wanted: ProductSumsQuery) => Promise<readonly ProductSum[]>

/** As expensive as a page of the list, because everything that was ever matched is summed up. */
const SUMS_AT_ONCE = 2

export function createProductSums(longReads: ReplicaReads, limits: BatchLimits): SumProducts {
  return createBatcher<ProductSumsQuery, readonly ProductSum[]>({
    ...limits,
    queue: 'product-sums',
    concurrencyMax: SUMS_AT_ONCE,
    isJobError: isRowError,
    bytesOf: () => JOB_BYTES,
    batchBytesMax: 0,
    executeBatch: async ([wanted]) => {
      const { accountId, modelIds } = wanted!
      const { rows } = await longReads((connection) =>
        connection.query<ProductSum>({
          name: 'sum-products',
          text: `select state, count(*)::integer as "productCount", sum(posted)::bigint as posted
            from (${LISTED_PRODUCTS_SQL}) as listed group by state order by state`,
          values: [accountId, modelIds],
        }),
      )
      return [rows]
    },
  })
}
