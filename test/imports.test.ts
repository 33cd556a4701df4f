// A file of orders goes by the rules of POST: every row is stored, there before, or told with what is wrong with it.
import { after, before, test } from 'node:test'
import assert from 'node:assert/strict'
import { verifyAll } from '../src/cli/verify.ts'
import { EXAMPLE_ORDER } from '../src/http/schemas/examples.ts'
import type { Json } from './document-check.ts'
import { createImportClient, type ImportClient } from './import-client.ts'
import { countRows, startService, type Service } from './service.ts'

const HEADER =
  'customer_id;order_id;order_date;tenure_start_date;country;type;product_id;serial_number;tenure_months;weight_kg;' +
  'transportation_id;transportation_mode;distance_km;packaging_id'

/** An order of three rows, as a spreadsheet in German would have it. */
const rowsOf = (id: string, months = '12', serial = id): readonly string[] => [
  `acme;${id};15.03.2025;01.04.2025;DE;product;apple-macbook-air-13-m3-256gb;${serial};${months};1,24;;;;`,
  `acme;${id};;;;transportation;;;;1,5;road-van-diesel;road;120;`,
  `acme;${id};;;;packaging;;;;0,3;;;;corrugated-board-recycled`,
]
const fileOf = (...orders: readonly (readonly string[])[]): string => [HEADER, ...orders.flat(), ''].join('\r\n')

/** The same order, as it is posted. */
const bodyOf = (id: string) => ({
  customer_id: 'acme',
  order_id: id,
  order_date: '2025-03-15',
  tenure_start_date: '2025-04-01',
  country: 'DE',
  items: [
    {
      type: 'product',
      config: { product_id: 'apple-macbook-air-13-m3-256gb', serial_number: id, tenure_months: 12, weight_kg: 1.24 },
    },
    {
      type: 'transportation',
      config: { transportation_id: 'road-van-diesel', transportation_mode: 'road', distance_km: 120, weight_kg: 1.5 },
    },
    { type: 'packaging', config: { packaging_id: 'corrugated-board-recycled', weight_kg: 0.3 } },
  ],
})

let service: Service
let client: ImportClient
before(async () => {
  service = await startService()
  client = createImportClient(service)
})
after(() => service.stop())

const countsOf = (one: Json) =>
  ['orders_stored', 'orders_replayed', 'orders_rejected', 'rows_rejected'].map((name) => one[name])

const assertLedgerCloses = async () => {
  const { lines } = await verifyAll(service.pool)
  assert.deepEqual(lines, [])
}

test('an order by file is the order by POST, to the byte of its answer', async () => {
  const done = await client.run(fileOf(rowsOf('f1'), rowsOf('f2')))
  assert.deepEqual(countsOf(done), [2, 0, 0, 0])
  const posted = await service.post(bodyOf('p1'))
  const replayed = await service.post(bodyOf('f1'))
  assert.equal(replayed.headers['idempotent-replayed'], 'true')
  const of = ({ text }: { readonly text: string }) => (JSON.parse(text) as Json)['total_emission']
  assert.equal(of(replayed), of(posted))
  assert.equal(Number(done['total_emission']), 2 * Number(of(posted)))
})

test('what was found out of the file is told with what it was seen by', async () => {
  const { settings, columns } = await client.run(fileOf(rowsOf('s1')))
  const valueOf = (name: string) => (settings as readonly Json[]).find(({ setting }) => setting === name)?.['value']
  assert.deepEqual(['format', 'layout', 'delimiter', 'decimal', 'dates'].map(valueOf), [
    'csv',
    'items',
    ';',
    'comma',
    'DD.MM.YYYY',
  ])
  assert.ok((settings as readonly Json[]).every(({ because }) => typeof because === 'string' && because !== ''))
  const { code, params } = (settings as readonly Json[]).find(({ setting }) => setting === 'delimiter')!
  const cells = HEADER.split(';').length
  assert.deepEqual([code, params], ['delimiter_splits_header', { cells, known: cells }])
  assert.equal((columns as readonly Json[]).length, HEADER.split(';').length)
})

