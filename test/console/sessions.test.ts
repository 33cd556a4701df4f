// The console's session: opened by a key, kept by a cookie that other sites cannot use, and over when the key is.
import { before, test } from 'node:test'
import assert from 'node:assert/strict'
import type { FastifyInstance } from 'fastify'
import type { Pool } from 'pg'
import { KEY_CACHE_MS, FAILED_AUTH_PER_MINUTE_MAX } from '../../src/config.ts'
import { DEFAULT_SETTINGS } from '../../src/app.ts'
import { EXAMPLE_ORDER } from '../../src/http/schemas/examples.ts'
import { SCOPES, createKey, ensureAccount, type Scope } from '../../src/postgres/accounts.ts'
import { keepLog } from '../captured-log.ts'
import { startService } from '../service.ts'

const HOST = 'cradle.test'
const OWN = { host: HOST, 'sec-fetch-site': 'same-origin' } as const
const SESSION = '/console/session'
const log = keepLog('info')

let pool: Pool
let app: FastifyInstance
let beside: FastifyInstance
before(async () => {
  const options = { logger: log.logger, settings: DEFAULT_SETTINGS }
  const service = await startService(options)
  pool = service.pool
  app = service.server.app
  beside = (await startService({ ...options, beside: service })).server.app
})

async function newKey(scopes: readonly Scope[] = SCOPES, expiresAt: Date | null = null): Promise<string> {
  return createKey(pool, (await ensureAccount(pool, 'test')).accountId, scopes, expiresAt)
}

type Headers = Readonly<Record<string, string>>

const open = (key: string, headers: Headers = OWN, address = '192.0.2.1') =>
  app.inject({ method: 'POST', url: SESSION, headers, payload: { api_key: key }, remoteAddress: address })

/** @returns the header Cookie that a browser sends from then on */
async function signIn(key: string): Promise<string> {
  const { statusCode, headers } = await open(key)
  assert.equal(statusCode, 200)
  return String(headers['set-cookie']).split(';')[0]!
}

const list = (headers: Headers, server = app) => server.inject({ url: '/api/customer-orders', headers })
const post = (headers: Headers) =>
  app.inject({ method: 'POST', url: '/api/customer-orders', headers, payload: EXAMPLE_ORDER })

test('the cookie is for this site alone, out of reach of scripts, and only encrypted where the page is', async () => {
  const key = await newKey()
  const plain = await open(key)
  assert.match(
    String(plain.headers['set-cookie']),
    /^cradle_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=43200$/,
  )
  assert.equal(plain.headers['cache-control'], 'no-store')
  const encrypted = await open(key, { ...OWN, origin: `https://${HOST}` })
  assert.match(
    String(encrypted.headers['set-cookie']),
    /^__Host-cradle_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=43200; Secure$/,
  )
})

test('a session tells whose it is, and has the scopes of its key and no other', async () => {
  const cookie = await signIn(await newKey(['catalogue:read']))
  const { session } = (await app.inject({ url: SESSION, headers: { ...OWN, cookie } })).json<{
    readonly session: Readonly<Record<string, unknown>>
  }>()
  assert.deepEqual([session['account'], session['scopes']], ['test', ['catalogue:read']])
  assert.equal((await app.inject({ url: '/api/packagings', headers: { ...OWN, cookie } })).statusCode, 200)
  assert.equal((await list({ ...OWN, cookie })).statusCode, 403)
  assert.equal((await post({ ...OWN, cookie })).statusCode, 403)
})

test('the page of no other site can write, read or sign in with it', async () => {
  const key = await newKey()
  const cookie = await signIn(key)
  const elsewhere: readonly Headers[] = [
    { host: HOST, 'sec-fetch-site': 'cross-site' },
    { host: HOST, 'sec-fetch-site': 'same-site', origin: `https://evil.${HOST}` },
    { host: HOST, 'sec-fetch-site': 'none' },
    { host: HOST, origin: 'https://evil.test' },
    { host: HOST, origin: 'null' },
    { host: HOST },
  ]
  for (const headers of elsewhere) {
    assert.equal((await post({ ...headers, cookie })).statusCode, 401, JSON.stringify(headers))
    assert.equal((await open(key, headers)).statusCode, 401, JSON.stringify(headers))
    const closing = await app.inject({ method: 'DELETE', url: SESSION, headers: { ...headers, cookie } })
    assert.equal(closing.statusCode, 401, JSON.stringify(headers))
  }
  assert.equal((await list({ ...elsewhere[0]!, cookie })).statusCode, 401)
  assert.equal((await list({ ...elsewhere[1]!, cookie })).statusCode, 401)
  for (const own of [OWN, { host: HOST, origin: `http://${HOST}` }]) {
    assert.equal((await post({ ...own, cookie })).statusCode, 200, JSON.stringify(own))
  }
  // A download by a link, or an address that was typed.
  assert.equal((await list({ host: HOST, cookie })).statusCode, 200)
})

test('signing out, expiring and revoking the key each end it, in every process within a second', async () => {
  const { rows } = await pool.query<{ readonly expires: Date }>("select now() + interval '1 hour' as expires")
  const key = await newKey(SCOPES, rows[0]!.expires)
  const ends: readonly ((cookie: string) => Promise<unknown>)[] = [
    (cookie) => app.inject({ method: 'DELETE', url: SESSION, headers: { ...OWN, cookie } }),
    () => pool.query("update console_sessions set expires_at = now() - interval '1 second'"),
    () => pool.query('update api_keys set revoked_at = now()'),
  ]
  for (const end of ends) {
    const cookie = await signIn(key)
    for (const server of [app, beside]) assert.equal((await list({ ...OWN, cookie }, server)).statusCode, 200)
    await end(cookie)
    const endedAt = performance.now()
    for (const server of [app, beside]) {
      for (
        let askedAt = endedAt;
        (await list({ ...OWN, cookie }, server)).statusCode === 200;
        askedAt = performance.now()
      )
        assert.ok(askedAt - endedAt <= KEY_CACHE_MS)
    }
    assert.equal((await app.inject({ url: SESSION, headers: { ...OWN, cookie } })).json<Session>().session, null)
  }
})

