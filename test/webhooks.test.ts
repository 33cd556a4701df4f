// Webhooks: signed, each event at least once and under one id, in order within an order, by one of all processes.
import { after, before, test } from 'node:test'
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Webhook } from 'standardwebhooks'
import { createFeed } from '../src/postgres/feed.ts'
import { createFindTotals } from '../src/postgres/feed-totals.ts'
import { createWebhookDeliveries } from '../src/postgres/webhook-deliveries.ts'
import { createViewEvents } from '../src/webhooks/event-view.ts'
import type { Exchange, Exchanged } from '../src/webhooks/exchange.ts'
import { printSecret, signatureHeaders } from '../src/webhooks/signature.ts'
import { sendDue, type SenderContext } from '../src/webhooks/sender.ts'
import { trueAfter } from './command.ts'
import type { Json } from './document-check.ts'
import { pathOf } from './order-client.ts'
import { laptop, orderOf } from './receipt-client.ts'
import { createAccountClient, type Ask } from './restatement-client.ts'
import { startService, type Service } from './service.ts'
import { acceptedIds, outOfOrder, startReceiver, type Receiver } from './webhook-receiver.ts'

const SETTINGS = { webhooks: { publicUrl: null, rules: { ports: [443], allowsLoopback: true } } }
/** Far longer than sending takes, also on a busy machine. */
const SENT_MS = 60_000

let service: Service
before(async () => void (service = await startService({ settings: SETTINGS })))
after(() => service.stop())

async function createHook(ask: Ask, receiver: Receiver, more: Json = {}): Promise<Json> {
  const made = await ask('POST', '/api/webhooks', { url: receiver.url, ...more })
  receiver.secrets.push(String(made['secret']))
  return made
}

async function openReceiver(answer?: Parameters<typeof startReceiver>[0]): Promise<Receiver> {
  const receiver = await startReceiver(answer)
  after(receiver.stop)
  return receiver
}

let serial = 0
async function postOrder(ask: Ask, id: string): Promise<void> {
  await ask('POST', '/api/customer-orders', orderOf('c', id, '2025-01-01', [laptop(`W${++serial}`, 24)]))
}

const pathOfHook = (hook: Json): string => `/api/webhooks/${String(hook['webhook_id'])}`

const deliveriesOf = async (ask: Ask, hook: Json): Promise<readonly Json[]> =>
  (await ask('GET', `${pathOfHook(hook)}/deliveries`)) as unknown as readonly Json[]

const whenAccepted = (receiver: Receiver, count: number): Promise<void> =>
  trueAfter(
    SENT_MS,
    () => Promise.resolve(acceptedIds(receiver).size >= count),
    `Not all of ${count} events were accepted`,
  )

test('what arrives is the event of the feed, signed as the public library verifies it', async () => {
  const ask = await createAccountClient(service, 'signed')
  const receiver = await openReceiver()
  const hook = await createHook(ask, receiver, { description: 'Test' })
  await postOrder(ask, 'one')
  await whenAccepted(receiver, 1)
  const [{ headers, body, event }] = receiver.received as [Receiver['received'][number]]
  const { events } = (await ask('GET', '/api/events')) as { readonly events: readonly Json[] }
  assert.deepEqual(event, events.at(-1))
  assert.equal(headers['webhook-id'], event['id'])
  assert.match(String(headers['content-type']), /^application\/cloudevents\+json/)
  assert.throws(() => new Webhook(String(hook['secret'])).verify(`${body} `, headers as Record<string, string>))
  await trueAfter(
    SENT_MS,
    async () => (await deliveriesOf(ask, hook))[0]?.['state'] === 'succeeded',
    'The log does not say so',
  )
  const [logged] = await deliveriesOf(ask, hook)
  assert.deepEqual([logged!['number_of_attempts'], logged!['last_status']], [1, 204])
})

test('the example of the guide verifies what arrives, and refuses what was changed, is old or foreign', async () => {
  const guide = readFileSync(join(import.meta.dirname, '..', 'docs', 'integrating.md'), 'utf8')
  const examples = [...guide.matchAll(/```js\n(.*?)\n```\n/gs)].map(([, example]) => example!)
  const example = examples.find((one) => one.includes('function verifyWebhook'))!
  const source = `data:text/javascript,${encodeURIComponent(example)}`
  const { verifyWebhook } = (await import(source)) as {
    verifyWebhook: (body: string, headers: object, secret: string, now?: number) => { id: string; event: Json }
  }
  const secret = printSecret(Buffer.alloc(32, 7))
  const at = new Date()
  const body = JSON.stringify({ type: 'order.changed', data: { name: 'Müller' } })
  const headers = signatureHeaders('evt_1', at, body, [Buffer.alloc(32, 9), Buffer.alloc(32, 7)])
  assert.deepEqual(verifyWebhook(body, headers, secret), { id: 'evt_1', event: JSON.parse(body) as Json })
  assert.throws(() => verifyWebhook(`${body} `, headers, secret), /signature/)
  assert.throws(() => verifyWebhook(body, headers, printSecret(Buffer.alloc(32, 8))), /signature/)
  assert.throws(() => verifyWebhook(body, headers, secret, at.getTime() + 302_000), /old/)
  // The other sample that every library has to verify.
  new Webhook(secret).verify(body, headers)
})

