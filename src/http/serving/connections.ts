// Connections: one request of each is served at a time, in the order in which they came; a refusal has its turn, too.
import { AsyncLocalStorage } from 'node:async_hooks'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { ApiError, respondWithError, answerMalformedRequest, rejectRequest } from '../requests/failure.ts'
import { httpSyntaxError } from '../requests/http-syntax.ts'
import { endUnreadBody } from './unread-bodies.ts'
import { createConnectionTable, type Connection, type ConnectionLimits, type Exchange } from './connection-table.ts'

const EXPECTATION = new ApiError('expectation_failed', 'The header Expect may be 100-continue, and nothing else')
const CONNECT = new ApiError('method_not_allowed', 'CONNECT is for proxies, and this is none')

/** What follows a request must not run on its behalf: neither in its trace, nor under its deadline. */
const onBehalfOfNone = AsyncLocalStorage.snapshot()

/** Stands before all else that answers: `attach` when everything of that has been attached to the server. */
export function createConnections(limits: ConnectionLimits) {
  const table = createConnectionTable(limits)
  let answer: RequestListener

  function take(request: IncomingMessage, response: ServerResponse): void {
    const connection = table.of(request.socket)
    if (connection === undefined || connection.end !== null) return
    connection.last = request
    if (connection.current === null) return serve(connection, { request, response })
    connection.socket.pause()
    table.queue(connection, { request, response })
  }

  function serve(connection: Connection, { request, response }: Exchange): void {
    connection.current = response.on('close', serveNext)
    const failure = httpSyntaxError(request) ?? expectationFailure(request)
    if (failure === null) return answer(request, response)
    connection.end = () => undefined
    rejectRequest(failure, response)
  }

  function serveNext(this: ServerResponse): void {
    if (!this.req.complete) endUnreadBody(this.req)
    const connection = table.of(this.req.socket)
    if (connection === undefined) return
    connection.current = null
    connection.wasServed = true
    connection.idleSince = performance.now()
    const next = table.next(connection)
    if (next !== undefined) onBehalfOfNone(serve, connection, next)
    else if (connection.end !== null) connection.end()
    else if (connection.socket.isPaused()) connection.socket.resume()
  }

  /** What cannot be read is answered in its turn: neither answer must be taken for that to another request. */
  function refuse(error: NodeJS.ErrnoException, socket: Socket): void {
    const connection = table.of(socket)
    if (connection === undefined) return answerMalformedRequest(error, socket)
    const { last, current, pipelined } = connection
    if (connection.end !== null) return
    connection.end = () => answerMalformedRequest(error, socket)
    if (last !== null && !last.complete) {
      if (pipelined.at(-1)?.request === last) table.dropLast(connection)
      else if (current?.req !== last || current.headersSent) return socket.destroySoon()
      else return connection.end()
    }
    if (current === null) connection.end()
  }

  function attach(app: FastifyInstance): void {
    const { server } = app
    ;[answer] = server.listeners('request') as [RequestListener]
    server.removeAllListeners('request')
    server.on('connection', (socket: Socket) => {
      table.open(socket)
      // Node reads on by itself whenever an answer is done.
      socket.on('resume', () => {
        if (table.of(socket)?.pipelined.length) socket.pause()
      })
    })
    for (const event of ['request', 'checkContinue', 'checkExpectation'] as const) server.on(event, take)
    server.on('connect', ({ socket }: IncomingMessage) => {
      if (table.of(socket)?.current) socket.destroy()
      else respondWithError(CONNECT, socket)
    })
    continueBodies(app)
  }

  return { attach, refuse, pipelined: table.pipelined }
}

/** The sender is told to go on when its key is known, and its body about to be read. */
function continueBodies(app: FastifyInstance): void {
  app.addHook('preParsing', ({ raw }, reply, payload, done) => {
    if (hasExpectation(raw)) reply.raw.writeContinue()
    done(null, payload)
  })
}

/** RFC 9110, 10.1.1: HTTP/1.0 knows of no expectations. */
const hasExpectation = ({ headers, httpVersionMinor }: IncomingMessage): boolean =>
  headers.expect !== undefined && httpVersionMinor === 1

const expectationFailure = (request: IncomingMessage): ApiError | null =>
  hasExpectation(request) && !/^100-continue$/i.test(request.headers.expect!) ? EXPECTATION : null
