// The hostile corpora keep their promises: enough cases, each with a name of its own, each saying what is right.
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { createServer } from 'node:net'
import fc from 'fast-check'
import { parseStrictJson } from '../../src/strict-json/parse.ts'
import { buildHostileBodies } from './bodies.ts'
import { hostileKeys } from './keys.ts'
import { brokenOrder, validOrder } from './order-arbitrary.ts'
import { rawRequests, sendRaw } from './raw-requests.ts'

const VALID_KEY = `cradle_${'0123456789ABCDEFGHIJKLMNOPQRSTUV'}${'aB3dE6'}`
const LIMITS = { nestingMax: 20, problemsMax: 50 }
const ids = {
  transportationId: 'road-van-diesel',
  transportationMode: 'road',
  airTransportationId: 'air-long-haul',
  packagingId: 'corrugated-board-recycled',
}
const bodies = buildHostileBodies(ids)

function assertUnique(values: readonly string[]): void {
  const seen = new Set<string>()
  for (const value of values) {
    assert.ok(!seen.has(value), `stands twice: ${value.slice(0, 200)}`)
    seen.add(value)
  }
}

test('there are at least 400 hostile bodies, each with a name and a content of its own', () => {
  assert.ok(bodies.length >= 400, `${bodies.length} bodies`)
  assertUnique(bodies.map(({ name }) => name))
  assertUnique(
    bodies.map(({ body, headers }) => Buffer.from(body as string).toString('latin1') + JSON.stringify(headers)),
  )
})

test('no hostile body may be answered with a 5xx, and none that must be refused may be stored', () => {
  for (const { name, expect, stored } of bodies) {
    assert.ok(expect.length > 0 && expect.every((status) => status < 500), name)
    assert.equal(stored === false, !expect.includes(200), name)
  }
})

test('every place a refusal must name is a JSON Pointer', () => {
  for (const { name, errorPath } of bodies) {
    if (errorPath !== undefined) assert.match(errorPath, /^(\/([^~/]|~[01])*)*$/, name)
  }
})

test('there are at least 60 hostile keys, each unlike the valid one wherever HTTP looks for it', () => {
  const keys = hostileKeys(VALID_KEY)
  assert.ok(keys.length >= 60, `${keys.length} keys`)
  assertUnique(keys.map(({ name }) => name))
  assertUnique(keys.map(({ headers, query }) => JSON.stringify([headers, query])))
  for (const {
    name,
    headers: { 'x-api-key': sent = [] },
  } of keys) {
    assert.notEqual(
      [sent]
        .flat()
        .join(', ')
        .replace(/^[ \t]+|[ \t]+$/g, ''),
      VALID_KEY,
      name,
    )
    assert.match([sent].flat().join(), /^[\t\x20-\x7e\x80-\xff]*$/, name)
  }
})

test('there are at least 60 raw requests, each with a name and bytes of its own', () => {
  assert.ok(rawRequests.length >= 60, `${rawRequests.length} requests`)
  assertUnique(rawRequests.map(({ name }) => name))
  assertUnique(rawRequests.map(({ bytes }) => bytes.toString('latin1')))
})

test('every body that must be accepted is sound JSON', () => {
  for (const { name, body, expect } of bodies) {
    // One that is packed is unpacked before it is parsed.
    if (expect.length > 1 || !expect.includes(200) || name.startsWith('an order in gzip')) continue
    assert.equal(parseStrictJson(Buffer.from(body as string), LIMITS).ok, true, name)
  }
})

test('every valid order is sound JSON with the four members that are required', () => {
  fc.assert(
    fc.property(validOrder(ids), (order) => {
      assert.deepEqual(parseStrictJson(Buffer.from(JSON.stringify(order)), LIMITS), { ok: true, value: order })
      for (const name of ['customer_id', 'order_id', 'order_date', 'tenure_start_date']) assert.ok(name in order)
    }),
  )
})

test('every broken order has one to five faults, at places of their own', () => {
  fc.assert(
    fc.property(brokenOrder(ids), ({ faults }) => {
      assert.ok(faults.length >= 1 && faults.length <= 5)
      assertUnique(faults.map(({ path }) => path))
    }),
  )
})

test('a raw request tells the first final status, a closed connection, and silence apart', async () => {
  const answers = ['HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 401 Unauthorized\r\n\r\n', '']
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    const answer = answers.shift()
    if (answer !== undefined) socket.end(answer)
    socket.on('error', () => {})
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { readonly port: number }
  assert.equal(await sendRaw(port, Buffer.from('a'), 1_000), 401)
  assert.equal(await sendRaw(port, Buffer.from('a'), 1_000), 'closed')
  await assert.rejects(sendRaw(port, Buffer.from('a'), 100), /No answer within 100 ms/)
  server.close()
})
