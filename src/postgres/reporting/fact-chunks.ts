// Chunks of facts as the database keeps them, and the mark up to which they hold all that was posted.
import { copyBinary } from '../copy-binary.ts'
import type { Connection } from '../transaction.ts'

/** A chunk with the days between which its facts lie, counted from 1970-01-01, both inclusive. */
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

/** Before everything that was ever posted. */
export const EMPTY_WATERMARK = '-infinity'

/** Up to when the account's entries are in its chunks: a time as the database writes it. */
export async function readWatermark(connection: Connection, accountId: number): Promise<string> {
  const { rows } = await connection.query<{ readonly until: string }>({
    name: 'find-watermark',
    text: 'select rolled_up_until::text as until from report_watermarks where account_id = $1',
    values: [accountId],
  })
  return rows[0]?.until ?? EMPTY_WATERMARK
}

/** By which of its days a chunk is worth reading. */
export type DateBasis = keyof StoredChunk['days']

export interface ChunkQuery {
  readonly accountId: number
  /** A chunk is wanted that has facts within these days by any of these. */
  readonly bases: readonly DateBasis[]
  /** Whole days since 1970-01-01. */
  readonly from: number
  readonly to: number
}

/** The contents of the chunks that may have facts within some days, in sequence. */
export function readChunks(connection: Connection, { accountId, bases, from, to }: ChunkQuery): AsyncGenerator<Buffer> {
  const within = bases.map((basis) => `min_${basis}_day <= ${to} and max_${basis}_day >= ${from}`)
  return copyBinary(
    connection,
    `select content from fact_chunks where account_id = ${accountId} and (${within.join(' or ')}) order by chunk_no`,
  )
}

export type LastChunk = Pick<StoredChunk, 'chunkNo' | 'content'>

/** The last chunk of an account, which may have room; null where there is none. */
export async function findLastChunk(connection: Connection, accountId: number): Promise<LastChunk | null> {
  const { rows } = await connection.query<LastChunk>({
    name: 'find-last-fact-chunk',
    text: `select chunk_no as "chunkNo", content from fact_chunks
      where account_id = $1 order by chunk_no desc limit 1`,
    values: [accountId],
  })
  return rows[0] ?? null
}

/** Writes a chunk, or writes it anew. */
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
