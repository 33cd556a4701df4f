// Chunks of facts in the database, and the watermark up to which they include all entries.
import { copyBinary } from '../copy-binary.ts'
import type { Connection } from '../transaction.ts'

/** A chunk with the range of days of its facts, counted from 1970-01-01, both inclusive. */
export interface StoredChunk {
  readonly chunkNo: number
  readonly facts: number
  readonly days: {
    readonly order: readonly [from: number, to: number]
    readonly dispatch: readonly [from: number, to: number]
    readonly tenure: readonly [from: number, to: number]
  }
  readonly content: Buffer
}

/** Before every entry. */
export const EMPTY_WATERMARK = '-infinity'

/** The time up to which the account's entries are in its chunks, as the database writes it. */
export async function readWatermark(connection: Connection, accountId: number): Promise<string> {
  const { rows } = await connection.query<{ readonly until: string }>({
    name: 'find-watermark',
    text: 'select rolled_up_until::text as until from report_watermarks where account_id = $1',
    values: [accountId],
  })
  return rows[0]?.until ?? EMPTY_WATERMARK
}

/** The kind of day by which chunks are selected. */
export type DateBasis = keyof StoredChunk['days']

export interface ChunkQuery {
  readonly accountId: number
  /** A chunk is selected if it has facts within these days by any of these kinds of day. */
  readonly bases: readonly DateBasis[]
  /** Days since 1970-01-01. */
  readonly from: number
  readonly to: number
}

/** The contents of the chunks that may have facts within some days, in order. */
export function readChunks(connection: Connection, { accountId, bases, from, to }: ChunkQuery): AsyncGenerator<Buffer> {
  const within = bases.map((basis) => `min_${basis}_day <= ${to} and max_${basis}_day >= ${from}`)
  return copyBinary(
    connection,
    `select content from fact_chunks where account_id = ${accountId} and (${within.join(' or ')}) order by chunk_no`,
  )
}

export type LastChunk = Pick<StoredChunk, 'chunkNo' | 'content'>

/** The last chunk of an account, which may not be full; null if there is none. */
export async function findLastChunk(connection: Connection, accountId: number): Promise<LastChunk | null> {
  const { rows } = await connection.query<LastChunk>({
    name: 'find-last-fact-chunk',
    text: `select chunk_no as "chunkNo", content from fact_chunks
      where account_id = $1 order by chunk_no desc limit 1`,
    values: [accountId],
  })
  return rows[0] ?? null
}

/** Inserts a chunk, or replaces it. */
export async function writeChunk(
  connection: Connection,
  accountId: number,
  { chunkNo, facts, days, content }: StoredChunk,
): Promise<void> {
  await connection.query({
    name: 'write-fact-chunk',
    text: `insert into fact_chunks (account_id, chunk_no, facts, min_order_day, max_order_day, min_dispatch_day,
        max_dispatch_day, min_tenure_day, max_tenure_day, content)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
      on conflict (account_id, chunk_no) do update set facts = excluded.facts, min_order_day = excluded.min_order_day,
        max_order_day = excluded.max_order_day, min_dispatch_day = excluded.min_dispatch_day,
        max_dispatch_day = excluded.max_dispatch_day, min_tenure_day = excluded.min_tenure_day,
        max_tenure_day = excluded.max_tenure_day, content = excluded.content`,
    values: [accountId, chunkNo, facts, ...days.order, ...days.dispatch, ...days.tenure, content],
  })
}
