// A passport says of a device what its ledger says, names no customer, and verifies; its events are valid EPCIS 2.0.
import assert from 'node:assert/strict'
import { createHmac, hash } from 'node:crypto'
import { after, before, test } from 'node:test'
import { compactVerify, createLocalJWKSet, type JSONWebKeySet } from 'jose'
import { checkSeal } from '../src/documents/check-seal.ts'
import { LONG_LEDGER } from '../src/engine/ledger-history.ts'
import { createDeviceHistoryReader } from '../src/postgres/device-history.ts'
import { HASH } from '../src/documents/canonical.ts'
import { parseExactJson, type JsonObject } from '../src/strict-json/exact-tree.ts'
import { createImportClient } from './import-client.ts'
import type { Json } from './document-check.ts'
import { assertEvents, type PassportWithEvents } from './epcis-check.ts'
import { ORDERS, createOrderClient, milligrams, type OrderClient } from './order-client.ts'
import { BOX, VAN, laptop, orderOf } from './receipt-client.ts'
import { startService, type Service } from './service.ts'

let service: Service
let client: OrderClient
before(async () => {
  service = await startService()
  client = createOrderClient(service)
})
after(() => service.stop())

interface Passport extends PassportWithEvents {
  readonly DigitalProductPassportId: string
  readonly EconomicOperatorId: string
  readonly lives: readonly (Json & { readonly customer: string; readonly order: string })[]
  readonly balance: Readonly<Record<string, string>>
  readonly hash: { readonly value: string }
  readonly signature: { readonly value: string }
}

const pathOf = (serial: string, what = 'passport') => `/api/devices/${encodeURIComponent(serial)}/${what}`

async function textOf(serial: string, what?: string, asked: OrderClient = client): Promise<string> {
  const { status, text } = await asked.ask(pathOf(serial, what))
  assert.equal(status, 200, text)
  return text
}

async function passportOf(serial: string): Promise<Passport> {
  const text = await textOf(serial)
  const passport = JSON.parse(text) as Passport
  assertEvents(passport)
  assert.deepEqual(JSON.parse(await textOf(serial, 'epcis')), passport.events)
  const key = JSON.parse((await client.ask('/api/statement-key')).text) as Json
  const tree = parseExactJson(text) as JsonObject
  const seal = { hash: HASH, type: 'vnd.cradle.passport+jws' } as const
  const { differences } = await checkSeal(tree, seal, String(key['fingerprint']))
  assert.deepEqual(differences, [])
  const keys = createLocalJWKSet(JSON.parse((await client.ask('/api/statement-key/jwks')).text) as JSONWebKeySet)
  const { payload, protectedHeader } = await compactVerify(passport.signature.value, keys)
  assert.equal(Buffer.from(payload).toString(), passport.hash.value)
  assert.equal(protectedHeader.typ, seal.type)
  return passport
}

/** The events in short: time, step, disposition, and why it was taken back. */
const told = ({ events }: Passport): readonly string[] =>
  events.epcisBody.eventList.map(({ eventTime, errorDeclaration, ...event }) =>
    [
      event['type'] === 'TransactionEvent' ? 'extended' : eventTime.slice(0, 10),
      event['bizStep'] ?? '-',
      event['disposition'] ?? '-',
      ...(errorDeclaration ? [errorDeclaration['reason']] : []),
    ].join(' '),
  )

async function put(customer: string, id: string, body: Json): Promise<void> {
  const headers = { 'x-api-key': service.key, 'content-type': 'application/json', 'if-match': '*' }
  const path = `${ORDERS}/${customer}/${id}`
  const { status, text } = await service.ask(path, { method: 'PUT', headers, body: JSON.stringify(body) })
  assert.equal(status, 200, text)
}

