// Graceful shutdown of the HTTP server: accepts no new connections, and answers every request on existing ones.
import { Server, type Socket } from 'node:net'
import { setImmediate as othersRan, setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { ApiError } from '../../contract/errors.ts'
import { SERVICE_MESSAGES } from '../messages.ts'

/** A connection can look idle while a request is in transit: such a request has this long to arrive. */
const ON_ITS_WAY_MS = 1_000
const LOOK_MS = 10
/** Clients that connect all the time must not delay the end: nothing more is accepted after so many turns. */
const ACCEPTING_TURNS_MAX = 2_000

export interface DrainOptions {
  /** Waits until no other worker accepts connections at this address; null if there are no other workers. */
  readonly othersClosed: (() => Promise<void>) | null
}

/**
 * Requests that arrive during the shutdown are asked to retry, and every response from then on closes its connection.
 */
export function registerGracefulShutdown(
  app: FastifyInstance,
  { othersClosed }: DrainOptions = { othersClosed: null },
): void {
  let isStopping = false
  const sockets = socketsOf(app)
  app.addHook('preClose', async () => {
    await acceptConnected(app)
    const listener = closeListener(app)
    // Otherwise a client that is asked to retry would do so immediately and reach a worker that accepts no requests any
    // more.
    await othersClosed?.()
    isStopping = true
    await drain(app, sockets, listener)
  })
  app.addHook('onRequest', (_, __, done) => {
    done(isStopping ? new ApiError('unavailable', SERVICE_MESSAGES.service_stopping()) : undefined)
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

/**
 * Accepts the clients that are connected by now: the system completes a connection before the program accepts it, and
 * resets those that nobody accepted when the listener closes. The event loop accepts one each turn.
 */
async function acceptConnected({ server }: FastifyInstance): Promise<void> {
  let [accepted, before] = [0, -1]
  const count = () => void (accepted += 1)
  server.on('connection', count)
  for (let turn = 0; accepted > before && turn < ACCEPTING_TURNS_MAX; turn += 1) {
    before = accepted
    // Two turns, each with a look at the listener: this code may run within the first.
    await othersRan()
    await othersRan()
  }
  server.off('connection', count)
}

interface Listener {
  /** True while the listener or any of its connections is open. */
  isOpen: boolean
}

/** Closes the listener only: Node's own `close` of an HTTP server starts by cutting connections that look idle. */
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
    // First reads the data that has arrived by now.
    await othersRan()
    app.server.closeIdleConnections()
    // Browsers open connections in advance. Node does not regard a connection without a request as idle.
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
  }
}
