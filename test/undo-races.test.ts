// An order that is corrected while its import is undone: the undo found it uncorrected, and keeps it nevertheless.
import { after, before, test } from 'node:test'
import assert from 'node:assert/strict'
import { createImportContext } from '../src/create-import-context.ts'
import { undoImport } from '../src/imports/undo-import.ts'
import { verifyAll } from '../src/cli/verify.ts'
import { findCurrentOrder } from '../src/postgres/order-reads.ts'
import { ensureAccount } from '../src/postgres/accounts.ts'
import { registerRelease } from '../src/postgres/dataset-releases.ts'
import type { Json } from './document-check.ts'
import { createImportClient, type ImportClient } from './import-client.ts'
import { pathOf } from './order-client.ts'
import { laptop, orderOf } from './receipt-client.ts'
import { startService, type Service } from './service.ts'
import { shippedReferenceData } from './shipped-book.ts'

let service: Service
let client: ImportClient
before(async () => {
  service = await startService()
  client = createImportClient(service)
})
after(() => service.stop())

const COLUMNS =
  'customer_id,order_id,order_date,tenure_start_date,type,product_id,serial_number,tenure_months,weight_kg,returned_on'
const fileOf = (months: number) =>
  `${COLUMNS}\nacme,raced,2024-11-01,2025-01-01,product,apple-macbook-air-13-m3-256gb,R1,${months},1.24,2025-06-01\n`

async function correct(start: string): Promise<void> {
  const headers = { 'content-type': 'application/json', 'if-match': '*' }
  const body = JSON.stringify(orderOf('acme', 'raced', start, [laptop('R1', 12)]))
  const { status, text } = await service.ask(pathOf('acme', 'raced'), { method: 'PUT', headers, body })
  assert.equal(status, 200, text)
}

/** Undoes an import; the correction comes between the page of its orders and their reversal. */
async function undoAround(importId: number, correction: () => Promise<void>) {
  const { referenceData, files } = shippedReferenceData()
  const releaseId = await registerRelease(service.pool, referenceData.release, referenceData.hash, files)
  const served = { referenceData, releaseId, referenceDataOf: () => Promise.resolve(referenceData) }
  const context = createImportContext(service.pool, served, 'test', () => false)
  const { accountId } = await ensureAccount(service.pool, 'test')
  const job = (await context.imports.find({ accountId, importId }))!
  const counts: unknown[] = []
  const imports = {
    ...context.imports,
    ordersByKey: async (...asked: Parameters<typeof context.imports.ordersByKey>) => {
      const page = await context.imports.ordersByKey(...asked)
      if (page.length > 0) await correction()
      return page
    },
  }
  const work: typeof context.work = {
    ...context.work,
    undone: (_, undone) => Promise.resolve(void counts.push(undone)),
  }
  for await (const progress of undoImport({ ...context, imports, work }, job)) assert.notEqual(progress.kind, 'fault')
  const current = await findCurrentOrder(service.pool, { accountId, key: { customerId: 'acme', orderId: 'raced' } })
  return { counts, status: current!.status, start: current!.tenureStartDate }
}

test('an order that is corrected while its import is undone keeps its corrected content and its return', async () => {
  const first = await client.run(fileOf(12))
  assert.deepEqual(await undoAround(Number(first['import_id']), () => correct('2025-02-01')), {
    counts: [{ ordersReversed: 0, ordersKept: 1 }],
    status: 'returned',
    start: '2025-02-01',
  })
})

test('so does one that was sent again after an earlier import was undone', async () => {
  const sent = (months: number) => fileOf(months).replaceAll('raced', 'again').replaceAll('R1', 'R2')
  const undone = await client.undo((await client.run(sent(12)))['import_id'])
  assert.equal(undone['orders_reversed'], 1)
  const second = await client.run(sent(18))
  assert.equal(second['orders_stored'], 1)
  const read = async () => JSON.parse((await service.ask(pathOf('acme', 'again'))).text) as Json
  const headers = { 'content-type': 'application/json', 'if-match': '*' }
  const body = JSON.stringify(orderOf('acme', 'again', '2025-03-01', [laptop('R2', 12)]))
  const put = () => service.ask(pathOf('acme', 'again'), { method: 'PUT', headers, body })
  const { counts } = await undoAround(Number(second['import_id']), async () => {
    assert.equal((await put()).status, 200)
  })
  assert.deepEqual(counts, [{ ordersReversed: 0, ordersKept: 1 }])
  assert.deepEqual([(await read())['status'], (await read())['tenure_start_date']], ['returned', '2025-03-01'])
})

test('everything stored verifies', async () => {
  const { lines, differences } = await verifyAll(service.pool)
  assert.deepEqual([lines, differences], [[], 0])
})
