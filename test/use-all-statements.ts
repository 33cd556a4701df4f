// Whatever makes the service, or a process beside it, ask the database something about the ledger.
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from 'pg'
import { SCOPES, ensureAccount } from '../src/postgres/accounts.ts'
import { LONG_LEDGER } from '../src/engine/ledger-history.ts'
import { problemRow } from '../src/ledger/restatement/change-rows.ts'
import { serialNumbersEverInOrder } from '../src/ledger/order-state.ts'
import { readScenario } from '../src/postgres/scenario-records.ts'
import { inTransaction } from '../src/postgres/transaction.ts'
import { createRestatementJobs } from '../src/postgres/restatement-jobs.ts'
import { templateOf } from '../src/spreadsheets/templates.ts'
import { createImportClient } from './import-client.ts'
import type { Service } from './service.ts'
import { createOrderClient, order } from './order-client.ts'
import { createOwnImporter } from './own-importer.ts'
import { createProductClient } from './product-client.ts'

/** Each way in and out of the ledger. */
export async function useAccount(service: Service, account: string): Promise<void> {
  const own = await service.createKey(SCOPES, null, account)
  const client = createOrderClient(service, own)
  const products = createProductClient(service, own)
  await products.put('own-1', { model_id: 'apple-macbook-air-13-m3-256gb' })
  await service.ask('/api/products/own-1', { method: 'DELETE', headers: { 'x-api-key': own } })
  await products.put('own-1', { model_id: 'apple-macbook-air-13-m3-256gb' })
  await products.order('guess', { product_id: 'who-knows', serial_number: 'g', tenure_months: 3, weight_kg: 1.2 })
  for (const [id, serials] of [
    ['o1', ['a', 'b']],
    ['o2', ['a']],
    ['o3', []],
    ['o1', ['a', 'b']],
    ['o2', ['a']],
  ] as const) {
    await client.post(order('c', id, serials))
  }
  const back = { event_id: 'e1', type: 'returned', date: '2025-06-01', serial_number: 'b' }
  for (let told = 0; told < 2; told += 1) await client.tell('c', 'o1', back)
  const swap = { event_id: 'e2', type: 'swapped', date: '2025-06-02', serial_number: 'a', new_serial_number: 'd' }
  await client.tell('c', 'o2', { ...swap, weight_kg: 1.24 })
  await client.tell('c', 'o3', { event_id: 'e3', type: 'cancelled', date: '2025-01-20' })
  await client.tellDevice('b', { event_id: 'e4', type: 'retired', date: '2026-06-02' })
  const headers = { 'x-api-key': own, 'content-type': 'application/json' }
  const withdrawal = JSON.stringify({ event_id: 'e5', type: 'withdrawn', withdraws: 'e1' })
  const path = '/api/customer-orders/c/o1/events?preview=true'
  assert.equal((await service.ask(path, { method: 'POST', headers, body: withdrawal })).status, 200)
  const corrected = JSON.stringify(order('c', 'o3', [], { order_date: '2025-01-11' }))
  const [put, ifMatch] = ['PUT', { ...headers, 'if-match': '*' }]
  assert.equal(
    (await service.ask('/api/customer-orders/c/o3', { method: put, headers: ifMatch, body: corrected })).status,
    200,
  )
  const closing = { method: 'POST', headers, body: '{"closed_until":"2026-01-01"}' }
  assert.equal((await service.ask('/api/periods?preview=true', closing)).status, 200)
  const estimate = { method: 'POST', headers, body: JSON.stringify(order('c', 'o4', ['A'])) }
  assert.equal((await service.ask('/api/estimates', estimate)).headers['warnings'], '1')
  const model = 'apple-macbook-air-15-m3-256gb'
  await client.tellDevice('b', { event_id: 'e6', type: 'identified', model_id: model })
  await client.tellDevice('b', { event_id: 'e7', type: 'withdrawn', withdraws: 'e6' })
  const queries = ['', '?status=cancelled', '?serial_number=a', '?customer_id=c&from=2025-01-01', '?search=a']
  for (const query of [...queries, '?sort=-order_date', '?search=c&serial_number=a', '?sort=total_emission']) {
    assert.ok((await client.list(query)).orders.length > 0, query)
  }
  await products.list()
  await useImports(service, own)
  await useFigures(service, own)
  await useRestatements(service, own)
  const orders = ['customer-orders/c/o1', 'customer-orders/c/o1/receipt', 'customer-orders/c/o3']
  const paths = [
    ...orders,
    'device-emissions/a',
    'statements/c/2025',
    'statements/c/1990',
    'statement-key',
    'exports/orders',
    'devices/a/passport',
    'exports/events',
    'exports/devices',
    'exports/entries',
    ...['devices', 'devices?sort=-total_emission&customer_id=c', 'devices?sort=total_emission&footprint_id=weight'],
    'reports/electricity?year=2025',
    ...['reports/inventories?year=2025', 'data-sources/c/2025'],
    'product-states',
    'events',
  ]
  for (const path of paths) {
    assert.equal((await client.ask(`/api/${path}`)).status, 200, path)
  }
}