test('the secret is shown once; after a rotation, what is sent has both signatures', async () => {
  const ask = await createAccountClient(service, 'rotated')
  const [old, next] = [await openReceiver(), await openReceiver()]
  const hook = await createHook(ask, old)
  assert.match(String(hook['secret']), /^whsec_[A-Za-z0-9+/]{43}=$/)
  assert.ok(!('secret' in (await ask('GET', pathOfHook(hook)))))
  const rotated = await ask('POST', `${pathOfHook(hook)}/rotation`)
  next.secrets.push(String(rotated['secret']))
  assert.notEqual(rotated['secret'], hook['secret'])
  await postOrder(ask, 'both')
  await whenAccepted(old, 1)
  const [{ headers, body }] = old.received as [Receiver['received'][number]]
  assert.equal(String(headers['webhook-signature']).split(' ').length, 2)
  for (const secret of [hook['secret'], rotated['secret']])
    new Webhook(String(secret)).verify(body, headers as Record<string, string>)
})

test('types are filtered, tests arrive, a replay has the same id, and what a disabled one missed is sent', async () => {
  const ask = await createAccountClient(service, 'managed')
  const receiver = await openReceiver()
  const hook = await createHook(ask, receiver, { types: ['order.changed'] })
  const path = pathOfHook(hook)
  await postOrder(ask, 'm')
  await ask('POST', `${pathOf('c', 'm')}/events`, { event_id: 'm-1', type: 'returned', date: '2025-05-01' })
  await whenAccepted(receiver, 1)
  assert.equal(receiver.received[0]!.event['type'], 'order.changed')
  await ask('POST', `${path}/test`, undefined, 202)
  await whenAccepted(receiver, 2)
  assert.equal(receiver.received.at(-1)!.event['type'], 'webhook.test')
  const log = await deliveriesOf(ask, hook)
  const changed = log.find(({ type }) => type === 'order.changed')!
  await ask('POST', `${path}/deliveries/${String(changed['delivery_id'])}/replay`, undefined, 202)
  const { id } = receiver.received[0]!
  await trueAfter(
    SENT_MS,
    () => Promise.resolve(receiver.received.filter((one) => one.id === id).length === 2),
    'It is not sent again',
  )
  await ask('PATCH', path, { enabled: false })
  await ask('POST', `${path}/test`, undefined, 409)
  await ask('POST', `${pathOf('c', 'm')}/events`, { event_id: 'm-2', type: 'withdrawn', withdraws: 'm-1' })
  assert.equal((await ask('PATCH', path, { enabled: true, description: 'Again' }))['enabled'], true)
  await whenAccepted(receiver, 3)
  await ask('DELETE', path)
  await ask('GET', path, undefined, 404)
  assert.deepEqual(await ask('GET', '/api/webhooks'), [])
})

test('an account has at most ten webhooks, and none to an address that it must not reach', async () => {
  const ask = await createAccountClient(service, 'limited')
  const codeOf = async (method: string, path: string, body: Json) =>
    ((await ask(method, path, body, 400))['details'] as Json[])[0]!['code']
  for (const [url, code] of [
    ['http://example.com/', 'webhook_url_scheme'],
    ['https://10.0.0.1/', 'webhook_url_address'],
    ['https://[::ffff:169.254.169.254]/', 'webhook_url_address'],
    ['https://u:p@example.com/', 'webhook_url_credentials'],
    ['https://example.com:22/', 'webhook_url_port'],
    ['/hook', 'webhook_url_invalid'],
  ] as const)
    assert.equal(await codeOf('POST', '/api/webhooks', { url }), code, url)
  for (let at = 0; at < 10; at += 1) await ask('POST', '/api/webhooks', { url: `https://example.com/${at}` })
  assert.equal(await codeOf('POST', '/api/webhooks', { url: 'https://example.com/' }), 'webhooks_exceeded')
  const [first] = (await ask('GET', '/api/webhooks')) as unknown as Json[]
  assert.equal(await codeOf('PATCH', pathOfHook(first!), { url: 'https://127.1:x/' }), 'webhook_url_invalid')
})

