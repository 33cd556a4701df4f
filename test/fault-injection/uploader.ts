// A client that uploads files of orders during a trial, and compares what came of each with what it was answered.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from 'pg'
import { randomFrom } from '../../scripts/random-orders.ts'
import { until } from '../command.ts'
import { exchange, type Answer } from '../raw-http.ts'
import { isThere } from './own-program.ts'
import type { Target } from './programs.ts'

const PAUSE_MS = 100
/** After a refusal or no answer. */
const BACK_OFF_MS = 500
const ORDERS_MAX = 40
const HEADERS = 'customer_id,order_id,order_date,tenure_start_date,product_id,serial_number,tenure_months,weight_kg'
/** Accepted, too many files waiting, or try again. */
const EXPECTED: ReadonlySet<number> = new Set([202, 429, 503])

interface UploadedFile {
  readonly importId: number
  /** Of the sound rows. */
  readonly orderIds: readonly string[]
  readonly faultyRows: number
}

interface ImportRow {
  readonly id: number
  readonly state: string
  readonly isOver: boolean
  readonly stored: number
  readonly failed: number
}

export interface Uploader {
  /** Uploads one file after the other. */
  readonly run: (isOver: () => boolean) => Promise<void>
  /** Waits until the files are imported, and compares each with what is stored. */
  readonly check: (pool: Pool) => Promise<void>
  /** How many files were accepted. */
  readonly accepted: () => number
}

export function createUploader(target: () => Target, seed: number, fail: (sentence: string) => void): Uploader {
  const random = randomFrom(seed)
  const files: UploadedFile[] = []
  let sent = 0

  async function upload(): Promise<boolean> {
    const name = `upload-${seed}-${(sent += 1)}`
    const count = 1 + Math.floor(random() * ORDERS_MAX)
    const isFaulty = Array.from({ length: count }, () => random() < 0.1)
    const rows = isFaulty.map((faulty, at) => rowOf(`${name}-${at}`, faulty))
    const answer = await send([HEADERS, ...rows, ''].join('\n'))
    if (answer?.status !== 202) return false
    files.push({
      importId: (JSON.parse(answer.text) as { readonly import_id: number }).import_id,
      orderIds: isFaulty.flatMap((faulty, at) => (faulty ? [] : [`${name}-${at}`])),
      faultyRows: isFaulty.filter(Boolean).length,
    })
    return true
  }

  async function send(body: string): Promise<Answer | null> {
    const { address, key } = target()
    const headers = { 'content-type': 'text/csv', 'x-api-key': key }
    const answer = await exchange(address, '/api/imports', { method: 'POST', headers, body }).catch(() => null)
    if (answer !== null && !EXPECTED.has(answer.status))
      fail(`An upload was answered ${answer.status}: ${answer.text.slice(0, 200)}`)
    return answer
  }

  return {
    accepted: () => files.length,
    run: async (isOver) => {
      while (!isOver()) await sleep((await upload()) ? PAUSE_MS : BACK_OFF_MS)
    },
    check: async (pool) => {
      const ids = files.map(({ importId }) => importId)
      let imports = new Map<number, ImportRow>()
      await releaseAbandoned(pool)
      await until(
        async () => {
          imports = await readImports(pool, ids)
          return [...imports.values()].every(({ isOver }) => isOver)
        },
        () =>
          `Of ${files.length} uploaded files, not all are imported: ${JSON.stringify([...imports.values()].at(-1))}`,
      )
      const stored = await countOrders(
        pool,
        files.flatMap(({ orderIds }) => orderIds),
      )
      for (const file of files) {
        const sentence = faultOf(file, imports.get(file.importId), stored)
        if (sentence) fail(`Import ${file.importId} ${sentence}`)
      }
    },
  }
}

/** A faulty row has a month that does not exist. */
const rowOf = (id: string, isFaulty: boolean): string =>
  `uploads,${id},2025-01-10,${isFaulty ? '2025-13-01' : '2025-02-01'},P-1,${id},12,1.5`

function faultOf(file: UploadedFile, row: ImportRow | undefined, stored: ReadonlyMap<string, number>): string | null {
  const { orderIds, faultyRows } = file
  if (row === undefined) return 'was acknowledged, and is not stored'
  if (row.state !== 'succeeded' || row.stored !== orderIds.length || row.failed !== faultyRows)
    return `of ${orderIds.length} sound and ${faultyRows} faulty rows came to ${JSON.stringify(row)}`
  const other = orderIds.find((id) => stored.get(id) !== 1)
  return other === undefined ? null : `has the order ${other} ${stored.get(other) ?? 0} times`
}

/** Spares the seconds that an import of a killed program waits before another program may take it over. */
async function releaseAbandoned(pool: Pool): Promise<void> {
  const { rows } = await pool.query<{ readonly lease_owner: string | null }>(
    'select distinct lease_owner from imports where finished_at is null',
  )
  const abandoned = rows.flatMap(({ lease_owner: holder }) =>
    holder === null || isThere(Number(holder.split(' ')[1])) ? [] : holder,
  )
  await pool.query(`update imports set lease_until = '-infinity' where lease_owner = any($1)`, [abandoned])
}

async function readImports(pool: Pool, ids: readonly number[]): Promise<Map<number, ImportRow>> {
  const { rows } = await pool.query<ImportRow>(
    `select import_id::integer as id, state, finished_at is not null as "isOver", orders_stored::integer as stored,
        rows_rejected::integer as failed
      from imports where import_id = any($1::bigint[])`,
    [ids],
  )
  return new Map(rows.map((row) => [row.id, row]))
}

async function countOrders(pool: Pool, orderIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const { rows } = await pool.query<{ readonly id: string; readonly count: number }>(
    `select order_id as id, count(*)::integer as count from orders where order_id = any($1) group by order_id`,
    [orderIds],
  )
  return new Map(rows.map(({ id, count }) => [id, count]))
}
