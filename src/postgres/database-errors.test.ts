// What the driver fails with, as it is told to those who asked.
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { unavailabilityOf } from './database-errors.ts'
import { createPool, dedicatedClient } from './pool.ts'

test('a connection that is not made in time may be tried again, of the pool or one of its own', async () => {
  const silent = createServer(() => undefined).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const { port } = silent.address() as AddressInfo
  const connection = { host: '127.0.0.1', port, user: 'nobody', password: 'none', database: 'none' }
  const pool = createPool(connection, { connectMilliseconds: 100 }, () => undefined)
  const errorOf = (connecting: Promise<unknown>) =>
    connecting.then(
      () => assert.fail('it was made'),
      (error: unknown) => error,
    )
  try {
    assert.equal(unavailabilityOf(await errorOf(pool.connect())), 'unavailable')
    assert.equal(unavailabilityOf(await errorOf(dedicatedClient(pool).connect())), 'unavailable')
  } finally {
    await pool.end()
    silent.close()
  }
})
