// Reads the chunks of reports and the entries that they were made from, to roll up again and compare.
import type { Connection } from '../transaction.ts'
import { EMPTY_WATERMARK, type StoredChunk } from '../reporting/fact-chunks.ts'
import { readReportEntries, type ReportEntry } from '../reporting/entries.ts'

/** What is rolled up for an account. */
export interface AccountRollup {
  readonly accountId: number
  readonly chunks: number
  /** All entries that should be in the chunks. */
  readonly postings: () => AsyncGenerator<readonly ReportEntry[]>
  readonly chunk: (chunkNo: number) => Promise<StoredChunk | null>
}

/**
 * The accounts that have chunks or a watermark. Read them one after the other, on a connection that is in a
 * transaction.
 */
export async function readRollups(connection: Connection): Promise<readonly AccountRollup[]> {
  const { rows } = await connection.query<{ readonly accountId: number; readonly until: string; chunks: number }>(
    `select account_id as "accountId", coalesce(rolled_up_until, '${EMPTY_WATERMARK}')::text as until,
      coalesce(chunks, 0)::integer as chunks
    from report_watermarks full join (
      select account_id, count(*) as chunks from fact_chunks group by account_id
    ) as counted using (account_id)
    order by account_id`,
  )
  return rows.map(({ accountId, until, chunks }) => ({
    accountId,
    chunks,
    postings: () => readReportEntries(connection, accountId, EMPTY_WATERMARK, until),
    chunk: (chunkNo) => findChunk(connection, accountId, chunkNo),
  }))
}

interface ChunkRow {
  readonly facts: number
  readonly order: [number, number]
  readonly dispatch: [number, number]
  readonly tenure: [number, number]
  readonly content: Buffer
}

async function findChunk(connection: Connection, accountId: number, chunkNo: number): Promise<StoredChunk | null> {
  const { rows } = await connection.query<ChunkRow>({
    name: 'find-fact-chunk',
    text: `select facts, array[min_order_day, max_order_day] as order,
        array[min_dispatch_day, max_dispatch_day] as dispatch, array[min_tenure_day, max_tenure_day] as tenure, content
      from fact_chunks where account_id = $1 and chunk_no = $2`,
    values: [accountId, chunkNo],
  })
  if (!rows[0]) return null
  const { facts, content, ...days } = rows[0]
  return { chunkNo, facts, days, content }
}
