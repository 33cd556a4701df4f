// Webhooks by Standard Webhooks 1.0.0: what a sender signs is verified, and nothing else.
import assert from 'node:assert/strict'
import { createHmac, randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { WebhookVerificationError, webhooks } from '../../clients/typescript/src/client.ts'

const NOW = 1_800_000_000
const secretBytes = randomBytes(24)
const secret = `whsec_${secretBytes.toString('base64')}`
const other = `whsec_${randomBytes(32).toString('base64')}`
const body = '{"type":"order.restated","data":{"order_id":"Größe 1"}}'

/** The headers as a sender without this library makes them. */
function headersOf(text: string, timestamp: number, key = secretBytes): Record<string, string> {
  const signature = createHmac('sha256', key).update(`msg_1.${timestamp}.${text}`).digest('base64')
  return { 'webhook-id': 'msg_1', 'webhook-timestamp': `${timestamp}`, 'webhook-signature': `v1,${signature}` }
}

const refused = (...call: Parameters<typeof webhooks.verify>) =>
  assert.rejects(webhooks.verify(call[0], call[1], call[2], { now: NOW, ...call[3] }), WebhookVerificationError)

test('a webhook that its sender signed is verified, from text and bytes, by headers of any kind', async () => {
  const headers = headersOf(body, NOW)
  const capital = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), [value]]))
  for (const raw of [body, new TextEncoder().encode(body), new TextEncoder().encode(body).buffer]) {
    for (const given of [headers, new Headers(headers), capital])
      assert.deepEqual(await webhooks.verify(raw, given, secret, { now: NOW }), JSON.parse(body))
  }
})

test('a changed body, id, time or secret, or a time 5 minutes away, is refused', async () => {
  const headers = headersOf(body, NOW)
  await refused(body.replace('1', '2'), headers, secret)
  await refused(`${body} `, headers, secret)
  await refused(body, { ...headers, 'webhook-id': 'msg_2' }, secret)
  await refused(body, { ...headers, 'webhook-timestamp': `${NOW + 1}` }, secret)
  await refused(body, headers, other)
  for (const far of [-301, 301]) await refused(body, headersOf(body, NOW + far), secret)
  for (const near of [-300, 300]) await webhooks.verify(body, headersOf(body, NOW + near), secret, { now: NOW })
  await webhooks.verify(body, headersOf(body, NOW - 900), secret, { now: NOW, toleranceSeconds: 1_000 })
})

test('while secrets are changed, either is accepted, and signatures of other kinds are ignored', async () => {
  const headers = headersOf(body, NOW)
  await webhooks.verify(body, headers, [other, secret], { now: NOW })
  const signatures = await webhooks.sign(body, [other, secret], { id: 'msg_1', timestamp: NOW })
  assert.equal(signatures['webhook-signature'].split(' ')[1], headers['webhook-signature'])
  for (const one of [secret, other]) await webhooks.verify(body, signatures, one, { now: NOW })
  const mixed = { ...headers, 'webhook-signature': `v1a,AAAA v1,!! ${headers['webhook-signature']}` }
  await webhooks.verify(body, mixed, secret, { now: NOW })
  await refused(body, { ...headers, 'webhook-signature': headers['webhook-signature']!.replace('v1,', 'v2,') }, secret)
})

test('what lacks a header, a signature or a number of seconds is refused', async () => {
  const headers = headersOf(body, NOW)
  for (const name of Object.keys(headers)) await refused(body, { ...headers, [name]: undefined }, secret)
  for (const bad of ['', 'v1', 'v1,', 'v1,!!!', 'none'])
    await refused(body, { ...headers, 'webhook-signature': bad }, secret)
  for (const bad of ['soon', '1e9', '-1', `${NOW}.5`, ' '])
    await refused(body, { ...headers, 'webhook-timestamp': bad }, secret)
})

test('a secret without its prefix is an error of the receiver, not of the sender', async () => {
  for (const bad of [secret.slice(6), 'whsec_', 'whsec_!!', `v1,${secret}`])
    await assert.rejects(webhooks.verify(body, headersOf(body, NOW), bad, { now: NOW }), TypeError)
  await assert.rejects(webhooks.verify(body, headersOf(body, NOW), [], { now: NOW }), WebhookVerificationError)
})

test('what sign() makes now is verified now', async () => {
  const bytes = randomBytes(20_000)
  const text = JSON.stringify({ padding: bytes.toString('hex') })
  const headers = await webhooks.sign(text, secret, { id: 'msg_3' })
  assert.deepEqual(await webhooks.verify(text, headers, secret), JSON.parse(text))
})
