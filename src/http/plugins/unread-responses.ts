// Counts the memory that connections hold: incomplete request bodies and unread responses.
import { Socket } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { MemoryBudget } from '../../concurrency/memory-budget.ts'
import type { ReserveBody } from './body-parser.ts'
import { optionalCaller } from './authentication.ts'

/** Smaller responses are not counted: each connection has at most one. */
const COUNTED_BYTES_MIN = 16 * 1024

const ownerOf = (request: FastifyRequest): number | null => optionalCaller(request)?.accountId ?? null

export const reserveBodyIn =
  ({ hold }: MemoryBudget): ReserveBody =>
  (request, bytes) =>
    hold(ownerOf(request), bytes, () => request.raw.socket.destroy())

/**
 * Counts responses from their creation until the system has accepted the last of them. Excluded are responses without a
 * key, which are small or share one Buffer, and responses that are generated piece by piece as they are read.
 */
export function trackUnreadResponses(app: FastifyInstance, { hold }: MemoryBudget): void {
  app.addHook('onSend', (request, { raw }, payload, done) => {
    const isCounted = (typeof payload === 'string' || Buffer.isBuffer(payload)) && payload.length >= COUNTED_BYTES_MIN
    // A call of the service to itself has no connection; the response that its result becomes is counted.
    if (isCounted && request.raw.socket instanceof Socket && optionalCaller(request) !== null) {
      const { release } = hold(ownerOf(request), Buffer.byteLength(payload), () => request.raw.socket.destroy())
      raw.once('close', release)
    }
    done(null, payload)
  })
}
