// New ids sort like the old ones wherever that decides the sequence of rentals.
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { keepsSequence, newCustomerId, newOrderIds, renamedOrderId, type Tie } from './pseudonyms.ts'

const compare = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b))

test('an id that takes part in no tie is 128 random bits, and says nothing of the old one', () => {
  const ids = Array.from({ length: 100 }, () => newCustomerId('acme', [])!)
  assert.equal(new Set(ids).size, 100)
  for (const id of ids) assert.match(id, /^customer_[0-9a-f]{32}$/)
  assert.match(newOrderIds('acme', ['o'], [])!.get('o')!, /^order_[0-9a-f]{32}$/)
})

test('orders of a customer on one day and device keep their sequence, however many they are', () => {
  const orderIds = Array.from({ length: 40 }, (_, at) => `o${at}`)
  const pairs = orderIds.flatMap((orderId) =>
    orderIds
      .filter((other) => other !== orderId)
      .map((otherOrderId): Tie => ({
        orderId,
        otherCustomerId: 'acme',
        otherOrderId,
      })),
  )
  const renamed = newOrderIds('acme', orderIds, pairs)!
  const sorted = orderIds.toSorted(compare).map((id) => renamed.get(id)!)
  assert.deepEqual(sorted, sorted.toSorted(compare))
})

test('an order keeps its place between orders of others, and beside its own', () => {
  const tie = (orderId: string, otherOrderId: string, otherCustomerId = 'beta'): Tie => ({
    orderId,
    otherOrderId,
    otherCustomerId,
  })
  for (let round = 0; round < 50; round += 1) {
    const renamed = newOrderIds(
      'acme',
      ['m', 'n', 'z'],
      [tie('m', 'b'), tie('m', 'n', 'acme'), tie('n', 'm', 'acme'), tie('n', 'p'), tie('z', 'p'), tie('m', 'm')],
    )!
    const [m, n, z] = ['m', 'n', 'z'].map((id) => renamed.get(id)!) as [string, string, string]
    assert.ok(compare('b', m) < 0 && compare(m, n) < 0 && compare(n, 'p') < 0 && compare('p', z) < 0)
    // "acme" comes before "beta", so "m" of acme before "m" of beta.
    assert.ok(compare(m, 'm') < 0)
  }
})

test('a customer keeps its place among others who use the same order id, and it is said where there is none', () => {
  const tie = (otherCustomerId: string): Tie => ({ orderId: 'o', otherOrderId: 'o', otherCustomerId })
  const id = newCustomerId('m', [tie('b'), tie('x')])!
  assert.ok(compare('b', id) < 0 && compare(id, 'x') < 0)
  assert.ok(keepsSequence('m', id, [tie('b'), tie('x')]))
  assert.equal(keepsSequence('m', id, [tie(`${id}0`), tie('a')]), compare(`${id}0`, 'm') > 0)
  assert.equal(newCustomerId('b ', [tie('b'), tie('b!')]), null)
  const between = [tie('a'), tie('x')]
  assert.equal(newOrderIds('m', ['o'], between), null)
})

test('all revisions of an order get one new id, and keep their numbers', () => {
  const first = { orderId: 'o', otherCustomerId: 'acme', otherOrderId: 'o\u001f0002' }
  const ties: readonly Tie[] = [first, { ...first, orderId: 'o\u001f0002', otherOrderId: 'o' }]
  for (const more of [[], [{ orderId: 'o\u001f0002', otherCustomerId: 'beta', otherOrderId: 'p' }]]) {
    const renamed = newOrderIds('acme', ['o'], [...ties, ...more])!
    assert.equal(renamed.size, 1)
    const id = renamedOrderId(renamed, 'o')
    assert.equal(renamedOrderId(renamed, 'o\u001f0002'), `${id}\u001f0002`)
    assert.notEqual(id, 'o')
    assert.ok(more.length === 0 || compare(id, 'p') < 0)
  }
})
