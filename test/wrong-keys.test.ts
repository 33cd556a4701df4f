// Many wrong keys from one address: told to stop, while valid keys from there and wrong ones from elsewhere are not.
import { after, before, mock, test } from 'node:test'
import assert from 'node:assert/strict'
import { FAILED_AUTH_PER_MINUTE_MAX } from '../src/config.ts'
import type { FastifyInstance } from 'fastify'
import { DEFAULT_SETTINGS } from '../src/app.ts'
import type { Json } from './document-check.ts'
import { keepLog } from './captured-log.ts'
import { startService, type Service } from './service.ts'

const SENT = 2_000
const PATH = '/api/packagings'
const WELL_FORMED = 'cradle_2TvGSzDq7qYmwX0Y1dT8I7EvxSoa7eQb4gT6Mp'

const log = keepLog('warn')
let service: Service
let app: FastifyInstance
before(async () => {
  service = await startService()
  const limited = await startService({ beside: service, logger: log.logger, settings: DEFAULT_SETTINGS })
  app = limited.server.app
})
after(async () => {
  await service.stop()
})

const sendFrom = (remoteAddress: string, headers: Readonly<Record<string, string>>) =>
  app.inject({ url: PATH, headers, remoteAddress })

test('after 20 wrong keys in a minute an address gets 429; a valid key from there is served throughout', async () => {
  const wrong = (at: number) => ({
    'x-api-key': at % 2 ? WELL_FORMED : `guess-${at}`,
    'x-forwarded-for': `10.0.0.${at}`,
  })
  let unauthorized = 0
  // They are counted by the minutes of the clock, which stands still here: however slow the machine is, all are in one.
  mock.timers.enable({ apis: ['Date'], now: Date.parse('2026-01-01T12:00:30Z') })
  for (let at = 0; at < SENT; at += 1) {
    const { statusCode, headers, json } = await sendFrom('192.0.2.1', wrong(at))
    if (statusCode === 401) unauthorized += 1
    else {
      assert.deepEqual([statusCode, json<Json>()['code']], [429, 'too_many_wrong_keys'])
      assert.match(String(headers['retry-after']), /^[1-9]\d?$/)
    }
    if (at % 100 === 0)
      assert.equal((await sendFrom('192.0.2.1', { 'x-api-key': service.key })).statusCode, 200, String(at))
  }
  assert.equal(unauthorized, FAILED_AUTH_PER_MINUTE_MAX)
  assert.equal((await sendFrom('192.0.2.2', wrong(1))).statusCode, 401)
  // Once a minute, and nothing of the keys.
  const told = log.lines.map(({ msg, address }) => [msg, address])
  mock.timers.reset()
  assert.equal(told.length, 1)
  assert.deepEqual(told[0], ['Too many wrong keys from one address: told to wait', '192.0.2.1'])
  assert.doesNotMatch(JSON.stringify(log.lines), /guess-|2TvGSzDq/)
})

test('requests without a key guess nothing, and stay 401', async () => {
  for (let at = 0; at < 100; at += 1) assert.equal((await sendFrom('192.0.2.3', {})).statusCode, 401)
})
