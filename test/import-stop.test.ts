// Imports that are stopped while they are under way: by their undoing, and dry runs as well.
import { after, before, test } from 'node:test'
import assert from 'node:assert/strict'
import { templateOf } from '../src/spreadsheets/templates.ts'
import { until } from './command.ts'
import type { Json } from './document-check.ts'
import { createImportClient, type ImportClient } from './import-client.ts'
import { startService, type Service } from './service.ts'

const ROWS = 8_000
const TEMPLATE = templateOf('items')

let service: Service
let client: ImportClient
before(async () => {
  service = await startService()
  client = createImportClient(service)
})
after(() => service.stop())

/** A file of orders of one device each. */
function fileOf(orders: readonly (readonly [orderId: string, serialNumber: string])[]): string {
  const [head, row] = TEMPLATE.split('\r\n')
  const rows = orders.map(([orderId, serialNumber]) =>
    row!.replace(/order-[^,]*/, orderId).replace(/(,laptop)?,C0[^,]*/, `,${serialNumber}`),
  )
  return [head, ...rows, ''].join('\r\n')
}

test('a dry run under way is stopped, and the next file of its account is worked on', async () => {
  const rows = Array.from({ length: ROWS }, (_, at) => [`never-${at}`, `never-${at}`] as const)
  const sent = await client.send(fileOf(rows), '?dry_run=true')
  assert.equal(sent.status, 202, sent.text)
  const id = Number((JSON.parse(sent.text) as Json)['import_id'])
  assert.equal((await client.undo(id))['state'], 'reversed')
  const over = await client.run(TEMPLATE, '?dry_run=true')
  assert.equal(over['state'], 'succeeded')
  const headers = { 'x-api-key': service.key }
  const refused = await service.ask(`/api/imports/${String(over['import_id'])}`, { method: 'DELETE', headers })
  assert.equal(refused.status, 409, refused.text)
})

test('an import that is stopped counts no fewer orders as stored than as undone', async () => {
  const names = Array.from({ length: 100 }, (_, at) => `some-${at}`)
  await client.run(fileOf([['first', 'some-50']]))
  const holder = await service.pool.connect()
  const ordersStored = async () => (await holder.query('select from orders')).rowCount!
  try {
    // One order waits for its device, so the import is stopped while the others are stored and not yet counted.
    await holder.query('begin')
    await holder.query("select from devices where serial_number = 'some-50' for update")
    const sent = await client.send(fileOf(names.map((name) => [name, name])))
    const before = await ordersStored()
    await until(
      async () => (await ordersStored()) > before,
      () => 'nothing is stored of it',
    )
    const counts = await client.undo((JSON.parse(sent.text) as Json)['import_id'])
    assert.equal(counts['state'], 'reversed')
    const [stored, undone, kept] = ['orders_stored', 'orders_reversed', 'orders_kept'].map((name) =>
      Number(counts[name]),
    )
    assert.ok(undone! > 0 && undone! < names.length, `${undone} undone`)
    assert.ok(stored! >= undone! + kept!, `${stored} stored, ${undone} undone, ${kept} kept`)
  } finally {
    await holder.query('rollback')
    holder.release()
  }
})