interface Session {
  readonly session: null
}

const describe = async (cookie: string) =>
  (await app.inject({ url: SESSION, headers: { ...OWN, cookie } })).json<{ readonly session: Told | null }>().session
const back = (cookie: string, headers: Headers = OWN) =>
  app.inject({ method: 'POST', url: `${SESSION}/back`, headers: { ...headers, cookie } })
const cookieOf = ({ headers }: { readonly headers: Readonly<Record<string, unknown>> }): string =>
  String(headers['set-cookie']).split(';')[0]!

/** A key of an account, and one of the account that holds its demo fleet. */
async function newDemo(name: string): Promise<{ readonly own: string; readonly demo: string; readonly ownId: number }> {
  const { accountId: ownId } = await ensureAccount(pool, name)
  const { accountId } = await ensureAccount(pool, `${name} (demo fleet)`)
  await pool.query('update accounts set demo_of = $1, demo_facts = 1 where account_id = $2', [ownId, accountId])
  const demo = await createKey(pool, accountId, ['orders:read'], null)
  return { own: await createKey(pool, ownId, SCOPES, null), demo, ownId }
}

test('from its demo fleet a session finds the way back without the key, and ends no later', async () => {
  const { own, demo } = await newDemo('owner')
  const before = await signIn(own)
  const { expires_at: end } = (await describe(before))!
  const there = cookieOf(await open(demo, { ...OWN, cookie: before }))
  const shown = await describe(there)
  assert.deepEqual([shown!.is_demo, shown!.own_account, shown!.expires_at], [true, 'owner', end])
  assert.equal(await describe(before), null)
  assert.equal((await app.inject({ url: '/api/keys', headers: { ...OWN, cookie: there } })).statusCode, 403)
  for (const headers of [
    { host: HOST, 'sec-fetch-site': 'cross-site' },
    { host: HOST, origin: 'https://evil.test' },
  ])
    assert.equal((await back(there, headers)).statusCode, 401)
  // As from another tab that asks for the demo fleet again.
  const again = cookieOf(await open(demo, { ...OWN, cookie: there }))
  const answer = await back(again)
  const told = await describe(cookieOf(answer))
  assert.deepEqual(answer.json<{ readonly session: Told }>().session, told)
  assert.deepEqual([told!.account, told!.is_demo, told!.own_account, told!.expires_at], ['owner', false, null, end])
  assert.equal((await app.inject({ url: '/api/keys', headers: { ...OWN, cookie: cookieOf(answer) } })).statusCode, 200)
  assert.equal(await describe(again), null)
  for (const cookie of [again, before, cookieOf(answer)]) assert.equal((await back(cookie)).statusCode, 401)
})

test('there is no way back from where a session did not come from, nor to a key that was revoked', async () => {
  const [first, second] = [await newDemo('first'), await newDemo('second')]
  // With a key of the fleet alone, and from the account of somebody else.
  const alone = await signIn(first.demo)
  const strange = cookieOf(await open(first.demo, { ...OWN, cookie: await signIn(second.own) }))
  for (const cookie of [alone, strange]) {
    assert.deepEqual([(await describe(cookie))!.is_demo, (await describe(cookie))!.own_account], [true, null])
    assert.equal((await back(cookie)).statusCode, 401)
  }
  const there = cookieOf(await open(first.demo, { ...OWN, cookie: await signIn(first.own) }))
  await pool.query('update api_keys set revoked_at = now() where account_id = $1', [first.ownId])
  assert.equal(await describe(there), null)
  assert.equal((await back(there)).statusCode, 401)
})

interface Told {
  readonly account: string
  readonly is_demo: boolean
  readonly own_account: string | null
  readonly expires_at: string
}

test('wrong keys at the door count against their address, as they do in the header', async () => {
  const statuses: number[] = []
  for (let at = 0; at < 2 * FAILED_AUTH_PER_MINUTE_MAX + 1; at += 1) {
    statuses.push((await open(`cradle_wrong-${at}`, OWN, '192.0.2.7')).statusCode)
  }
  assert.ok(statuses.includes(401) && statuses.at(-1) === 429, statuses.join(' '))
  assert.equal((await open(await newKey(), OWN, '192.0.2.7')).statusCode, 200)
})

test('a key keeps fifty sessions, and sessions that are over are swept out when another is opened', async () => {
  const key = await newKey()
  for (let at = 0; at < 55; at += 1) await signIn(key)
  const { rows } = await pool.query<{ readonly count: bigint }>(
    'select count(*) from console_sessions where key_id = (select max(key_id) from api_keys)',
  )
  assert.equal(Number(rows[0]!.count), 50)
})

test('neither keys nor what cookies hold are in the log or in the database', async () => {
  const key = await newKey()
  const cookie = await signIn(key)
  await post({ ...OWN, cookie })
  const token = cookie.split('=')[1]!
  const kept = JSON.stringify([log.lines, (await pool.query('select * from console_sessions')).rows])
  assert.ok(log.lines.some(({ operation }) => operation === 'openConsoleSession'))
  for (const secret of [key, token, Buffer.from(token).toString('hex')]) assert.ok(!kept.includes(secret))
})