test('lives, balance and figures are those of the ledger, with the head of EN 18223', async () => {
  await client.post(orderOf('Acme GmbH', 'PO-Acme-1', '2025-01-01', [laptop('P-1', 3), VAN, BOX], { country: 'DE' }))
  await client.post(orderOf('Beta', 'PO-Beta-1', '2025-06-01', [laptop('P-1', 12)]))
  await client.tell('Beta', 'PO-Beta-1', { event_id: 'Beta-r', type: 'returned', date: '2026-01-15' })
  await client.tellDevice('P-1', {
    event_id: 'Acme-f',
    type: 'refurbished',
    date: '2026-02-01',
    emission_kg: 8,
    lifetime_months_added: 12,
  })
  const passport = await passportOf('P-1')
  const head = Object.fromEntries(Object.entries(passport).filter(([name]) => /^[A-Z]/.test(name)))
  assert.deepEqual(Object.keys(head).toSorted(), [
    'DigitalProductPassportId',
    'DppSchemaVersion',
    'DppStatus',
    'EconomicOperatorId',
    'Granularity',
    'LastUpdated',
    'UniqueProductIdentifier',
  ])
  const { Granularity, DppSchemaVersion, DppStatus } = head
  assert.deepEqual([Granularity, DppSchemaVersion, DppStatus], ['Item', 'cradle-1', 'active'])
  assert.match(passport.EconomicOperatorId, /^urn:ietf:params:oauth:jwk-thumbprint:sha-256:[\w-]{43}$/)
  const { model, embodied, electricity, left, refurbishments } = passport as unknown as Readonly<Record<string, Json>>
  assert.equal(model!['id'], 'apple-macbook-air-13-m3-256gb')
  assert.deepEqual([embodied!['value'], embodied!['unit'], embodied!['type']], ['109.35', 'kgCO2e', 'estimated'])
  const { low, high } = embodied!['interval'] as Readonly<Record<string, string>>
  assert.ok(Number(low) < 109.35 && Number(high) > 109.35)
  assert.equal((embodied!['source'] as Json)['licence'], 'ODbL-1.0')
  assert.deepEqual(Object.keys(electricity!).toSorted(), [
    'emission_over_lifetime',
    'kwh_per_year',
    'stated_by',
    'unit',
  ])
  assert.deepEqual(refurbishments, [{ date: '2026-02-01', emission_added: '8', months_added: '12', unit: 'kgCO2e' }])
  assert.equal(left, undefined)
  const ledger = JSON.parse((await client.ask('/api/device-emissions/P-1?include=history')).text) as {
    readonly history: { readonly events: readonly Json[]; readonly balance: Json }
    readonly orders: readonly { readonly emission: Readonly<Record<string, Json>> }[]
  }
  const rented = ledger.history.events.filter(({ type }) => type === 'rented')
  assert.deepEqual(
    passport.lives.map((life) => [
      life['from'],
      life['to'],
      life['months'],
      life['ended_by'],
      life['embodied_emission'],
    ]),
    rented.map((one) => [
      one['from'],
      one['to'],
      String(one['months']),
      one['ended_by'],
      String(one['embodied_emission']),
    ]),
  )
  assert.deepEqual(
    passport.lives.map((life) => milligrams(life['use_emission'])),
    ledger.orders.map(({ emission }) => milligrams(emission['product_use']?.['emission'] ?? 0)),
  )
  const { embodied_total, allocated, remaining, unallocated } = passport.balance
  const sum = passport.lives.reduce((total, life) => total + milligrams(life['embodied_emission']), 0n)
  assert.equal(milligrams(allocated), sum)
  assert.equal(sum + milligrams(remaining) + milligrams(unallocated), milligrams(embodied_total))
  for (const name of ['embodied_total', 'allocated', 'remaining', 'unallocated'])
    assert.equal(passport.balance[name], String(ledger.history.balance[name]), name)
  assert.deepEqual(told(passport), [
    '2025-01-01 shipping in_transit',
    '2025-01-01 receiving active',
    '2025-06-01 shipping in_transit',
    '2025-06-01 receiving active',
    '2026-01-15 receiving returned',
    '2026-02-01 repairing -',
  ])
})