/** A figure of the account's own, in two versions and withdrawn; the estimate numbers the release with it. */
async function useFigures(service: Service, key: string): Promise<void> {
  const first = { 'x-api-key': key, 'content-type': 'application/json' }
  const headers = { ...first, 'if-match': '*' }
  const path = '/api/lifetimes/headphone'
  for (const lifetime_months of [40, 41]) {
    const body = JSON.stringify({ lifetime_months, source_title: 'Records', source_publisher: 'Us' })
    const sent = { method: 'PUT' as const, headers: lifetime_months === 40 ? first : headers, body }
    assert.equal((await service.ask(path, sent)).status, 200)
  }
  const estimate = { method: 'POST' as const, headers, body: JSON.stringify(order('c', 'own', ['own'])) }
  assert.equal((await service.ask('/api/estimates', estimate)).status, 200)
  for (const one of ['/api/lifetimes', path]) assert.equal((await service.ask(one, { headers })).status, 200)
  assert.equal((await service.ask(path, { method: 'DELETE', headers })).status, 200)
}

/** As if an order had been changed after the preview of a restatement was checked. */
async function refuseOne(pool: Pool, restatementId: number): Promise<void> {
  const own = 'select account_id as "accountId" from restatements where restatement_id = $1'
  const { accountId } = (await pool.query<{ accountId: number }>(own, [restatementId])).rows[0]!
  const { rows } = await pool.query<{ customerId: string; orderId: string }>(
    `select customer_id as "customerId", order_id as "orderId" from restated_emissions
    where account_id = $1 and restatement_id = $2 and year is null limit 1`,
    [accountId, restatementId],
  )
  const key = rows[0]!
  await createRestatementJobs(pool).storeRefused({ accountId, restatementId }, [key], [problemRow(key, 'gone')])
}

/** What mappings that were changed since move, and a preview of its undo. */
async function useRestatements(service: Service, key: string): Promise<void> {
  const headers = { 'x-api-key': key, 'content-type': 'application/json' }
  const ask = async (path: string, sent: object = {}) =>
    JSON.parse((await service.ask(`/api/${path}`, { ...sent, headers })).text) as Readonly<Record<string, unknown>>
  const mapped = JSON.stringify({ model_id: 'apple-macbook-air-13-m3-256gb' })
  await ask('products/who-knows', { method: 'PUT', body: mapped })
  const post = (path: string, body: object) => ask(path, { method: 'POST', body: JSON.stringify(body) })
  const restate = async (path: string, body: object): Promise<string> => {
    const { restatement_id: id } = await post(path, body)
    const one = `restatements/${String(id)}`
    for (let attempt = 0; /ing$/.test(String((await ask(one))['state'])); attempt += 1) {
      assert.ok(attempt < 600, 'The restatement does not end')
      await sleep(50)
    }
    assert.equal(((await ask(`${one}/changes`))['orders'] as readonly unknown[]).length, 1)
    for (const kind of ['years', 'problems', 'refused']) assert.ok(kind in (await ask(`${one}/changes?of=${kind}`)))
    return one
  }
  const one = await restate('restatements', { scope: {}, figures: { mappings: 'current' }, reason: 'Mapped since' })
  const { preview, restatement_id: id } = await ask(one)
  await restate(`${one}/apply`, { digest: (preview as { readonly digest: string }).digest })
  await restate('restatements', { scope: {}, figures: { before_restatement: id }, reason: 'Mapped wrongly' })
  await refuseOne(service.pool, Number(id))
}