test('a receiver that fails at random gets every event, under one id each, in order within an order', async () => {
  const ask = await createAccountClient(service, 'random')
  const failed = new Set<unknown>()
  // Three of four first attempts succeed, and each second one: the third would be made after five minutes.
  const receiver = await openReceiver(({ id }, nth) => {
    const fails = nth % 4 === 1 && failed.size < 6 && !failed.has(id)
    if (fails) failed.add(id)
    return { status: fails ? 500 : 200 }
  })
  const beside = await startService({ beside: service, settings: SETTINGS })
  await createHook(ask, receiver)
  const orders = Array.from({ length: 6 }, (_, at) => `r${at}`)
  await Promise.all(
    orders.map(async (id) => {
      await postOrder(ask, id)
      await ask('POST', `${pathOf('c', id)}/events`, { event_id: `${id}-1`, type: 'returned', date: '2025-05-01' })
      await ask('POST', `${pathOf('c', id)}/events`, { event_id: `${id}-2`, type: 'withdrawn', withdraws: `${id}-1` })
    }),
  )
  await whenAccepted(receiver, 18)
  const { events } = (await ask('GET', '/api/events')) as { readonly events: readonly Json[] }
  assert.deepEqual([...acceptedIds(receiver)].toSorted(), events.map(({ id }) => String(id)).toSorted())
  for (const own of Map.groupBy(receiver.received, ({ id }) => id).values()) {
    assert.ok(own.every(({ body }) => body === own[0]!.body))
    // Two processes send, and what was accepted is not sent again.
    assert.equal(own.filter(({ status }) => status < 300).length, 1)
  }
  assert.deepEqual(outOfOrder(receiver), [])
  assert.ok(receiver.received.length > 18 && receiver.busiest() <= 4)
  await beside.stop()
})

/** Deliveries that are attempted when the test says so, at times that it states, and answered as it states. */
async function createManual(name: string, answer: () => Exchanged) {
  // The loop of a service would attempt them by its own clock, so the webhook is disabled until that has ended.
  const own = await startService({ settings: SETTINGS })
  const ask = await createAccountClient(own, name)
  const hook = await ask('POST', '/api/webhooks', { url: 'https://example.com/', enabled: false })
  await postOrder(ask, 'manual')
  await own.stop()
  const { pool } = own
  await pool.query('update webhooks set is_enabled = true')
  const clock = { now: new Date(Date.now() + 1_000) }
  const sent: string[] = []
  const exchange: Exchange = ({ headers }) => {
    sent.push(headers['webhook-id']!)
    return Promise.resolve(answer())
  }
  const disabled: string[] = []
  const context: SenderContext = {
    holder: name,
    deliveries: createWebhookDeliveries(pool, 1_000),
    feed: createFeed(pool),
    viewEvents: createViewEvents({ publicUrl: 'https://cradle.example.com', findTotals: createFindTotals(pool) }),
    publicUrl: 'https://cradle.example.com',
    exchange,
    now: () => clock.now,
    random: () => 0.5,
    feedDays: 90,
    deliveryDays: 30,
    onAttempt: () => undefined,
    onDisabled: (_, why) => void disabled.push(why),
    report: (error) => {
      throw error
    },
  }
  const hookId = Number(hook['webhook_id'])
  const state = async () => {
    const { rows } = await pool.query<Json>(
      `select state, attempts, status, is_enabled, disabled_reason, failures_in_a_row,
        extract(epoch from greatest(next_attempt_at, paused_until) - $2)::float8 as seconds
      from webhooks join webhook_deliveries using (account_id, webhook_id) where webhook_id = $1`,
      [hookId, clock.now],
    )
    return rows[0]!
  }
  return { context, clock, sent, state, disabled, step: () => sendDue(context) }
}

const FAILED: Exchanged = { status: 500, problem: 'status', retryAfterMs: null, body: '' }

test('a receiver that stays away is tried ten times over 75 hours under one id, and then disabled', async () => {
  const { clock, sent, state, disabled, step } = await createManual('away', () => FAILED)
  const begin = clock.now.getTime()
  for (let attempt = 1; attempt <= 10; attempt += 1) {
    // The first look makes the delivery, and attempts it.
    await step()
    assert.equal(sent.length, attempt)
    // Nothing is due before its time.
    await step()
    assert.equal(sent.length, attempt)
    if (attempt < 10)
      clock.now = new Date(clock.now.getTime() + Math.ceil(Number((await state())['seconds'])) * 1_000 + 1_000)
  }
  assert.equal(new Set(sent).size, 1)
  const hours = (clock.now.getTime() - begin) / 3_600_000
  assert.ok(hours > 75 && hours < 76, String(hours))
  const { state: of, attempts, is_enabled: isEnabled, disabled_reason: reason } = await state()
  assert.deepEqual([of, attempts, isEnabled, reason], ['failed', 10, false, 'attempts_exhausted'])
  assert.equal(disabled.length, 1)
})