test('no name of a customer, order or event is in it, and nobody who guesses one can tell', async () => {
  await client.post(orderOf('Acme GmbH', 'PO-Acme-2', '2025-01-01', [laptop('P-2', 3), laptop('P-3', 3)]))
  const passports = await Promise.all(['P-1', 'P-2', 'P-3'].map(passportOf))
  const texts = await Promise.all(['P-1', 'P-2', 'P-3'].map((serial) => textOf(serial)))
  for (const text of texts) for (const name of ['Acme', 'Beta', 'PO-']) assert.ok(!text.includes(name), name)
  const customers = passports.flatMap(({ lives }) => lives.map(({ customer }) => customer))
  assert.equal(new Set(customers).size, customers.length, 'one customer has another pseudonym for every device')
  const orders = passports.flatMap(({ lives }) => lives.map(({ order }) => order))
  assert.equal(new Set(orders).size, orders.length)
  await client.post(orderOf('Acme GmbH', 'PO-Acme-3', '2025-04-01', [laptop('P-2', 3)]))
  const again = await passportOf('P-2')
  assert.deepEqual(
    again.lives.map(({ customer }) => customer),
    [passports[1]!.lives[0]!.customer, passports[1]!.lives[0]!.customer],
    'and the same for all rentals of one device',
  )
  // What is public does not yield it: neither by a hash nor with the public key as a secret.
  const parts = ['P-2', 'customer', 'Acme GmbH']
  const guesses = [JSON.stringify(parts), parts.join(''), parts.join('\0'), 'Acme GmbH'].flatMap((text) => [
    hash('sha256', text),
    createHmac('sha256', passports[1]!.EconomicOperatorId.split(':').at(-1)!).update(text).digest('hex'),
  ])
  const bits = again.lives[0]!.customer.replaceAll('-', '').slice(-14)
  assert.ok(guesses.every((guess) => !guess.includes(bits)))
  const key = await service.createKey(undefined, null, 'another lessor')
  const other = createOrderClient(service, key)
  await other.post(orderOf('Acme GmbH', 'PO-Acme-2', '2025-01-01', [laptop('P-2', 3)]))
  const theirs = JSON.parse(await textOf('P-2', 'passport', other)) as Passport
  const namesOf = (one: Passport) => [
    one.DigitalProductPassportId,
    one.UniqueProductIdentifier,
    one.EconomicOperatorId,
    ...one.lives.flatMap(({ customer, order }) => [customer, order]),
  ]
  assert.ok(namesOf(theirs).every((name) => !namesOf(again).includes(name)))
  assert.equal((await other.ask(pathOf('P-1'))).status, 404)
})

