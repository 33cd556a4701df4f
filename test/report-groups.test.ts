// In which sequence groups of a report stand, what they are called, and what becomes of those beyond a limit.
import { after, before, test } from 'node:test'
import assert from 'node:assert/strict'
import type { Json } from './document-check.ts'
import { startService, type Service } from './service.ts'
import { order, milligrams } from './order-client.ts'

let service: Service

/** The first customer has a device, the second two … */
before(async () => {
  service = await startService()
  for (const at of [0, 1, 2]) {
    const serials = ['a', 'b', 'c'].slice(0, at + 1).map((letter) => `s${at}-${letter}`)
    const more = { order_date: `2025-0${1 + at}-11`, ...(at === 0 && { country: 'DE' }) }
    const { status, text } = await service.post(order(`c${at}`, `o${at}`, serials, more))
    assert.equal(status, 200, text)
  }
})
after(() => service.stop())

async function report(query: string): Promise<Json> {
  const { status, text } = await service.ask(`/api/reports/emissions?${query}`)
  assert.equal(status, 200, text)
  return JSON.parse(text) as Json
}

const groupsOf = ({ groups }: Json) => groups as readonly Json[]
const emissionsOf = (answer: Json) => groupsOf(answer).map((group) => milligrams(group['total_emission']))

test('groups stand by time, else those first that weigh most, or as is asked for', async () => {
  const sequence = async (query: string, ...names: string[]) =>
    groupsOf(await report(query)).map((group) => names.map((name) => group[name]).join(' '))
  assert.deepEqual(await sequence('group_by=customer', 'customer'), ['c2', 'c1', 'c0'])
  assert.deepEqual(await sequence('group_by=customer&sort=name', 'customer'), ['c0', 'c1', 'c2'])
  assert.deepEqual(await sequence('group_by=month', 'month'), ['2025-01', '2025-02', '2025-03'])
  assert.deepEqual(await sequence('group_by=month&sort=-total_emission', 'month'), ['2025-03', '2025-02', '2025-01'])
  const byName = await sequence('group_by=country,customer&sort=name', 'country', 'customer')
  assert.deepEqual(byName, ['DE c0', ' c1', ' c2'])
  const weights = emissionsOf(await report('group_by=customer,part'))
  assert.deepEqual(
    weights,
    weights.toSorted((a, b) => (a > b ? -1 : 1)),
  )
})

test('groups beyond a limit are added up as one, to the milligram, as sure as a report of them alone', async () => {
  for (const query of ['group_by=customer,month', 'group_by=part,customer', 'group_by=model&sort=name']) {
    const all = await report(query)
    const some = await report(`${query}&limit=1`)
    const others = some['remainder'] as Json | null
    assert.equal(some['total_emission'], all['total_emission'])
    assert.deepEqual(some['uncertainty'], all['uncertainty'])
    const most = emissionsOf(all).reduce((a, b) => (a > b ? a : b))
    assert.deepEqual(emissionsOf(some), [most])
    if (groupsOf(all).length === 1) assert.equal(others, null)
    else {
      assert.equal(others!['number_of_groups'], groupsOf(all).length - 1)
      assert.equal(milligrams(others!['total_emission']) + most, milligrams(all['total_emission']))
    }
    assert.equal(all['remainder'], null)
  }
  // All others are as sure as a report of them alone.
  const [first, ...rest] = groupsOf(await report('group_by=customer')).map(({ customer }) => String(customer))
  const some = await report('group_by=customer&limit=1')
  const alone = await report(rest.map((customer) => `customer=${customer}`).join('&'))
  assert.equal(groupsOf(some)[0]!['customer'], first)
  const { number_of_groups, ...others } = some['remainder'] as Json
  const { total_emission, uncertainty, number_of_orders, number_of_rentals } = alone
  assert.deepEqual(others, { total_emission, uncertainty, number_of_orders, number_of_rentals })
  assert.equal(number_of_groups, rest.length)
})

test('models and scopes stand with their names', async () => {
  const named = async (by: string, name: string) =>
    groupsOf(await report(`group_by=${by}`)).map((group) => [group[by], group[name]])
  assert.deepEqual(await named('model', 'model_name'), [
    ['apple-macbook-air-13-m3-256gb', 'Apple MacBook Air 13 M3 256GB'],
  ])
  assert.deepEqual((await named('scope', 'scope_name')).map(([, name]) => String(name).slice(0, 7)).sort(), [
    'Scope 2',
    'Scope 3',
  ])
})

test('in a file of some groups the last line is all others, so that lines add up to the total', async () => {
  const { payload } = await service.server.app.inject({
    url: '/api/reports/emissions?group_by=scope,customer&limit=2&format=csv',
    headers: { 'x-api-key': service.key },
  })
  const [header = '', ...lines] = payload.replace('\ufeff', '').trimEnd().split('\r\n')
  assert.match(header, /reporting_entity: lessee · .* · filter date_basis: order/)
  const names = header.split(',')
  const cells = lines.map((line) => Object.fromEntries(line.split(',').map((cell, at) => [names[at]!, cell] as const)))
  assert.deepEqual(
    cells.map(({ scope, number_of_groups }) => [scope, number_of_groups]),
    [
      ['3', '1'],
      ['3', '1'],
      ['all others', '4'],
    ],
  )
  assert.match(cells[0]!['scope_name']!, /^Scope 3/)
  const sum = cells.reduce((total, line) => total + milligrams(Number(line['total_emission_kg'])), 0n)
  assert.equal(sum, milligrams((await report(''))['total_emission']))
})
