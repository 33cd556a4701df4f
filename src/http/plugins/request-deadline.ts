// Limits the total time that a request may spend on the database; the time to receive its body is not counted.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { producesFile } from './content-negotiation.ts'
import { acceptsFile } from './file-routes.ts'

export interface DatabaseDeadline {
  readonly databaseMsMax: number
  /** Runs work whose database calls fail at the deadline, a time by `performance.now()`. */
  readonly withDeadline: <Result>(deadline: number, work: () => Result) => Result
}

const SPENT = 'databaseMsSpent'

/** Once a request has arrived completely, it may use the time that its key look-up has left. */
export function registerDatabaseDeadline(
  app: FastifyInstance,
  { databaseMsMax, withDeadline }: DatabaseDeadline,
): void {
  app.decorateRequest(SPENT, 0)
  // Not earlier: the code after the body's arrival is called by its socket, outside the context of the deadline.
  app.addHook('preValidation', (request, _, done) => {
    // A file is received or sent for as long as it takes; each of its pieces has its own limit.
    if (acceptsFile(request) || producesFile(request)) return done()
    withDeadline(performance.now() + databaseMsMax - request.getDecorator<number>(SPENT), done)
  })
}

/** Awaits earlier database work of the request and counts its duration. */
export async function withinRequestDeadline<Result>(request: FastifyRequest, asked: Promise<Result>): Promise<Result> {
  const askedAt = performance.now()
  try {
    return await asked
  } finally {
    request.setDecorator(SPENT, performance.now() - askedAt)
  }
}
