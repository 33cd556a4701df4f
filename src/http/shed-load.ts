// More than can be served: refused before anything of it is done, so that what was admitted is answered in time.
import type { FastifyInstance, FastifyReply } from 'fastify'
import { asksForKey } from './authenticate.ts'
import { Failure, sendFailure } from './failure.ts'

export interface ShedLoadOptions {
  /** True while a newcomer would wait for too long. Asked for every request: it has to be cheap. */
  readonly isBacklogged: () => boolean
  readonly retryAfterSeconds: number
}

const OVERLOADED = new Failure('unavailable', 'Too much is waiting; nothing of this request was done. Try again')

/**
 * Before the key is looked up and the body is read: these are most of what a request costs, and a service that spends
 * its time on what it then refuses serves nobody. Answered here and not thrown: the log would be the next to drown.
 */
export function shedLoad(app: FastifyInstance, { isBacklogged, retryAfterSeconds }: ShedLoadOptions): void {
  const refuse = onceATurn((reply) => void sendFailure(reply, OVERLOADED, retryAfterSeconds))
  app.addHook('onRequest', (request, reply, done) => {
    if (asksForKey(request) && isBacklogged()) refuse(reply)
    else done()
  })
}

/**
 * Puts off what is to be done until this turn of the event loop has read all connections. A client that is refused at
 * once sends again at once; with a thousand of them the turn never ended, and what was admitted would not go on.
 */
function onceATurn(send: (reply: FastifyReply) => void): (reply: FastifyReply) => void {
  let refused: FastifyReply[] = []
  const sendAll = () => {
    const all = refused
    refused = []
    for (const reply of all) send(reply)
  }
  return (reply) => {
    if (refused.push(reply) === 1) setImmediate(sendAll)
  }
}
