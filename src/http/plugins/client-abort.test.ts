// Client disconnects are detected, early or late, so that no further work is done for them.
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, get, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { abortOnDisconnect } from './client-abort.ts'

test('a connection that is closed is noticed, whether it closes afterwards or did so before', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const asked = get({ port: (server.address() as AddressInfo).port, host: '127.0.0.1' })
  asked.on('error', () => undefined)
  const [, answer] = (await once(server, 'request')) as [unknown, ServerResponse]
  const before = abortOnDisconnect(answer)
  assert.equal(before.aborted, false)
  asked.destroy()
  await once(answer, 'close')
  assert.equal(before.aborted, true)
  assert.equal(abortOnDisconnect(answer).aborted, true)
  server.close()
})