test('what was withdrawn or corrected is declared an error; what a correction leaves as it is stays', async () => {
  await client.post(orderOf('c', 'w', '2025-01-01', [laptop('E-1', 12), laptop('E-2', 12)]))
  await client.tell('c', 'w', { event_id: 'e-x', type: 'extended', tenure_months: 14 })
  await client.tell('c', 'w', { event_id: 'e-r', type: 'returned', serial_number: 'E-1', date: '2025-05-01' })
  await client.tell('c', 'w', { event_id: 'e-w', type: 'withdrawn', withdraws: 'e-r' })
  await client.tell('c', 'w', { event_id: 'e-r2', type: 'returned', date: '2025-06-01' })
  await client.tellDevice('E-1', { event_id: 'e-l', type: 'lost', date: '2025-07-01' })
  await client.tellDevice('E-1', { event_id: 'e-lw', type: 'withdrawn', withdraws: 'e-l' })
  await client.tellDevice('E-1', { event_id: 'e-t', type: 'retired', date: '2025-08-01' })
  const first = await passportOf('E-1')
  assert.deepEqual(told(first), [
    '2025-01-01 shipping in_transit',
    '2025-01-01 receiving active',
    '2025-05-01 receiving returned did_not_occur',
    '2025-06-01 receiving returned',
    '2025-07-01 - unknown did_not_occur',
    '2025-08-01 decommissioning inactive',
    'extended - active',
  ])
  assert.deepEqual(first['left'], { date: '2025-08-01', reason: 'retired' })
  assert.equal(first['DppStatus'], 'inactive')
  assert.deepEqual(told(await passportOf('E-2')), [
    '2025-01-01 shipping in_transit',
    '2025-01-01 receiving active',
    '2025-06-01 receiving returned',
    'extended - active',
  ])
  await put('c', 'w', orderOf('c', 'w', '2025-02-01', [laptop('E-1', 12), laptop('E-3', 12)]))
  const corrected = await passportOf('E-1')
  assert.deepEqual(told(corrected), [
    '2025-01-01 shipping in_transit incorrect_data',
    '2025-01-01 receiving active incorrect_data',
    '2025-02-01 shipping in_transit',
    '2025-02-01 receiving active',
    '2025-05-01 receiving returned did_not_occur',
    '2025-06-01 receiving returned',
    '2025-07-01 - unknown did_not_occur',
    '2025-08-01 decommissioning inactive',
    'extended - active',
  ])
  const idsOf = ({ events }: Passport) => new Set(events.epcisBody.eventList.map(({ eventID }) => eventID))
  assert.deepEqual(
    [...idsOf(first)].filter((id) => !idsOf(corrected).has(id)),
    [],
  )
  assert.deepEqual(told(await passportOf('E-2')), [
    '2025-01-01 shipping in_transit did_not_occur',
    '2025-01-01 receiving active did_not_occur',
    '2025-06-01 receiving returned did_not_occur',
    'extended - active did_not_occur',
  ])
  const before = told(await passportOf('E-3'))
  await put('c', 'w', orderOf('c', 'w', '2025-02-01', [laptop('E-1', 12), laptop('E-3', 12), BOX]))
  assert.deepEqual(told(await passportOf('E-3')), before, 'packaging is none of the device’s events')
})

test('swaps are two replacements; what never began was never there', async () => {
  await client.post(orderOf('s', 's', '2025-01-01', [laptop('S-1', 12)]))
  const swap = { type: 'swapped', serial_number: 'S-1', weight_kg: 1.24 }
  await client.tell('s', 's', { event_id: 's-1', ...swap, date: '2025-03-01', new_serial_number: 'S-2' })
  await client.tell('s', 's', { event_id: 's-2', type: 'withdrawn', withdraws: 's-1' })
  await client.tell('s', 's', { event_id: 's-3', ...swap, date: '2025-04-01', new_serial_number: 'S-3' })
  assert.deepEqual(told(await passportOf('S-1')), [
    '2025-01-01 shipping in_transit',
    '2025-01-01 receiving active',
    '2025-03-01 replacing returned did_not_occur',
    '2025-04-01 replacing returned',
  ])
  const undone = await passportOf('S-2')
  assert.deepEqual(told(undone), ['2025-03-01 replacing active did_not_occur'])
  assert.deepEqual(undone.lives, [])
  const swappedIn = await passportOf('S-3')
  assert.deepEqual(told(swappedIn), ['2025-04-01 replacing active'])
  assert.deepEqual(
    swappedIn.lives.map(({ from, to }) => [from, to]),
    [['2025-04-01', '2026-01-01']],
  )
  for (const [id, dispatched] of [
    ['never', false],
    ['returned', true],
  ] as const) {
    await client.post(orderOf('s', id, '2025-01-01', [laptop(`S-${id}`, 12)]))
    await client.tell('s', id, { event_id: `s-${id}`, type: 'cancelled', date: '2024-12-20', dispatched })
  }
  assert.deepEqual(told(await passportOf('S-never')), [
    '2025-01-01 shipping in_transit did_not_occur',
    '2025-01-01 receiving active did_not_occur',
  ])
  assert.deepEqual(told(await passportOf('S-returned')), [
    '2025-01-01 shipping in_transit',
    '2025-01-01 receiving active did_not_occur',
  ])
  const soon = new Date(Date.now() + 20 * 86_400_000).toISOString().slice(0, 10)
  await client.post(orderOf('s', 'soon', soon, [laptop('S-soon', 12)]))
  assert.deepEqual(told(await passportOf('S-soon')), [])
  await client.tell('s', 'soon', { event_id: 's-soon', type: 'cancelled', date: '2025-12-20' })
  assert.deepEqual(told(await passportOf('S-soon')), [])
  const imports = createImportClient(service)
  const { import_id: id } = await imports.run(
    'customer_id,order_id,order_date,tenure_start_date,type,product_id,serial_number,tenure_months,weight_kg\n' +
      's,wrong,2025-01-01,2025-01-01,product,apple-macbook-air-13-m3-256gb,S-wrong,12,1.24\n',
  )
  assert.equal(told(await passportOf('S-wrong')).length, 2)
  await imports.undo(id)
  const wrong = await passportOf('S-wrong')
  assert.deepEqual(
    wrong.events.epcisBody.eventList.map(({ errorDeclaration }) => errorDeclaration?.['reason']),
    ['did_not_occur', 'did_not_occur'],
  )
})