/** A file with a fault, undone again, and one that cannot be read. */
async function useImports(service: Service, key: string): Promise<void> {
  const imports = createImportClient(service, key)
  const template = templateOf('items')
  const done = await imports.run(template + template.split('\r\n')[1]!.replace(',2024-12-12', 'x,someday'))
  assert.equal((await imports.errors(done['import_id'])).length, 1)
  const headers = { 'x-api-key': key }
  const profile = { headers, body: JSON.stringify({ import_id: done['import_id'] }) }
  const json = { ...profile, headers: { ...headers, 'content-type': 'application/json' } }
  assert.equal((await service.ask('/api/import-profiles/own', { method: 'PUT', ...json })).status, 200)
  assert.equal((await imports.send('customer_id\nx\n')).status, 400)
  for (const path of ['', '/own']) await service.ask(`/api/import-profiles${path}`, { headers })
  assert.equal((await service.ask('/api/import-profiles/own', { method: 'DELETE', headers })).status, 200)
  await service.ask(`/api/imports/${String(done['import_id'])}/rejected-rows`, { headers })
  assert.equal((await imports.undo(done['import_id']))['orders_reversed'], 2)
  assert.equal((await imports.send('')).status, 400)
}

/** What a scenario reads of accounts, which the service does in another process. */
export async function readScenariosHere(pool: Pool): Promise<void> {
  const limits = { ordersMax: 10_000, entriesMax: 1_000_000 }
  const scope = { customerId: null, from: null, to: null }
  for (const name of ['one', 'busy']) {
    const { accountId } = await ensureAccount(pool, name)
    const serialsOf = serialNumbersEverInOrder
    const read = await inTransaction(pool, (client) => readScenario(client, { accountId, scope, limits, serialsOf }))
    assert.ok(typeof read === 'object' && read.orders.length > 0, name)
  }
}

/** A device with more entries than are read for each order: they are read once, and then only what has come since. */
export async function useBusyDevice(service: Service): Promise<void> {
  const client = createOrderClient(service, await service.createKey(undefined, null, 'busy'))
  for (let no = 0; no <= LONG_LEDGER + 2; no += 1) await client.post(order('c', `o${no}`, ['busy']))
}

const FILE = templateOf('items')
const COLUMNS = 'customer_id,order_id,order_date,tenure_start_date,type,product_id,serial_number,tenure_months'
const WITH_RETURN = `${COLUMNS},weight_kg,returned_on
c,returned,2025-01-10,2025-02-01,product,P-1,ret,12,1.2,2025-05-01
`
const WITH_FAULT = FILE + FILE.split('\r\n')[1]!.replace(',2024-12-12', 'x,someday')

/** What processes beside the service ask, by this one. */
export async function importHere(pool: Pool): Promise<void> {
  const { receive, run, work, imports } = await createOwnImporter(pool)
  // In a dry run, events are looked up for the returns that the file states.
  assert.equal((await run(WITH_RETURN, true)).counts.ordersStored, 1)
  const key = await receive(WITH_FAULT)
  await work(key)
  const done = await imports.find(key)
  assert.deepEqual([done?.state, done?.counts.ordersRejected], ['succeeded', 1])
  const ofEvents = await receive(templateOf('events'), false, { layout: 'events' })
  await work(ofEvents)
  for (const one of [ofEvents, key]) {
    await imports.undo(one)
    await work(one)
    assert.equal((await imports.find(one))?.state, 'reversed')
  }
}
