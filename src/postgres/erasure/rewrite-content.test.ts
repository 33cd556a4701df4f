// Names in the JSON of items and events are replaced at any depth, and everything else stays to the byte.
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { rewriteContent, serialNumbersIn, type Renaming } from './rewrite-content.ts'

const RENAMING: Renaming = {
  customers: new Map([['acme', 'customer_1']]),
  orders: new Map([['o-1', 'order_1']]),
  serials: new Map([
    ['S1', 'serial_1'],
    ['S2', 'serial_2'],
  ]),
}

test('an event that holds whole orders, as sent and as stored, names nothing afterwards', () => {
  const item = (serial: string) => ({ type: 'product', config: { product_id: 'S1', serial_number: serial } })
  const whole = (serial: string) => ({
    customer_id: 'acme',
    order_id: 'o-1',
    metadata: { contact: 'Erika' },
    items: [item(serial)],
  })
  const event = {
    event_id: 'acme',
    type: 'corrected',
    reason: 'acme rang',
    order: whole('S1'),
    replaced: { ...whole('S3'), stored: [{ p: 'S1', s: 'S2', w: 1.24 }], metadata: null },
  }
  const { content, removed } = rewriteContent(JSON.stringify(event), RENAMING)
  const { reason, order, replaced, ...rest } = JSON.parse(content) as Record<string, unknown>
  assert.deepEqual(rest, { event_id: 'acme', type: 'corrected' })
  assert.equal(reason, undefined)
  const ids = { customer_id: 'customer_1', order_id: 'order_1' }
  assert.deepEqual(order, { ...ids, items: [item('serial_1')] })
  assert.deepEqual(replaced, { ...ids, items: [item('S3')], stored: [{ p: 'S1', s: 'serial_2', w: 1.24 }] })
  assert.equal(removed, 3)
})

test('what names nothing stays the same to the byte, whatever its numbers and members are', () => {
  for (const content of [
    '[{"p":"S1","t":12,"w":1.2400001},{"r":"road","k":1e-7,"__proto__":1}]',
    '{"event_id":"1","type":"returned","date":"2025-01-01","2":1,"10":2}',
    '[]',
  ]) {
    const canonical = JSON.stringify(JSON.parse(content))
    assert.deepEqual(rewriteContent(canonical, RENAMING), { content: canonical, removed: 0 })
  }
})

test('serial numbers are found wherever items and events have them', () => {
  const event = { serial_number: 'a', new_serial_number: 'b', order: { items: [{ s: 'c' }], s: 4 }, product_id: 'd' }
  assert.deepEqual(serialNumbersIn(JSON.stringify(event)), ['a', 'b', 'c'])
})
