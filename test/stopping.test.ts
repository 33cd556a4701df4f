// The service stops while clients keep their connections open: whoever has sent something is answered.
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { startService } from './service.ts'

test('a request that was on its way on an open connection when the service stopped is told to come again', async () => {
  const { server, key } = await startService()
  const { port, hostname } = new URL(server.url)
  const socket = connect(Number(port), hostname).setEncoding('utf8')
  const ask = () => socket.write(`GET /api/customer-orders HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\n\r\n`)
  ask()
  const [first] = (await once(socket, 'data')) as [string]
  assert.match(first, /^HTTP\/1\.1 200 /)
  const stopped = server.app.close()
  ask()
  const [second] = (await once(socket, 'data')) as [string]
  assert.match(second, /^HTTP\/1\.1 503 .*\r\n/)
  assert.match(second, /\r\nretry-after: 1\r\n/i)
  assert.match(second, /\r\nconnection: close\r\n/i)
  await Promise.all([once(socket, 'close'), stopped])
})

test('a connection on which nothing was ever asked does not hold up the stop', async () => {
  const { server } = await startService()
  const { port, hostname } = new URL(server.url)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  // What is asked after it is answered after it was taken.
  assert.equal((await fetch(`${server.url}/livez`)).status, 200)
  await Promise.all([once(socket, 'close'), server.app.close()])
})
