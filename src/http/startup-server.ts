// Holds the port while the database is opened: answers that the process is alive but not ready, and asks clients to
// retry.
import type { AddressInfo } from 'node:net'
import Fastify, { type FastifyInstance } from 'fastify'
import { ApiError } from '../contract/errors.ts'
import { answerMalformedRequest, sendError, toApiError } from './errors.ts'
import { requestIdOf } from './plugins/request-id.ts'
import { SECURITY_HEADERS } from './plugins/security-headers.ts'
import { healthOperations } from './routes/health.ts'
import { registerRoutes } from './route-definition.ts'
import { SERVICE_MESSAGES } from './messages.ts'

export interface StartupServer {
  /** Opens the port. @throws Error with a sentence if it cannot be opened */
  readonly open: () => Promise<void>
  /** Reports why there is no database yet, and what clients get meanwhile. */
  readonly report: (why: string) => void
  /** Releases the port to the service. @returns the port, or null if it is not open */
  readonly close: () => Promise<number | null>
}

export function createStartupServer(
  listen: (app: FastifyInstance) => Promise<string>,
  report: (sentence: string) => void,
  retryAfterSeconds: number,
): StartupServer {
  const app = createApp(retryAfterSeconds)
  let address = ''
  return {
    open: async () => {
      address = await listen(app)
    },
    report: (why) =>
      report(`${why}. Waiting for it; until it is there, ${address}/livez answers 200, and everything else 503.`),
    close: async () => {
      const { port } = (app.server.address() as AddressInfo | null) ?? { port: null }
      await app.close()
      return port
    },
  }
}

function createApp(retryAfterSeconds: number): FastifyInstance {
  const app = Fastify({
    genReqId: requestIdOf,
    clientErrorHandler: answerMalformedRequest,
    // The handover is immediate: a connection without a request must not delay the start.
    forceCloseConnections: true,
  })
  app.addHook('onRequest', (request, reply, done) => {
    void reply.headers({ 'x-request-id': request.id, ...SECURITY_HEADERS, connection: 'close' })
    done(request.is404 ? new ApiError('unavailable', SERVICE_MESSAGES.service_starting()) : undefined)
  })
  app.setErrorHandler((error: Error, request, reply) =>
    sendError(
      reply,
      toApiError(error, request, () => null),
      retryAfterSeconds,
    ),
  )
  registerRoutes(app, healthOperations({ checkReady: () => Promise.resolve('database'), retryAfterSeconds }))
  return app
}
