// Files that the TypeScript client sends and receives, with progress, and lists that it reads in part.
import assert from 'node:assert/strict'
import { openAsBlob, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { createClient, type Client, type Progress } from '../../clients/typescript/src/client.ts'
import { withProgress } from '../../clients/typescript/src/upload.ts'
import type { AskedService } from '../asked-service.ts'
import { freshDirectory } from '../command.ts'
import { sharedService } from '../shared-service.ts'

const HEADER =
  'customer_id,order_id,order_date,tenure_start_date,type,product_id,serial_number,tenure_months,weight_kg\n'
const ROWS = 3_000
const row = (no: number) =>
  `c,upload-${no},2025-01-10,2025-02-01,product,apple-macbook-air-13-m3-256gb,U-${no},3,1.24\n`
const csv = HEADER + Array.from({ length: ROWS }, (_, no) => row(no)).join('')

const directory = freshDirectory()
let service: AskedService
let client: Client
before(async () => {
  service = await sharedService()
  client = createClient({ url: `${service.server.url}/`, key: await service.createKey(undefined, null, 'uploads') })
})
after(async () => {
  rmSync(directory, { recursive: true })
  await service.stop()
})

test('a file on disk is sent in parts, with its progress', async () => {
  const path = join(directory, 'orders.csv')
  writeFileSync(path, csv)
  const told: Progress[] = []
  const body = await openAsBlob(path)
  const { file_bytes, is_dry_run } = await client.createImport(
    { body, dry_run: true, file_name: 'orders.csv' },
    { onProgress: (progress) => told.push(progress) },
  )
  assert.deepEqual([file_bytes, is_dry_run], [csv.length, true])
  assert.ok(told.length > 1)
  const sizes = told.map(({ sentBytes }) => sentBytes)
  assert.deepEqual(
    sizes,
    sizes.toSorted((a, b) => a - b),
  )
  assert.deepEqual(told.at(-1), { sentBytes: csv.length, totalBytes: csv.length })
})

test('a stream is sent as it comes, and its total is not known', async () => {
  const told: Progress[] = []
  const body = new Blob([csv]).stream()
  const { file_bytes } = await client.createImport({ body, dry_run: true }, { onProgress: (one) => told.push(one) })
  assert.equal(file_bytes, csv.length)
  assert.deepEqual(told.at(-1), { sentBytes: csv.length, totalBytes: undefined })
})

test('where bodies cannot be streamed, progress is told once, at the end', () => {
  const told: Progress[] = []
  const { body, done } = withProgress(
    '12345',
    (one) => told.push(one),
    () => undefined,
    false,
  )
  assert.deepEqual([body, told], ['12345', []])
  done()
  assert.deepEqual(told, [{ sentBytes: 5, totalBytes: 5 }])
})

test('a file that is downloaded can be read as a stream', async () => {
  const file = await client.exportOrders({ format: 'csv' })
  let text = ''
  const decoder = new TextDecoder()
  for await (const part of file.body!) text += decoder.decode(part as Uint8Array, { stream: true })
  assert.match(text, /^customer_id,order_id,/)
})

test('a list reads no more pages than it is asked for, and a loop ends it where it is left', async () => {
  let requests = 0
  const counting: typeof fetch = (url, init) => {
    requests += 1
    return fetch(url, init)
  }
  const { url } = service.server
  const counted = createClient({ url, key: service.key, fetch: counting })
  const listing = counted.listDeviceModels({ limit: 10 })
  assert.equal(requests, 0)
  assert.deepEqual([(await listing.toArray({ limit: 25 })).length, requests], [25, 3])
  for await (const { brand } of listing) {
    assert.equal(typeof brand, 'string')
    break
  }
  assert.equal(requests, 4)
  for (const limit of [0, -1, 1.5, Infinity, NaN]) await assert.rejects(listing.toArray({ limit }), RangeError)
  assert.equal(requests, 4)
  const sizes: number[] = []
  for await (const page of listing.pages()) if (sizes.push(page.length) === 2) break
  assert.deepEqual(sizes, [10, 10])
})

test('what did not change since it was read has no data again', async () => {
  const first = await client.listPackagings().withResponse()
  const headers = { 'if-none-match': first.response.headers.get('etag')! }
  const { data, response } = await client.listPackagings({}, { headers }).withResponse()
  assert.deepEqual([data, response.status], [undefined, 304])
})

test('a page that names itself as the next one ends the loop', async () => {
  const headers = { 'content-type': 'application/json', link: '</api/keys?cursor=a>; rel="next"' }
  const same: typeof fetch = () => Promise.resolve(new Response('[{}]', { headers }))
  const listing = createClient({ url: 'http://localhost', fetch: same }).listKeys()
  await assert.rejects(listing.toArray({ limit: 100 }), /names itself/)
})

test('a promise that nobody waits for with a response fails only once', async () => {
  const answer = createClient({ url: service.server.url }).getAccount()
  await assert.rejects(answer.withResponse(), { code: 'unauthorized' })
  await assert.rejects(answer.finally(), { status: 401 })
  assert.equal(await answer.catch((error) => (error as Error).name), 'AuthenticationError')
})
