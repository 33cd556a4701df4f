// The end of the HTTP server: no new connection, and on those there are every request that was sent is answered.
import { Server, type Socket } from 'node:net'
import { setImmediate as othersRan, setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { ApiError } from '../../contract/errors.ts'

/** A request may be on its way while its connection looks idle: so long it has to arrive. */
const ON_ITS_WAY_MS = 250
const LOOK_MS = 10

export interface DrainOptions {
  /** Waits until nobody else takes connections at this address either; null where nobody else does. */
  readonly othersClosed: (() => Promise<void>) | null
}

/** What arrives while the service stops is told to come again, and every answer from then on ends its connection. */
export function registerGracefulShutdown(
  app: FastifyInstance,
  { othersClosed }: DrainOptions = { othersClosed: null },
): void {
  let isStopping = false
  const sockets = socketsOf(app)
  app.addHook('preClose', async () => {
    const listener = closeListener(app)
    // Else whoever is told to come again would do so at once, and wait for a worker that takes nobody any more.
    await othersClosed?.()
    isStopping = true
    await drain(app, sockets, listener)
  })
  app.addHook('onRequest', (_, __, done) => {
    done(isStopping ? new ApiError('unavailable', 'The service is stopping; try again') : undefined)
  })
  app.addHook('onSend', (_, reply, __, done) => {
    if (isStopping) void reply.header('connection', 'close')
    done()
  })
}

function socketsOf(app: FastifyInstance): ReadonlySet<Socket> {
  const sockets = new Set<Socket>()
  app.server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  return sockets
}

interface Listener {
  /** While one of its connections is. */
  isOpen: boolean
}

/** Node's own way of closing an HTTP server begins with cutting the connections that look idle. */
function closeListener({ server }: FastifyInstance): Listener {
  const listener = { isOpen: server.listening }
  if (listener.isOpen) Server.prototype.close.call(server, () => (listener.isOpen = false))
  return listener
}

async function drain(app: FastifyInstance, sockets: ReadonlySet<Socket>, listener: Listener): Promise<void> {
  const cutAt = performance.now() + ON_ITS_WAY_MS
  while (listener.isOpen) {
    await sleep(LOOK_MS)
    if (performance.now() < cutAt) continue
    // What has arrived by now is read first.
    await othersRan()
    app.server.closeIdleConnections()
    // Browsers open connections ahead. To Node, one on which nothing was asked yet is not idle.
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
  }
}
