// Lists of devices without orders, kept settings of files, and forms: what people have is imported as it is.
import { after, before, test } from 'node:test'
import assert from 'node:assert/strict'
import { verifyAll } from '../src/cli/verify.ts'
import type { Json } from './document-check.ts'
import { createImportClient, type ImportClient } from './import-client.ts'
import { startService, type Service } from './service.ts'

let service: Service
let client: ImportClient
before(async () => {
  service = await startService()
  client = createImportClient(service)
})
after(() => service.stop())

const STATED = { customer_id: 'acme', starts_on: '2025-01-01', tenure_months: 36, weight_kg: 2 }
const REGISTER = [
  'Tag No,Asset Type,Asset Make,Asset Model,Serial Number,Location,OS Version',
  '1,Laptop,HP,HP ProBook 430 G7,5CD0000001,Office,Windows 11',
  '2,Headset,Mitel,Mitel 5312 IP Phone,ITK000001,Office,N/A',
  '3,MONITOR ,Dell,Dell P2419H,CN-000001,Branch,N/A',
  '',
].join('\n')
const COLUMNS = {
  'Tag No': '-',
  'Asset Type': 'device_type',
  'Asset Make': 'brand',
  'Asset Model': 'product_name',
  'Serial Number': 'serial_number',
}
const VALUES = { device_type: { Laptop: 'laptop', monitor: 'monitor', Headset: '-' } }

const query = (settings: Readonly<Record<string, unknown>>): string =>
  `?${Object.entries(settings)
    .map(([name, value]) => `${name}=${encodeURIComponent(typeof value === 'string' ? value : JSON.stringify(value))}`)
    .join('&')}`
const countsOf = (one: Json) =>
  ['rows_read', 'orders_stored', 'orders_replayed', 'orders_rejected'].map((name) => one[name])
const problemsOf = (text: string) =>
  (JSON.parse(text) as { details: { path: string; message: string; suggestions?: string[] }[] }).details

