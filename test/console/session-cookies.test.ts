// Cookies that pages of other hosts and ports may set beside the console's own: which of them is its session.
import { before, test } from 'node:test'
import assert from 'node:assert/strict'
import type { FastifyInstance } from 'fastify'
import { startService } from '../service.ts'

const HOST = 'cradle.test'
const OWN = { host: HOST, 'sec-fetch-site': 'same-origin' } as const
const SESSION = '/console/session'

let app: FastifyInstance
let key: string
before(async () => {
  const service = await startService()
  ;({ key } = service)
  ;({ app } = service.server)
})

type Headers = Readonly<Record<string, string>>

/** @returns the header Cookie that a browser sends from then on */
async function signIn(headers: Headers = OWN): Promise<string> {
  const answer = await app.inject({ method: 'POST', url: SESSION, headers, payload: { api_key: key } })
  return String(answer.headers['set-cookie']).split(';')[0]!
}

const list = (headers: Headers) => app.inject({ url: '/api/customer-orders', headers })
const describe = async (cookie: string, headers: Headers = OWN) =>
  (await app.inject({ url: SESSION, headers: { ...headers, cookie } })).json<{
    readonly session: { readonly account: string } | null
  }>().session

const ENCRYPTED = { host: HOST, origin: `https://${HOST}`, 'x-forwarded-proto': 'https' } as const

test('on an encrypted page that cookie alone counts which no other host can set', async () => {
  const cookie = await signIn(ENCRYPTED)
  const plain = await signIn()
  const strange = `cradle_session=${'a'.repeat(43)}`
  for (const sent of [cookie, `${strange}; ${cookie}`, `${plain}; ${cookie}; ${strange}`]) {
    assert.equal((await list({ ...ENCRYPTED, cookie: sent })).statusCode, 200, sent)
  }
  assert.equal((await list({ ...ENCRYPTED, cookie: plain })).statusCode, 401)
  const left = await app.inject({ method: 'DELETE', url: SESSION, headers: { ...ENCRYPTED, cookie } })
  assert.match(String(left.headers['set-cookie']), /^__Host-cradle_session=; .*Max-Age=0; Secure$/)
  assert.equal(await describe(cookie, ENCRYPTED), null)
})

test('of several cookies of its name the session counts, wherever it is; of two sessions neither does', async () => {
  const [cookie, other] = [await signIn(), await signIn()]
  const strange = (letter: string) => `cradle_session=${letter.repeat(43)}`
  for (const sent of [`${strange('a')}; ${cookie}`, `${cookie}; ${strange('a')}; b=c`, `${cookie}; ${cookie}`]) {
    assert.equal((await list({ ...OWN, cookie: sent })).statusCode, 200, sent)
    assert.equal((await describe(sent))!.account, 'test')
  }
  for (const sent of [`${cookie}; ${other}`, `${strange('a')}; ${strange('b')}`]) {
    assert.equal((await list({ ...OWN, cookie: sent })).statusCode, 401, sent)
    assert.equal(await describe(sent), null)
  }
  const many = Array.from({ length: 20 }, (_, at) => strange(String.fromCharCode(97 + at)))
  assert.equal((await list({ ...OWN, cookie: [...many, cookie].join('; ') })).statusCode, 401)
  // Signing out ends all that the browser sent.
  await app.inject({ method: 'DELETE', url: SESSION, headers: { ...OWN, cookie: `${other}; ${cookie}` } })
  for (const sent of [cookie, other]) assert.equal(await describe(sent), null)
})
