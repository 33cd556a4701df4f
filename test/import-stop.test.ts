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

/** A file that takes some seconds, and its import. */
async function sendLarge(name: string, query = ''): Promise<number> {
  const [head, row] = TEMPLATE.split('\r\n')
  const rows = Array.from({ length: ROWS }, (_, at) =>
    row!.replace(/order-[^,]*/, `${name}-${at}`).replace(/(,laptop)?,C0[^,]*/, `,${name}-${at}`),
  )
  const sent = await client.send([head, ...rows, ''].join('\r\n'), query)
  assert.equal(sent.status, 202, sent.text)
  return Number((JSON.parse(sent.text) as Json)['import_id'])
}

test('a dry run under way is stopped, and the next file of its account is worked on', async () => {
  const id = await sendLarge('never', '?dry_run=true')
  assert.equal((await client.undo(id))['state'], 'reversed')
  const over = await client.run(TEMPLATE, '?dry_run=true')
  assert.equal(over['state'], 'succeeded')
  const headers = { 'x-api-key': service.key }
  const refused = await service.ask(`/api/imports/${String(over['import_id'])}`, { method: 'DELETE', headers })
  assert.equal(refused.status, 409, refused.text)
})

test('an import that is stopped counts no fewer orders as stored than as undone', async () => {
  const id = await sendLarge('some')
  await until(
    async () => Number((await client.find(id))['orders_stored']) > 0,
    () => 'nothing is stored of it',
  )
  const { state, ...counts } = await client.undo(id)
  assert.equal(state, 'reversed')
  const [stored, undone, kept] = ['orders_stored', 'orders_reversed', 'orders_kept'].map((name) => Number(counts[name]))
  assert.ok(undone! > 0 && undone! < ROWS)
  assert.ok(stored! >= undone! + kept!, `${stored} stored, ${undone} undone, ${kept} kept`)
})
