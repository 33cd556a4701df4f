// Counts the requests that a server is answering, so that long work can let them go first.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'

/** How many requests of a server have no response yet. */
export interface RequestCount {
  underWay: number
}

export function countRequests({ server }: Pick<FastifyInstance, 'server'>, count: RequestCount): void {
  server.on('request', (_request: IncomingMessage, response: ServerResponse) => {
    count.underWay += 1
    response.once('close', () => {
      count.underWay -= 1
    })
  })
}
