// How long a request may wait for the database in all, whatever it asks of it; a slow sender's body is not counted.
import type { FastifyInstance } from 'fastify'

export interface DatabaseTime {
  readonly databaseMsMax: number
  /** Does work whose calls to the database fail at the deadline, a time as `performance.now()` tells it. */
  readonly withDeadline: (deadline: number, work: () => void) => void
}

const DEADLINE = 'databaseDeadline'
const LEFT = 'databaseMsLeft'

export function limitDatabaseTime(app: FastifyInstance, { databaseMsMax, withDeadline }: DatabaseTime): void {
  app.decorateRequest(DEADLINE, 0)
  app.decorateRequest(LEFT, 0)
  // The look-up of the key.
  app.addHook('onRequest', (request, _, done) => {
    const deadline = performance.now() + databaseMsMax
    request.setDecorator(DEADLINE, deadline)
    withDeadline(deadline, done)
  })
  app.addHook('preParsing', (request, _, payload, done) => {
    request.setDecorator(LEFT, request.getDecorator<number>(DEADLINE) - performance.now())
    done(null, payload)
  })
  // What is called when a body has arrived is called by its socket, which knows of no deadline.
  app.addHook('preValidation', (request, _, done) => {
    withDeadline(performance.now() + request.getDecorator<number>(LEFT), done)
  })
}
