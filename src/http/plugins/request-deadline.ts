// How long a request may wait for the database in all, whatever it asks of it; a slow sender's body is not counted.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { producesFile } from './content-negotiation.ts'
import { acceptsFile } from './uploads.ts'

export interface DatabaseDeadline {
  readonly databaseMsMax: number
  /** Does work whose calls to the database fail at the deadline, a time as `performance.now()` tells it. */
  readonly withDeadline: <Result>(deadline: number, work: () => Result) => Result
}

const SPENT = 'databaseMsSpent'

/** What a request does once it has arrived whole may take as long as its key's look-up left over. */
export function registerDatabaseDeadline(
  app: FastifyInstance,
  { databaseMsMax, withDeadline }: DatabaseDeadline,
): void {
  app.decorateRequest(SPENT, 0)
  // Not earlier: what is called when a body has arrived is called by its socket, which knows of no deadline.
  app.addHook('preValidation', (request, _, done) => {
    // A file comes in, or goes out, for as long as it takes: piece by piece, each of which has its own limit.
    if (acceptsFile(request) || producesFile(request)) return done()
    withDeadline(performance.now() + databaseMsMax - request.getDecorator<number>(SPENT), done)
  })
}

/** Waits for what is asked of the database before that, and counts how long. */
export async function withinRequestDeadline<Result>(request: FastifyRequest, asked: Promise<Result>): Promise<Result> {
  const askedAt = performance.now()
  try {
    return await asked
  } finally {
    request.setDecorator(SPENT, performance.now() - askedAt)
  }
}
