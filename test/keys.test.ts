// Keys and settings over HTTP: made and shown once, listed, revoked, last used; and nothing of any other account.
import { after, before, test } from 'node:test'
import assert from 'node:assert/strict'
import { EXAMPLE_ORDER } from '../src/http/schemas/examples.ts'
import type { Json } from './document-check.ts'
import { startService, type Service } from './service.ts'

let service: Service
before(async () => void (service = await startService()))
after(() => service.stop())

const call = async (
  method: string,
  path: string,
  { key = service.key, body }: { key?: string; body?: unknown } = {},
) => {
  const headers = { 'x-api-key': key, ...(body !== undefined && { 'content-type': 'application/json' }) }
  const sent = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) }
  const answer = await service.ask(path, sent)
  return { ...answer, json: JSON.parse(answer.text) as Json }
}
const make = async (body: Json, key?: string) => {
  const { status, json, text } = await call('POST', '/api/keys', { body, ...(key !== undefined && { key }) })
  assert.equal(status, 200, text)
  return json as Json & { readonly key: string; readonly key_id: number }
}
const list = async (key: string, query = '') =>
  (await call('GET', `/api/keys${query}`, { key })).json as unknown as readonly Json[]
/** An account of its own, with one admin key. */
const newAdmin = (account: string) => service.createKey(['admin'], null, account)

test('a key is made with its label, scopes and expiry, works at once, and is shown this once', async () => {
  const admin = await newAdmin('makes')
  const made = await make({ label: 'Web shop', scopes: ['orders:read', 'orders:read'] }, admin)
  assert.match(made.key, /^cradle_[0-9A-Za-z]{38}$/)
  assert.deepEqual([made['label'], made['scopes'], made['is_own']], ['Web shop', ['orders:read'], false])
  assert.equal((await call('GET', '/api/customer-orders', { key: made.key })).status, 200)
  assert.equal((await call('GET', '/api/keys', { key: made.key })).status, 403)
  const listed = await call('GET', '/api/keys', { key: admin })
  assert.doesNotMatch(listed.text, new RegExp(made.key))
  assert.deepEqual(
    (listed.json as unknown as readonly Json[]).map((one) => [one['label'], one['is_own']]),
    [
      ['Web shop', false],
      ['', true],
    ],
  )
  const later = new Date(Date.now() + 86_400_000).toISOString()
  const short = await make({ label: 'short', scopes: ['catalogue:read'], expires_at: later }, admin)
  assert.equal(short['expires_at'], later)
})

test('what makes no sense of a key is told all at once, and nothing is made', async () => {
  const admin = await newAdmin('faults')
  const bodies: readonly [Json, readonly string[]][] = [
    [{}, ['/label', '/scopes']],
    [{ label: '', scopes: ['all'] }, ['/label', '/scopes/0']],
    [{ label: 'x\n', scopes: 'admin' }, ['/label', '/scopes']],
    [{ label: 'x', scopes: [], expires_at: 'soon' }, ['/scopes', '/expires_at']],
    [{ label: 'x', scopes: ['admin'], expires_at: '2020-01-01T00:00:00Z' }, ['/expires_at']],
  ]
  for (const [body, paths] of bodies) {
    const { status, json, text } = await call('POST', '/api/keys', { key: admin, body })
    assert.equal(status, 400, text)
    assert.deepEqual(
      (json['details'] as readonly Json[]).map(({ path }) => path),
      paths,
    )
  }
  assert.equal((await list(admin)).length, 1)
  const ignored = await call('POST', '/api/keys', {
    key: admin,
    body: { label: 'x', scopes: ['admin'], account: 'test' },
  })
  assert.equal(ignored.headers['x-ignored-members'], '/account')
})

test('a revoked key stays in the list with its date, and revoking it again changes nothing', async () => {
  const admin = await newAdmin('revokes')
  const made = await make({ label: 'old', scopes: ['orders:read'] }, admin)
  const first = await call('DELETE', `/api/keys/${made.key_id}`, { key: admin })
  const second = await call('DELETE', `/api/keys/${made.key_id}`, { key: admin })
  assert.equal(first.status, 200)
  assert.equal(typeof first.json['revoked_at'], 'string')
  assert.deepEqual(second.json, first.json)
  assert.equal((await list(admin))[0]!['revoked_at'], first.json['revoked_at'])
  await service.createKey(['admin'], new Date(Date.now() - 1000), 'revokes')
  assert.deepEqual([(await list(admin)).length, (await list(admin, '?active=true')).length], [3, 1])
  assert.equal((await call('GET', '/api/customer-orders', { key: made.key })).status, 401)
})

test('the last admin key of an account is revoked only where that is said, though two ask at once', async () => {
  const admin = await newAdmin('last')
  const [{ key_id: own }] = (await list(admin)) as unknown as readonly [{ readonly key_id: number }]
  await make({ label: 'reads', scopes: ['orders:read'] }, admin)
  const refused = await call('DELETE', `/api/keys/${own}`, { key: admin })
  assert.deepEqual([refused.status, refused.json['code']], [409, 'conflict'])
  const other = await make({ label: 'other', scopes: ['admin'] }, admin)
  const both = await Promise.all([
    call('DELETE', `/api/keys/${own}`, { key: other.key }),
    call('DELETE', `/api/keys/${other.key_id}`, { key: admin }),
  ])
  // The later one is refused, or no longer known where its own key was revoked before it was looked up.
  assert.match(
    both
      .map(({ status }) => status)
      .toSorted()
      .join(),
    /^200,(401|409)$/,
  )
  const [left, leftKey] = both[0].status === 200 ? [other.key_id, other.key] : [own, admin]
  assert.equal((await call('DELETE', `/api/keys/${left}?allow_last_admin=true`, { key: leftKey })).status, 200)
})

