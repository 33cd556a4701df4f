// The end of the HTTP server: no new connection, and on those there are every request that was sent is answered.
import { Server } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { Failure } from '../requests/failure.ts'
import { serversOf } from './listen.ts'

/** A request may be on its way while its connection looks idle: so long it has to arrive. */
const ON_ITS_WAY_MS = 250
const LOOK_MS = 10

/** What arrives while the service stops is told to come again, and every answer from then on ends its connection. */
export function drainOnClose(app: FastifyInstance): void {
  let isStopping = false
  app.addHook('preClose', async () => {
    isStopping = true
    await drain(app)
  })
  app.addHook('onRequest', (_, __, done) => {
    done(isStopping ? new Failure('unavailable', 'The service is stopping; try again') : undefined)
  })
  app.addHook('onSend', (_, reply, __, done) => {
    if (isStopping) void reply.header('connection', 'close')
    done()
  })
}

/** Node's own way of closing an HTTP server begins with cutting the connections that look idle. */
async function drain(app: FastifyInstance): Promise<void> {
  const servers = serversOf(app).filter(({ listening }) => listening)
  let open = servers.length
  for (const server of servers) Server.prototype.close.call(server, () => (open -= 1))
  const cutAt = performance.now() + ON_ITS_WAY_MS
  while (open > 0) {
    await sleep(LOOK_MS)
    if (performance.now() > cutAt) app.server.closeIdleConnections()
  }
}
