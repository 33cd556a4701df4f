// Open connections: their number is limited, and each has one request processed at a time, in order of arrival.
import { AsyncLocalStorage } from 'node:async_hooks'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { ApiError } from '../contract/errors.ts'
import { answerMalformedRequest, rejectRequest, respondWithError } from './errors.ts'
import { httpSyntaxError } from './plugins/http-syntax.ts'
import { endUnreadBody } from './plugins/unread-bodies.ts'
import { PROTOCOL_MESSAGES } from './messages.ts'

export interface ConnectionLimits {
  /** Above this, the connections that have been idle the longest are closed for new ones. */
  readonly connectionsMax: number
  /** Requests of all connections that were read and wait for an earlier request on the same connection. */
  readonly pipelinedMax: number
}

interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

interface Connection {
  readonly socket: Socket
  /** Requests read in the same piece as the current one; while there are any, nothing more is read. */
  readonly pipelined: Exchange[]
  /** The last request that was read. */
  last: IncomingMessage | null
  /** The response being processed. */
  current: ServerResponse | null
  wasServed: boolean
  idleSince: number
  /** Ends the connection once all earlier requests are answered; from then on, none of its data is processed. */
  end: (() => void) | null
}

/**
 * Share of connections closed together when there are too many: otherwise each new connection would require a full
 * scan.
 */
const CLOSED_AT_ONCE = 1 / 100

function createConnectionTable({ connectionsMax, pipelinedMax }: ConnectionLimits) {
  const connections = new Map<Socket, Connection>()
  let pipelinedCount = 0

  function forget({ socket, pipelined }: Connection): void {
    connections.delete(socket)
    pipelinedCount -= pipelined.length
    pipelined.length = 0
  }

  function cut(connection: Connection): void {
    forget(connection)
    connection.socket.destroy()
  }

  /** Closes first the connections that never sent a complete request. */
  function closeIdle(): void {
    const idle = [...connections.values()].filter(({ current }) => current === null)
    idle.sort((a, b) => Number(a.wasServed) - Number(b.wasServed) || a.idleSince - b.idleSince)
    for (const connection of idle.slice(0, Math.ceil(connectionsMax * CLOSED_AT_ONCE))) cut(connection)
  }

  const greediest = (): Connection =>
    [...connections.values()].reduce((most, one) => (one.pipelined.length > most.pipelined.length ? one : most))

  return {
    open: (socket: Socket): void => {
      if (connections.size >= connectionsMax) closeIdle()
      const nothingYet = { pipelined: [], last: null, current: null, wasServed: false, end: null }
      const connection: Connection = { socket, ...nothingYet, idleSince: performance.now() }
      connections.set(socket, connection)
      socket.once('close', () => forget(connection))
      if (connections.size > connectionsMax) cut(connection)
    },
    /** Undefined for a connection that was cut: Node continues with data that it had already read. */
    of: (socket: Socket): Connection | undefined => connections.get(socket),
    queue: (connection: Connection, exchange: Exchange): void => {
      connection.pipelined.push(exchange)
      pipelinedCount += 1
      if (pipelinedCount > pipelinedMax) cut(greediest())
    },
    next: ({ pipelined }: Connection): Exchange | undefined => {
      if (pipelined.length > 0) pipelinedCount -= 1
      return pipelined.shift()
    },
    dropLast: ({ pipelined }: Connection): void => {
      if (pipelined.pop() !== undefined) pipelinedCount -= 1
    },
    pipelined: (): number => pipelinedCount,
  }
}

const EXPECTATION = new ApiError('expectation_failed', PROTOCOL_MESSAGES.http_expectation())
const CONNECT = new ApiError('method_not_allowed', PROTOCOL_MESSAGES.http_connect())

/** Later requests must not run in the context of an earlier one: neither in its trace nor under its deadline. */
const onBehalfOfNone = AsyncLocalStorage.snapshot()

/** Receives every request before any other handler; call `attach` after all of those are attached to the server. */
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

  /** Answers unparsable data in order, so that neither response is mistaken for the response to another request. */
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
      // Node resumes reading by itself whenever a response is complete.
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

/** Sends 100 Continue once the key is known and the body is about to be read. */
function continueBodies(app: FastifyInstance): void {
  app.addHook('preParsing', ({ raw }, reply, payload, done) => {
    if (hasExpectation(raw)) reply.raw.writeContinue()
    done(null, payload)
  })
}

/** RFC 9110, 10.1.1: HTTP/1.0 has no expectations. */
const hasExpectation = ({ headers, httpVersionMinor }: IncomingMessage): boolean =>
  headers.expect !== undefined && httpVersionMinor === 1

const expectationFailure = (request: IncomingMessage): ApiError | null =>
  hasExpectation(request) && !/^100-continue$/i.test(request.headers.expect!) ? EXPECTATION : null