test('a device with a long ledger has one, up to a limit', async () => {
  const months = Array.from(
    { length: 130 },
    (_, at) => `${2005 + Math.floor(at / 12)}-${String((at % 12) + 1).padStart(2, '0')}`,
  )
  const send = async (path: string, body: Json) => {
    const headers = { 'x-api-key': service.key, 'content-type': 'application/json' }
    const { status, text } = await service.ask(path, { method: 'POST', headers, body: JSON.stringify(body) })
    assert.equal(status, 200, text.slice(0, 300))
  }
  await send(`${ORDERS}/batch`, {
    orders: months.map((month) => ({
      ...orderOf('long', month, `${month}-01`, [laptop('L-1', 1)]),
      order_date: '2005-01-01',
    })),
  })
  const returned = (month: string) => ({ event_id: month, type: 'returned', date: `${month}-15` })
  const events = months.map((month) => ({ customer_id: 'long', order_id: month, ...returned(month) }))
  await send('/api/events/batch', { events })
  const passport = await passportOf('L-1')
  assert.equal(passport.lives.length, 130)
  assert.equal(told(passport).length, 390)
  const { rows } = await service.pool.query<{ readonly id: number; readonly entries: number }>(
    `select account_id as id, max(entry_no) as entries from entries where serial_number = 'L-1' group by account_id`,
  )
  const { id: accountId, entries } = rows[0]!
  assert.ok(entries > LONG_LEDGER)
  const read = createDeviceHistoryReader(service.pool)
  const device = { accountId, serialNumber: 'L-1' }
  assert.equal(await read(device, entries - 1), 'too-large')
  assert.equal((await read(device, entries)) === 'too-large', false)
})

test('a passport that is read again is equal byte by byte, and LD is its type for who asks for that', async () => {
  assert.equal(await textOf('P-1'), await textOf('P-1'))
  const ask = async (accept: string, what = 'passport') => {
    const headers = { 'x-api-key': service.key, accept }
    const { status, headers: answered, text } = await service.ask(pathOf('P-1', what), { headers })
    return [status, answered['content-type'], text] as const
  }
  for (const what of ['passport', 'epcis']) {
    const [, usual, text] = await ask('*/*', what)
    assert.match(usual!, /^application\/json/)
    assert.deepEqual(await ask('application/ld+json', what), [200, 'application/ld+json; charset=utf-8', text])
    assert.match((await ask('application/json, application/ld+json;q=0.5', what))[1]!, /^application\/json/)
    assert.equal((await ask('text/csv', what))[0], 406)
  }
  for (const serial of ['nobody', '%00', '%20'])
    assert.equal((await client.ask(`/api/devices/${serial}/passport`)).status, 404)
  assert.equal((await client.ask(`${pathOf('P-1')}?x=1`)).status, 400)
})
