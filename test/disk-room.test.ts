// A nearly full disk takes no files, in time before PostgreSQL has no room, and takes orders as before.
import { after, before, test } from 'node:test'
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { EXAMPLE_ORDER } from '../src/http/schemas/examples.ts'
import { createDiskSpace } from '../src/imports/disk-space.ts'
import { floorOf } from '../src/postgres/free-space.ts'
import { templateOf } from '../src/spreadsheets/templates.ts'
import { beginUpload } from './begin-upload.ts'
import { until } from './command.ts'
import type { Json } from './document-check.ts'
import { createImportClient, type ImportClient } from './import-client.ts'
import { startService, type Service } from './service.ts'
import { createOwnImporter } from './own-importer.ts'
import { watchReceived } from './received-files.ts'

const MIB = 2 ** 20
const ROOMY = { freeBytes: 100 * MIB, floorBytes: 30 * MIB }
const FILE = templateOf('items')

let disk = ROOMY
let service: Service
let client: ImportClient
before(async () => {
  service = await startService({ settings: { readFreeSpace: () => Promise.resolve(disk) } })
  client = createImportClient(service)
})
after(() => service.stop())

const begin = (headers: Readonly<Record<string, string>>) => beginUpload(service.server.url, service.key, { headers })
const codeOf = (text: string): unknown => (JSON.parse(text) as Json)['code']

async function assertOrderIsTaken(): Promise<void> {
  const { status } = await service.post({ ...EXAMPLE_ORDER, order_id: `taken ${performance.now()}` })
  assert.equal(status, 200)
}

test('a nearly full disk refuses files and takes orders, and files again once there is room', async () => {
  disk = { ...ROOMY, freeBytes: ROOMY.floorBytes - 1 }
  await untilStatus(503)
  const refused = await client.send(FILE)
  assert.equal(codeOf(refused.text), 'storage_full')
  assert.match(refused.text, /orders, which are still accepted/)
  assert.match(String(refused.headers['retry-after']), /^\d+$/)
  await watchReceived(service.pool).nothingIsLeft()
  await assertOrderIsTaken()
  disk = ROOMY
  await untilStatus(202)
})

/** What is known of the disk is a second old at most. */
const untilStatus = (status: number) =>
  until(
    async () => (await client.send(FILE)).status === status,
    () => `no file is answered ${status}`,
  )

test('a file is refused for the bytes that are still to come, and on its way once the disk fills', async () => {
  const large = begin({ 'content-length': String(36 * MIB) })
  large.sending.write(Buffer.alloc(MIB, 'x,y\n'))
  await watchReceived(service.pool).whenStored(1)
  disk = { ...ROOMY, freeBytes: ROOMY.floorBytes + 30 * MIB }
  try {
    await sleep(1_100)
    const tooLarge = await begin({ 'content-length': String(31 * MIB) }).answered
    assert.deepEqual([tooLarge.status, codeOf(tooLarge.text)], [503, 'storage_full'])
    large.sending.write(Buffer.alloc(MIB, 'x,y\n'))
    const { status, text } = await large.answered
    assert.deepEqual([status, codeOf(text)], [503, 'storage_full'])
    await watchReceived(service.pool).nothingIsLeft()
  } finally {
    disk = ROOMY
    large.sending.destroy()
  }
})

test('while the disk is nearly full no file is worked on, and afterwards it is', async () => {
  disk = { ...ROOMY, freeBytes: 0 }
  await untilStatus(503)
  const room = createDiskSpace(() => Promise.resolve(disk))
  await assert.rejects(room.require(0), /too little space/)
  const { receive, work } = await createOwnImporter(service.pool, room)
  const key = await receive(FILE, true)
  const { importId } = key
  assert.equal(await work(key), false)
  assert.equal((await client.find(importId))['state'], 'queued')
  disk = ROOMY
  await untilStatus(202)
  assert.equal((await client.ended(importId))['state'], 'succeeded')
})

test('the floor of free space is 3 GiB, five per cent of a larger disk, and 10 GiB at most', () => {
  const GIB = 1024 ** 3
  assert.deepEqual(
    [0.4, 50, 100, 1000].map((total) => floorOf(total * GIB) / GIB),
    [3, 3, 5, 10],
  )
})