test('importing a file twice, or what was posted before, changes nothing', async () => {
  const file = fileOf(rowsOf('t1'), rowsOf('t2'))
  await service.post(bodyOf('t1'))
  assert.deepEqual(countsOf(await client.run(file)), [1, 1, 0, 0])
  const rows = await countRows(service.pool)
  assert.deepEqual(countsOf(await client.run(file)), [0, 2, 0, 0])
  assert.deepEqual(await countRows(service.pool), rows)
})

test('a faulty row is told with its cell and with what would be right, and keeps its whole order out', async () => {
  const typo = rowsOf('x2').map((row) => row.replace('road-van-diesel', 'road-van-disel'))
  const done = await client.run(fileOf(rowsOf('x1', 'zwölf'), typo, rowsOf('x3')))
  assert.deepEqual(countsOf(done), [1, 0, 2, 6])
  const errors = await client.errors(done['import_id'])
  assert.deepEqual(
    errors.map(({ row, column, value }) => [row, column, value]),
    [
      [2, 'tenure_months', 'zwölf'],
      [6, 'transportation_id', 'road-van-disel'],
    ],
  )
  assert.match(String(errors[1]!['suggestion']), /road-van-diesel/)
  const { code, params, suggestion } = errors[0]!
  assert.deepEqual([code, params, suggestion], ['cell_not_a_number', { text: 'zwölf', decimal: 'comma' }, null])
  assert.equal((await service.ask('/api/customer-orders/acme/x1')).status, 404)
})

test('an order stored with other content is refused, and so is one whose rows do not stand together', async () => {
  await client.run(fileOf(rowsOf('c1')))
  const done = await client.run(fileOf(rowsOf('c1', '24'), rowsOf('c2'), rowsOf('c3'), rowsOf('c2', '6', 'c2b')))
  assert.deepEqual(countsOf(done), [2, 0, 2, 6])
  const errors = await client.errors(done['import_id'])
  assert.deepEqual(
    errors.map(({ row, column }) => [row, column]),
    [
      [2, 'tenure_months'],
      [11, 'order_id'],
    ],
  )
  assert.match(String(errors[0]!['reason']), /Other content is stored/)
  assert.match(String(errors[1]!['reason']), /Row 5 begins an order/)
  assert.equal(errors[0]!['code'], 'order_stored_differently')
  assert.deepEqual([errors[1]!['code'], errors[1]!['params']], ['order_rows_apart', { row: 5 }])
})

test('a dry run finds what the import finds, and stores nothing', async () => {
  const file = fileOf(rowsOf('d1'), rowsOf('d2', '-1'), rowsOf('d3'), rowsOf('d1'), rowsOf('d3', '9'))
  const rows = await countRows(service.pool)
  const dry = await client.run(file, '?dry_run=true')
  assert.equal((await client.send(file, '?dry_run=false&dry_run=true')).status, 400)
  assert.deepEqual(await countRows(service.pool), rows)
  const done = await client.run(file)
  assert.deepEqual(countsOf(dry), [2, 1, 2, 6])
  assert.deepEqual(countsOf(done), countsOf(dry))
  assert.equal(done['total_emission'], dry['total_emission'])
  assert.deepEqual(await client.errors(dry['import_id']), await client.errors(done['import_id']))
})

test('a dry run looks at what is stored before it looks at the rows above, as the import does', async () => {
  await service.post(bodyOf('e1'))
  await service.post(bodyOf('e2'))
  const other = rowsOf('e1', '24')
  const file = fileOf(other, rowsOf('d9'), other, rowsOf('d8'), rowsOf('e1'), rowsOf('e2'), rowsOf('d7'), rowsOf('e2'))
  const dry = await client.run(file, '?dry_run=true')
  const done = await client.run(file)
  assert.deepEqual(countsOf(done), [3, 3, 2, 6])
  assert.deepEqual(countsOf(dry), countsOf(done))
  assert.deepEqual(await client.errors(dry['import_id']), await client.errors(done['import_id']))
})

test('members of orders that nobody asked for are told once for the file', async () => {
  const withStrangers = (id: string) => {
    const body = bodyOf(id)
    const items = body.items.map(({ type, config }) => ({ type, config: { ...config, colour: 'red' } }))
    return JSON.stringify({ ...body, 'order/no': 7, items })
  }
  for (const query of ['?dry_run=true', '']) {
    const done = await client.run(`${withStrangers('i1')}\n${withStrangers('i2')}\n`, query, 'application/jsonl')
    assert.deepEqual(countsOf(done), [2, 0, 0, 0])
    assert.deepEqual(done['ignored'], ['/order~1no', '/items/*/config/colour'])
  }
})