const ask = (method: string, path: string, body?: unknown) =>
  service.ask(path, {
    method,
    headers: { 'x-api-key': service.key, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })

const LISTS: readonly (readonly [name: string, header: string, lacks: readonly string[]])[] = [
  ['of a device management', 'Id,SerialNumber,Model,Manufacturer,DeviceType,IsEncrypted', ['order_id', 'customer_id']],
  ['of an inventory in German', 'Seriennummer,Modell,Hersteller,Standort', ['order_id', 'tenure_months']],
  ['with a customer of each device', 'Customer,Serial,Model', ['order_id', 'tenure_start_date']],
  ['with weights', 'Serial,Model,Weight kg', ['customer_id', 'tenure_months']],
  ['with days on which the rental began', 'Serial,Model,Start date', ['order_id', 'customer_id']],
]

for (const [name, header, lacks] of LISTS) {
  test(`a list of devices ${name} is told what it lacks, and what to state instead`, async () => {
    const answer = await client.send(`${header}\n${header.replace(/[^,]+/g, 'x')}\n`, '?dry_run=true')
    assert.equal(answer.status, 400, answer.text)
    const [offer] = problemsOf(answer.text)
    assert.equal(offer?.path, '?register')
    for (const column of lacks) assert.match(offer.message, new RegExp(`\\b${column}\\b`))
    const isStated = (member: string) => member in (JSON.parse(offer.suggestions![0]!) as object)
    assert.equal(isStated('customer_id'), !header.includes('Customer'))
    assert.equal(isStated('weight_kg'), !header.includes('Weight'))
    assert.equal(isStated('starts_on'), !header.includes('Start'))
  })
}

test('a register whose devices have no serial numbers is told what can stand for them', async () => {
  const settings = { register: STATED, dry_run: 'true' }
  const answer = await client.send('Modele,Fabricant,Type\nLatitude 7480,DELL,Portable\n', query(settings))
  assert.equal(answer.status, 400)
  const messages = problemsOf(answer.text).map(({ message }) => message)
  assert.ok(messages.some((message) => /no column "serial_number".* asset tag, .* numbers of your own/.test(message)))
  const tagged = await client.send('Modele,Barcode\nLatitude 7480,B-1\n', query(settings))
  assert.ok(problemsOf(tagged.text).some(({ suggestions }) => suggestions?.[0] === 'Barcode'))
})

test('a file of orders without one column is not taken for a list of devices', async () => {
  const answer = await client.send('order_id,tenure_months,serial_number,product_id\na,1,s,p\n', '?dry_run=true')
  assert.equal(answer.status, 400)
  assert.ok(problemsOf(answer.text).every(({ path }) => path !== '?register'))
})

test('a register gives one order per customer, also in a dry run, and nothing new when it is sent again', async () => {
  const settings = { columns: COLUMNS, values: VALUES, register: STATED }
  const dry = await client.run(REGISTER, query({ ...settings, dry_run: 'true' }))
  assert.deepEqual(countsOf(dry), [2, 1, 0, 0])
  const done = await client.run(REGISTER, query(settings))
  assert.deepEqual(countsOf(done), [2, 1, 0, 0])
  assert.equal(done['total_emission'], dry['total_emission'])
  assert.deepEqual(countsOf(await client.run(REGISTER, query(settings))), [2, 0, 1, 0])
  const orders = await ask('GET', '/api/customer-orders?customer_id=acme')
  assert.equal(
    (JSON.parse(orders.text) as { orders?: unknown[] }).orders?.length ?? (JSON.parse(orders.text) as unknown[]).length,
    1,
  )
  assert.deepEqual((await verifyAll(service.pool)).lines, [])
})

/** Registers as five programs export them, each with a thing that is no device of ours and one device or two. */
const FROM_PROGRAMS: readonly (readonly [
  name: string,
  rows: readonly string[],
  settings: Readonly<Record<string, unknown>>,
  counts: readonly number[],
])[] = [
  [
    'an asset register',
    [
      'Tag No,Asset Type,Asset Make,Asset Model,Serial Number,Location,User Allocated,Asset Status,OS Version',
      'T1,Laptop,Dell,Dell Latitude 5400,FR-KE-1,Office,U,In-service,Windows 11',
      'T2,CPU,HP,HP EliteDesk 800 G4,FR-KE-2,Office,U,In-service,Windows 11',
    ],
    {
      columns: {
        'Tag No': '-',
        'Asset Type': 'device_type',
        'Asset Make': 'brand',
        'Asset Model': 'product_name',
        'Serial Number': 'serial_number',
        'User Allocated': '-',
        'Asset Status': '-',
      },
      values: { device_type: { CPU: '-' } },
    },
    [1, 1, 0, 0],
  ],
  [
    'a device management',
    [
      'Id,DeviceName,SerialNumber,Model,Manufacturer,OperatingSystem,OSVersion,DeviceType,IsEncrypted,LastSyncDateTime',
      '1,LAP-9,FR-IN-1,HP EliteBook 840 G8 Notebook PC,HP,Windows,10.0,windowsRT,true,2025-01-02T10:00:00Z',
      '2,IPH-9,FR-IN-2,iPhone 13,Apple,iOS,17.1,iPhone,true,2025-01-02T10:00:00Z',
    ],
    {
      columns: {
        Id: '-',
        DeviceName: '-',
        SerialNumber: 'serial_number',
        Model: 'product_name',
        Manufacturer: 'brand',
        DeviceType: 'device_type',
        LastSyncDateTime: '-',
      },
      values: { device_type: { windowsRT: 'laptop', iPhone: 'mobile' } },
    },
    [2, 1, 0, 0],
  ],
  [
    'a French inventory',
    [
      'Marque;Type;Modèle;Numéro de série;Chemin organisationnel;Agent;Date acquisition;IP;MAC;Code;ID interne',
      'LENOVO;Ordinateur;Thinkpad L15;FR-FR-1;/S/IT;A;2020/09/29;10.0.0.1;00:00:00:00:00:01;Z1;1',
      "LENOVO;Périphérique;Station d'accueil;FR-FR-2;/S/IT;A;2020/11/02;;;;2",
    ],
    {
      columns: {
        Marque: 'brand',
        Type: 'device_type',
        Modèle: 'product_name',
        'Numéro de série': 'serial_number',
        'Date acquisition': '-',
        Code: '-',
      },
      values: { device_type: { Ordinateur: 'laptop', Périphérique: '-' } },
    },
    [1, 1, 0, 0],
  ],
  [
    'a rental software, with the customer and the start of each device',
    [
      'Code Libre;Code Article;Nom Article;Numéro de série;Début;Fin;Coût;A',
      'L-1;PC-840;HP EliteBook 840 G8;FR-LO-1;01/03/2025;31/08/2025;120,50;Client A',
      'L-2;IP-9;iPad 9e génération 64 Go;FR-LO-2;15/03/2025;14/09/2025;45,00;Client B',
    ],
    {
      columns: {
        'Code Libre': '-',
        'Code Article': 'product_id',
        'Nom Article': 'product_name',
        'Numéro de série': 'serial_number',
        Début: 'tenure_start_date',
        Fin: '-',
        Coût: '-',
        A: 'customer_id',
      },
      dates: 'DD/MM/YYYY',
      register: { tenure_months: 6, weight_kg: 1.4 },
    },
    [2, 2, 0, 0],
  ],
]

for (const [name, rows, settings, counts] of FROM_PROGRAMS) {
  test(`the file of ${name} is told what it lacks, and gives one order a customer once that is stated`, async () => {
    const file = [...rows, ''].join('\n')
    const bare = await client.send(file, '?dry_run=true')
    assert.equal(bare.status, 400, bare.text)
    assert.ok(
      problemsOf(bare.text).some(({ path }) => path === '?register'),
      bare.text,
    )
    const stated = { register: { ...STATED, customer_id: 'programs' }, ...settings }
    const done = await client.run(file, query(stated))
    assert.deepEqual(countsOf(done), counts, JSON.stringify(await client.errors(done['import_id'])))
    assert.deepEqual((await verifyAll(service.pool)).lines, [])
  })
}

test('customers in any sequence get one order each, of up to 1000 devices, also across checkpoints', async () => {
  const rows = Array.from({ length: 2_500 }, (_, at) => `c${at % 2},R-${at},ThinkPad T14,laptop`)
  const file = ['customer_id,serial_number,product_name,device_type', ...rows, ''].join('\n')
  const register = { starts_on: '2025-01-01', tenure_months: 36, weight_kg: 2 }
  const done = await client.run(file, query({ register }))
  assert.deepEqual(countsOf(done), [2_500, 4, 0, 0])
  assert.deepEqual(countsOf(await client.run(file, query({ register }))), [2_500, 0, 4, 0])
})

test('a row without a serial number is rejected alone', async () => {
  const file =
    'serial_number,product_name,device_type\nA-1,ThinkPad T14,laptop\n,ThinkPad T14,laptop\nA-3,ThinkPad T14,laptop\n'
  const done = await client.run(file, query({ register: { ...STATED, customer_id: 'blank' } }))
  assert.deepEqual(countsOf(done), [3, 1, 0, 1])
  assert.deepEqual(
    (await client.errors(done['import_id'])).map(({ row, column }) => [row, column]),
    [[3, 'serial_number']],
  )
})

test('all that is wrong with stated values is reported at once, each at its place', async () => {
  const wrong = {
    values: { device_type: { a: 1 }, country: 'DE' },
    register: { starts_on: '2025-02-30', tenure_months: 1.5, weight_kg: 0, country: 'de', customer: 'x' },
  }
  const answer = await client.send(REGISTER, query(wrong))
  assert.equal(answer.status, 400)
  assert.deepEqual(
    problemsOf(answer.text).map(({ path }) => path),
    [
      '?values/device_type/a',
      '?values/country',
      '?register/starts_on',
      '?register/tenure_months',
      '?register/weight_kg',
      '?register/country',
      '?register/customer',
    ],
  )
})

test('settings of a dry run are kept as a profile, suggested for the same header, and used by name', async () => {
  const settings = { columns: COLUMNS, values: VALUES, register: { ...STATED, customer_id: 'kept' } }
  const dry = await client.run(REGISTER, query({ ...settings, dry_run: 'true' }))
  const path = `/api/import-profiles/${encodeURIComponent('Asset list')}`
  const put = await ask('PUT', path, { import_id: dry['import_id'] })
  assert.equal(put.status, 200, put.text)
  assert.deepEqual((JSON.parse(put.text) as Json)['settings'], {
    layout: 'items',
    decimal: 'point',
    dates: 'YYYY-MM-DD',
    columns: { ...COLUMNS, Location: '-', 'OS Version': '-' },
    values: VALUES,
    register: settings.register,
  })
  const unread = await client.send(REGISTER)
  assert.equal(unread.status, 400)
  assert.deepEqual(
    [problemsOf(unread.text)[0]?.path, problemsOf(unread.text)[0]?.suggestions],
    ['?profile', ['Asset list']],
  )
  const done = await client.run(REGISTER, query({ profile: 'Asset list' }))
  assert.deepEqual([done['profile'], ...countsOf(done)], ['Asset list', 2, 1, 0, 0])
  const read = await client.run(REGISTER, query(settings))
  assert.deepEqual(read['suggested_profiles'], ['Asset list'])
  const unknown = await client.send(REGISTER, query({ profile: 'Asset lists' }))
  assert.deepEqual([unknown.status, problemsOf(unknown.text)[0]?.suggestions], [400, ['Asset list']])
  assert.equal((JSON.parse((await ask('GET', '/api/import-profiles')).text) as unknown[]).length, 1)
  assert.equal((await ask('DELETE', path)).status, 200)
  assert.equal((await ask('GET', path)).status, 404)
})

test('the erasure of a customer removes the profiles and settings that name it', async () => {
  const settings = { columns: COLUMNS, values: VALUES, register: { ...STATED, customer_id: 'Maria Muster' } }
  const file = REGISTER.replaceAll(/5CD|CN-/g, 'ER-')
  const done = await client.run(file, query(settings))
  assert.deepEqual(countsOf(done), [2, 1, 0, 0])
  assert.equal((await ask('PUT', '/api/import-profiles/hers', { import_id: done['import_id'] })).status, 200)
  const erased = await ask('POST', `/api/customers/${encodeURIComponent('Maria Muster')}/pseudonymise`, {})
  assert.equal(erased.status, 200, erased.text)
  assert.equal((await ask('GET', '/api/import-profiles/hers')).status, 404)
  const { rows } = await service.pool.query('select from imports where settings like $1 or detected like $1', [
    '%Muster%',
  ])
  assert.equal(rows.length, 0)
})

const BOUNDARY = 'x-boundary'
const part = (name: string, content: string, more = ''): string =>
  `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${content}\r\n`
const form = (...parts: readonly string[]): string => `${parts.join('')}--${BOUNDARY}--\r\n`
const filePart = (content: string): string => part('file', content, '; filename="list.csv"')
const sendForm = (body: string, type = `multipart/form-data; boundary=${BOUNDARY}`) => client.send(body, '', type)

test('a form with a file is taken, with its fields before or after it', async () => {
  const fields = [
    part('dry_run', 'true'),
    part('decimal', ''),
    part('columns', JSON.stringify(COLUMNS)),
    part('values', JSON.stringify(VALUES)),
    part('register', JSON.stringify({ ...STATED, customer_id: 'form' })),
  ]
  for (const body of [form(...fields, filePart(REGISTER)), `${form(filePart(REGISTER), ...fields)}\r\nepilogue`]) {
    const answer = await sendForm(body)
    assert.equal(answer.status, 202, answer.text)
    const done = await client.ended((JSON.parse(answer.text) as Json)['import_id'])
    assert.deepEqual([done['is_dry_run'], done['file_name'], ...countsOf(done)], [true, 'list.csv', 2, 1, 0, 0])
    assert.equal(done['file_bytes'], REGISTER.length)
  }
})

const REFUSED: readonly (readonly [name: string, body: string, status: number, says: RegExp, type?: string])[] = [
  ['no file', form(part('dry_run', 'true')), 400, /no file/],
  ['two files', form(filePart(REGISTER), filePart(REGISTER)), 400, /more than one file/],
  ['no end', form(filePart(REGISTER)).slice(0, -10), 400, /closing boundary/],
  ['no boundary', form(filePart(REGISTER)), 400, /no boundary/, 'multipart/form-data'],
  ['an unknown field', form(part('colums', '{}'), filePart(REGISTER)), 400, /colums/],
  ['a field twice', form(part('dates', 'DD/MM/YYYY'), part('dates', 'DD/MM/YYYY'), filePart(REGISTER)), 400, /dates/],
  [
    'too many fields',
    form(...Array.from({ length: 40 }, () => part('dates', 'x')), filePart(REGISTER)),
    400,
    /more than 30/,
  ],
  ['a field too long', form(part('values', 'x'.repeat(600_000)), filePart(REGISTER)), 400, /longer than/],
  ['much before the first boundary', `${'y'.repeat(6_000_000)}\r\n${form(filePart(REGISTER))}`, 413, /beside its file/],
  [
    'an encoded file',
    form(part('file', 'YQ==', '; filename="a.csv"\r\nContent-Transfer-Encoding: base64')),
    415,
    /base64/,
  ],
]
for (const [name, body, status, says, type] of REFUSED) {
  test(`a form with ${name} is refused with a sentence, and nothing of it is stored`, async () => {
    const answer = await sendForm(body, type)
    assert.equal(answer.status, status, answer.text)
    assert.match(answer.text, says)
    const { rows } = await service.pool.query("select from imports where state = 'uploading'")
    assert.equal(rows.length, 0)
  })
}

test('a file of several megabytes arrives complete through a form', async () => {
  const rows = Array.from(
    { length: 60_000 },
    (_, at) => `S-${at},ThinkPad T14 with a long name ${'n'.repeat(40)},laptop`,
  )
  const file = ['serial_number,product_name,device_type', ...rows, ''].join('\n')
  const answer = await sendForm(form(part('dry_run', 'true'), part('register', JSON.stringify(STATED)), filePart(file)))
  assert.equal(answer.status, 202, answer.text)
  assert.equal((JSON.parse(answer.text) as Json)['file_bytes'], file.length)
})