test('webhooks of one account take at most half of the places, and who has the fewest is next', async () => {
  const { context, clock } = await createManual('crowd', () => FAILED)
  const { pool } = service
  const { rows: accounts } = await pool.query<{ readonly id: number }>(
    "insert into accounts (name) values ('slow receivers'), ('behind them') returning account_id as id",
  )
  const [slow, behind] = accounts.map(({ id }) => id) as [number, number]
  const { rows: hooks } = await pool.query<{ readonly account: number; readonly hook: number }>(
    `insert into webhooks (account_id, url, types, description, secret, created_at, delivered_until)
      select account, 'https://example.com', '{}', '', sha256(''), now(), 0
      from unnest($1::integer[]) as account returning account_id as account, webhook_id as hook`,
    [[...Array.from({ length: 10 }, () => slow), behind]],
  )
  for (const { account, hook } of hooks)
    await pool.query(
      `insert into webhook_deliveries (account_id, webhook_id, type, created_at, next_attempt_at)
        select $1, $2, 'webhook.test', $3, $3 from generate_series(1, 4)`,
      [account, hook, new Date(clock.now.getTime() - 1_000)],
    )
  const deliveries = createWebhookDeliveries(pool, 1_000)
  const claim = async (underWay: readonly number[], max: number) => {
    const limits = { leaseMs: 30_000, ofOneMax: 4, failuresMax: 5, max, ofAccountMax: 8, underWay }
    const claimed = await deliveries.claim(context.holder, clock.now, limits)
    return [slow, behind].map((account) => claimed.filter(({ accountId }) => accountId === account).length)
  }
  assert.deepEqual(await claim([slow], 1), [0, 1])
  assert.deepEqual(await claim([slow, behind], 15), [7, 3])
  assert.deepEqual(
    await claim(
      Array.from({ length: 8 }, () => slow),
      8,
    ),
    [0, 0],
  )
  await pool.query('delete from webhooks where account_id = any($1)', [[slow, behind]])
})

test('410 disables at once; Retry-After is waited for; a lease that ended is taken over', async () => {
  const gone = await createManual('gone', () => ({ ...FAILED, status: 410 }))
  await gone.step()
  const { is_enabled: isEnabled, disabled_reason: reason } = await gone.state()
  assert.deepEqual([isEnabled, reason], [false, 'gone'])
  let calls = 0
  const busy = await createManual('busy', () =>
    ++calls === 1
      ? { ...FAILED, status: 503, retryAfterMs: 60_000 }
      : { status: 200, problem: null, retryAfterMs: null, body: '' },
  )
  await busy.step()
  assert.equal((await busy.state())['seconds'], 60)
  busy.clock.now = new Date(busy.clock.now.getTime() + 59_000)
  await busy.step()
  assert.equal(calls, 1)
  busy.clock.now = new Date(busy.clock.now.getTime() + 1_000)
  // A process that claims, and ends.
  const limits = { leaseMs: 30_000, ofOneMax: 4, failuresMax: 5, max: 10, ofAccountMax: 8, underWay: [] }
  assert.equal((await busy.context.deliveries.claim('ends', busy.clock.now, limits)).length, 1)
  await busy.step()
  assert.equal(calls, 1)
  busy.clock.now = new Date(busy.clock.now.getTime() + 30_001)
  await busy.step()
  assert.deepEqual([calls, (await busy.state())['state']], [2, 'succeeded'])
})

test('the largest event is at most 20 kB, and has links and schemas where the service knows its address', async () => {
  const wide = '\u{1F4E6}'.repeat(200)
  const cause = [wide, wide, wide, wide].join('\u001d')
  const viewEvents = createViewEvents({
    publicUrl: `https://${'a'.repeat(60)}.example.com`,
    findTotals: (_, changes) => Promise.resolve(changes.map(() => ({ before: -(2n ** 62n), after: -(2n ** 62n) }))),
  })
  const item = { accountId: 2 ** 31 - 1, position: 2 ** 50, postedAt: new Date() }
  const subject = `${wide}\u001d${wide}\u001d${cause}`
  const [event] = await viewEvents([{ ...item, type: 'order.changed', subject }])
  assert.ok(Buffer.byteLength(JSON.stringify(event)) <= 20_000)
  assert.match(event!.dataschema!, /^https:.*#\/components\/schemas\/OrderChangedData$/)
  const { document } = service
  const name = event!.dataschema!.split('/').at(-1)!
  assert.ok(name in (document as unknown as { components: { schemas: Json } }).components.schemas)
})