test('an undone import takes back its orders and frees their ids: the mended file is stored anew', async () => {
  await service.post(bodyOf('u0'))
  const done = await client.run(fileOf(rowsOf('u0'), rowsOf('u1'), rowsOf('u2'), rowsOf('u3')))
  const post = (path: string, body: object) =>
    service.ask(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
  await post('/api/customer-orders/acme/u3/events', { event_id: 'u3-back', type: 'returned', date: '2025-05-01' })
  const undone = await client.undo(done['import_id'])
  assert.deepEqual([undone['state'], undone['orders_reversed'], undone['orders_kept']], ['reversed', 2, 1])
  const statusOf = async (id: string) =>
    (JSON.parse((await service.ask(`/api/customer-orders/acme/${id}`)).text) as Json)['status']
  assert.deepEqual(await Promise.all(['u0', 'u1', 'u2', 'u3'].map(statusOf)), [
    'created',
    'reversed',
    'reversed',
    'returned',
  ])
  const mended = fileOf(rowsOf('u1'), rowsOf('u2', '18'), rowsOf('u3'))
  for (const query of ['?dry_run=true', '']) {
    assert.deepEqual(countsOf(await client.run(mended, query)).slice(0, 3), [2, 1, 0])
  }
  assert.deepEqual(await Promise.all(['u1', 'u2'].map(statusOf)), ['created', 'created'])
  // Sent once more, they are repetitions; with what was undone, a conflict.
  assert.deepEqual(countsOf(await client.run(mended)).slice(0, 3), [0, 3, 0])
  const again = await post('/api/customer-orders', bodyOf('u1'))
  assert.deepEqual([again.status, again.headers['idempotent-replayed']], [200, 'true'])
  const listed = await service.ask('/api/customer-orders?order_id=u1')
  assert.equal((JSON.parse(listed.text) as Json[]).length, 1)
  const serial = String(bodyOf('u1').items[0]!.config['serial_number'])
  const device = JSON.parse((await service.ask(`/api/device-emissions/${serial}`)).text) as Json
  assert.deepEqual([device['number_of_orders'], (device['orders'] as Json[]).length], [1, 1])
  for (let time = 0; time < 2; time += 1) await client.undo((await client.run(fileOf(rowsOf('twice'))))['import_id'])
  const twice = String(bodyOf('twice').items[0]!.config['serial_number'])
  const undoneTwice = JSON.parse((await service.ask(`/api/device-emissions/${twice}`)).text) as Json
  assert.equal(undoneTwice['number_of_orders'], 1)
  await assertLedgerCloses()
})

test('a device that an undone import had named is what the first order says that still counts', async () => {
  const rows = rowsOf('n1', '12', 'named').map((row) =>
    row.replace('apple-macbook-air-13-m3-256gb', 'dell-latitude-3120'),
  )
  const done = await client.run(fileOf(rows))
  const postOf = (id: string, serial: string) => {
    const [device, ...others] = bodyOf(id).items
    const items = [{ ...device, config: { ...device!.config, serial_number: serial } }, ...others]
    return service.post({ ...bodyOf(id), tenure_start_date: '2026-04-01', items })
  }
  await postOf('n2', 'named')
  await postOf('n3', 'not named')
  const totalOf = async (id: string) =>
    (JSON.parse((await service.ask(`/api/customer-orders/acme/${id}`)).text) as Json)['total_emission']
  assert.notEqual(await totalOf('n2'), await totalOf('n3'))
  assert.equal((await client.undo(done['import_id']))['orders_reversed'], 1)
  assert.equal(await totalOf('n2'), await totalOf('n3'))
  await assertLedgerCloses()
})

test('an order is kept if a client used the event id of its reversal for another event', async () => {
  const done = await client.run(fileOf(rowsOf('taken')))
  await service.post(bodyOf('other'))
  const event = { event_id: `import-${String(done['import_id'])}-reversal-2`, type: 'returned', date: '2025-05-01' }
  const headers = { 'content-type': 'application/json' }
  const path = '/api/customer-orders/acme/other/events'
  assert.equal((await service.ask(path, { method: 'POST', headers, body: JSON.stringify(event) })).status, 200)
  const undone = await client.undo(done['import_id'])
  assert.deepEqual([undone['orders_reversed'], undone['orders_kept']], [0, 1])
})

test('an import that fails in the middle of a stretch ends, and the next one has its turn', async () => {
  await service.pool.query(`create function refuse_one() returns trigger language plpgsql as $$ begin
      if new.order_id = 'refused' then raise exception 'refused' using errcode = '22000'; end if;
      return new;
    end $$;
    create trigger refuse_one before insert on orders for each row execute function refuse_one()`)
  // Far more than are under way at once.
  const others = Array.from({ length: 1_000 }, (_, at) => rowsOf(`r${at}`))
  const failed = await client.run(fileOf(rowsOf('refused'), ...others))
  assert.equal(failed['state'], 'failed')
  assert.match(String(failed['problem']), /internal error of the service/)
  assert.deepEqual(failed['problem_message'], { code: 'import_internal_error' })
  await service.pool.query('drop trigger refuse_one on orders')
  assert.deepEqual(countsOf(await client.run(fileOf(rowsOf('refused')))), [1, 0, 0, 0])
  await assertLedgerCloses()
})

test('a file that does not tell how it is to be read is refused with what to send', async () => {
  const american = fileOf(rowsOf('a1')).replaceAll('15.03.2025', '03/05/2025').replaceAll('01.04.2025', '04/01/2025')
  const { status, text } = await client.send(american)
  assert.equal(status, 400)
  const { details } = JSON.parse(text) as { readonly details: readonly Json[] }
  assert.ok(
    details.some(({ path }) => path === '?dates'),
    text,
  )
  assert.deepEqual(countsOf(await client.run(american, '?dates=MM%2FDD%2FYYYY')), [1, 0, 0, 0])
})

test('no account sees, reads errors of, or undoes the import of another', async () => {
  const done = await client.run(fileOf(rowsOf('n1', 'x')))
  const path = `/api/imports/${String(done['import_id'])}`
  const headers = { 'x-api-key': await service.createKey(undefined, null, 'other') }
  assert.equal((await service.ask(path, { headers })).status, 404)
  assert.equal((await service.ask(`${path}/errors`, { headers })).status, 404)
  assert.equal((await service.ask(`${path}/error-groups`, { headers })).status, 404)
  assert.equal((await service.ask(path, { method: 'DELETE', headers })).status, 404)
  assert.equal((await service.ask('/api/imports', { headers })).text, '[]')
})

test('the rows that were refused come back as a file that imports once it is mended', async () => {
  const done = await client.run(fileOf(rowsOf('m1', '12 Monate'), rowsOf('m2'), rowsOf('m3')))
  const { headers, text } = await service.ask(`/api/imports/${String(done['import_id'])}/rejected-rows`)
  assert.match(String(headers['content-disposition']), /import-\d+-errors\.csv/)
  const [, head, first] = text.split(/\r\n|\ufeff/)
  assert.equal(head, `import_reason;import_suggestion;${HEADER}`)
  assert.match(first!, /^"tenure_months: .*12 Monate.*";tenure_months: 12;acme;m1;/)
  assert.deepEqual(countsOf(await client.run(text)), [0, 0, 1, 3])
  assert.deepEqual(countsOf(await client.run(text.replace(';12 Monate;', ';12;'))), [1, 0, 0, 0])
})

test('a template imports as it is, also where the order of the README is stored', async () => {
  for (const layout of ['items', 'orders']) {
    const { text } = await service.ask(`/api/import-templates/${layout}`)
    const key = await service.createKey(undefined, null, layout)
    await createImportClient(service, key).run(JSON.stringify(EXAMPLE_ORDER), '', 'application/jsonl')
    assert.doesNotMatch(text, /C02XL0AAJGH5/)
    const [stored, replayed, failed] = countsOf(await createImportClient(service, key).run(text))
    assert.ok(Number(stored) > 0)
    assert.deepEqual([replayed, failed], [0, 0])
  }
})