test('the keys and settings of another account are not seen, not revoked and not changed', async () => {
  const [mine, theirs] = [await newAdmin('mine'), await newAdmin('theirs')]
  const [{ key_id: foreign }] = (await list(theirs)) as unknown as readonly [{ readonly key_id: number }]
  const refused = await call('DELETE', `/api/keys/${foreign}?allow_last_admin=true`, { key: mine })
  const nobody = await call('DELETE', '/api/keys/2147483647?allow_last_admin=true', { key: mine })
  assert.deepEqual([refused.status, nobody.status], [404, 404])
  assert.equal(String(refused.json['error']).replace(String(foreign), '2147483647'), nobody.json['error'])
  assert.equal((await list(mine)).length, 1)
  assert.equal((await call('PUT', '/api/account', { key: mine, body: { amortisation: 'uncapped' } })).status, 200)
  const { json } = await call('GET', '/api/account', { key: theirs })
  assert.deepEqual([json['name'], json['amortisation'], json['is_demo']], ['theirs', 'capped', false])
  for (const text of ['0', '-1', '1e3', '99999999999', '%00', 'x'.repeat(300)])
    assert.equal((await call('DELETE', `/api/keys/${text}`, { key: mine })).status, 404, text)
})

test('pages of keys are whole, and a cursor of one account is none of another', async () => {
  const [admin, other] = [await newAdmin('pages'), await newAdmin('other pages')]
  for (const label of ['1', '2', '3', '4']) await make({ label, scopes: ['orders:read'] }, admin)
  const labels: unknown[] = []
  let next = '/api/keys?limit=2'
  while (next !== '') {
    const { json, headers } = await call('GET', next, { key: admin })
    labels.push(...(json as unknown as readonly Json[]).map(({ label }) => label))
    if (labels.length === 2) {
      const link = /^<([^>]+)>/.exec(String(headers['link']))![1]!
      assert.equal((await call('GET', link, { key: other })).status, 400)
    }
    next = /^<([^>]+)>/.exec(String(headers['link'] ?? ''))?.[1] ?? ''
  }
  assert.deepEqual(labels, ['4', '3', '2', '1', ''])
})

test('what an account charges from now on is changed for devices that come, not for those that are there', async () => {
  const key = await service.createKey(undefined, null, 'charges')
  let devices = 0
  const embodiedOfNew = async () => {
    const order = JSON.stringify({ ...EXAMPLE_ORDER, order_id: String((devices += 1)) })
    const body = JSON.parse(
      order.replaceAll('C02XL0AAJGH5', `S${devices}`).replace('"tenure_months":3', '"tenure_months":900'),
    ) as unknown
    return (await call('POST', '/api/customer-orders', { key, body })).json['total_emission'] as number
  }
  const capped = await embodiedOfNew()
  const there = await call('GET', '/api/device-emissions/S1', { key })
  const { status, json } = await call('PUT', '/api/account', {
    key,
    body: { ...(await call('GET', '/api/account', { key })).json, amortisation: 'uncapped' },
  })
  assert.deepEqual([status, json['amortisation']], [200, 'uncapped'])
  const changedAt = performance.now()
  for (let askedAt = changedAt; (await embodiedOfNew()) === capped; askedAt = performance.now())
    assert.ok(askedAt - changedAt < 2_000, 'still charged as before')
  assert.equal((await call('GET', '/api/device-emissions/S1', { key })).text, there.text)
  assert.equal((await call('PUT', '/api/account', { key, body: { amortisation: 'both' } })).status, 400)
})

test('the last use of a key is told once a minute by all processes together, and nobody waits for it', async (t) => {
  const others = [await startService({ beside: service }), await startService({ beside: service })] as const
  t.after(() => Promise.all(others.map((one) => one.stop())))
  const [used, marker] = [await service.createKey(), await service.createKey()]
  const keyIds = (await list(service.key)).map((one) => one['key_id'] as number)
  const lastUse = async (keyId: number) => {
    const text = 'select last_used_at from api_keys where key_id = $1'
    return (await service.pool.query<{ last_used_at: Date | null }>(text, [keyId])).rows[0]!.last_used_at
  }
  const use = async ({ ask }: Service, key: string) =>
    assert.equal((await ask('/api/packagings', { headers: { 'x-api-key': key } })).status, 200)
  const untilUsed = async (keyId: number, since: Date) => {
    for (let at = await lastUse(keyId); ; at = await lastUse(keyId)) if (at !== null && at > since) return at
  }
  const [markerId, usedId] = keyIds as [number, number]
  assert.equal(await lastUse(usedId), null)
  await use(service, used)
  const first = await untilUsed(usedId, new Date(0))
  // Another process tells it in vain; what it tells after that is there.
  await use(others[0], used)
  await use(others[0], marker)
  await untilUsed(markerId, new Date(0))
  assert.deepEqual(await lastUse(usedId), first)
  assert.equal((await list(service.key))[1]!['last_used_at'], first.toISOString())
  const aged = `update api_keys set last_used_at = now() - interval '61 seconds' where key_id = $1`
  await service.pool.query(aged, [usedId])
  await use(others[1], used)
  await untilUsed(usedId, new Date(Date.now() - 30_000))
})
