// What connections hold of their clients: bodies that are not there yet, and answers that are not read yet.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { MemoryBudget } from '../../concurrency/memory-budget.ts'
import type { ReserveBody } from './body-parser.ts'
import { optionalCaller } from './authentication.ts'

/** Smaller ones are not counted: of each connection there is one at most. */
const COUNTED_BYTES_MIN = 16 * 1024

const ownerOf = (request: FastifyRequest): number | null => optionalCaller(request)?.accountId ?? null

export const reserveBodyIn =
  ({ hold }: MemoryBudget): ReserveBody =>
  (request, bytes) =>
    hold(ownerOf(request), bytes, () => request.raw.socket.destroy())

/**
 * From when they are made until the system has taken the last of them. Not those without a key, which are small or are
 * the same Buffer for all, and not those that are made piece by piece as they are read.
 */
export function trackUnreadResponses(app: FastifyInstance, { hold }: MemoryBudget): void {
  app.addHook('onSend', (request, { raw }, payload, done) => {
    const isCounted = (typeof payload === 'string' || Buffer.isBuffer(payload)) && payload.length >= COUNTED_BYTES_MIN
    if (isCounted && optionalCaller(request) !== null) {
      const { release } = hold(ownerOf(request), Buffer.byteLength(payload), () => request.raw.socket.destroy())
      raw.once('close', release)
    }
    done(null, payload)
  })
}
