// The connections that are open, and the requests that wait on them: how many there may be, and which are cut.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

export interface ConnectionLimits {
  /** Beyond that, those that have been idle for longest are closed for newcomers. */
  readonly connectionsMax: number
  /** Requests of all connections that were read, and wait for an earlier one on theirs. */
  readonly pipelinedMax: number
}

export interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

export interface Connection {
  readonly socket: Socket
  /** Read with the request that is served, since they came in one piece; while there are any, nothing more is read. */
  readonly pipelined: Exchange[]
  /** The last request that was read. */
  last: IncomingMessage | null
  /** What is served at present. */
  current: ServerResponse | null
  wasServed: boolean
  idleSince: number
  /** How it ends once all requests before are answered; from then on nothing that it sends is served. */
  end: (() => void) | null
}

/** Closed at once when there are too many: one by one, each newcomer would cost a look at all. */
const CLOSED_AT_ONCE = 1 / 100

export function createConnectionTable({ connectionsMax, pipelinedMax }: ConnectionLimits) {
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

  /** First those that never sent a whole request. */
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
    /** Undefined of one that was cut: Node goes on with what it had read of it. */
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
