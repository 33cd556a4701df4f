// Sends one request to a checked address, with bounds on time and on what is read of the answer.
import { Agent as HttpAgent, request as requestHttp, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import type { LookupFunction } from 'node:net'
import { retryAfterOf } from './retry-schedule.ts'
import { TargetRefused, resolveName, resolveTarget, type Address, type Resolve, type TargetRules } from './target.ts'

const SEND_MS_MAX = 15_000
const ANSWER_BYTES_MAX = 16 * 1024

/** Why an attempt failed, for the log of deliveries. */
export type SendProblem =
  | 'target_refused'
  | 'name_not_resolved'
  | 'connection_failed'
  | 'timeout'
  | 'redirect'
  | 'status'

/** What came of a request. */
export interface Exchanged {
  readonly status: number | null
  /** Null for an answer with a 2xx status, the only success. */
  readonly problem: SendProblem | null
  /** What the receiver asks to wait before the next attempt; null if it asks for nothing. */
  readonly retryAfterMs: number | null
  /** As much of the answer as is read; empty if there was none. */
  readonly body: string
}

export interface ExchangeOptions {
  readonly rules: TargetRules
  readonly userAgent: string
  /** Default: the resolver of the system. */
  readonly resolve?: Resolve
  readonly timeoutMs?: number
}

export interface OutgoingRequest {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

/** @param stopping ends the attempt when the service stops */
export type Exchange = (request: OutgoingRequest, stopping?: AbortSignal) => Promise<Exchanged>

/** Everything that can go wrong is returned: an endpoint that fails is no fault of the service. */
export const createExchange =
  ({ rules, userAgent, resolve = resolveName, timeoutMs = SEND_MS_MAX }: ExchangeOptions): Exchange =>
  async (request, stopping) => {
    const timeout = AbortSignal.timeout(timeoutMs)
    const signal = stopping ? AbortSignal.any([timeout, stopping]) : timeout
    try {
      const address = await withSignal(resolveTarget(request.url, rules, resolve), signal)
      const headers = { ...request.headers, 'user-agent': userAgent }
      return await exchange({ ...request, headers }, address, signal)
    } catch (error) {
      return { status: null, problem: problemOf(error as Error, signal), retryAfterMs: null, body: '' }
    }
  }

/** Names take the resolver up to minutes, and cannot be cancelled. */
const withSignal = <Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> =>
  new Promise((settle, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
    work.then(settle, reject)
  })

function problemOf(error: Error & { readonly syscall?: string }, signal: AbortSignal): SendProblem {
  if (error instanceof TargetRefused) return 'target_refused'
  if (signal.aborted) return 'timeout'
  return error.syscall === 'getaddrinfo' ? 'name_not_resolved' : 'connection_failed'
}

function exchange(
  { method, url, headers, body = '' }: OutgoingRequest,
  address: Address,
  signal: AbortSignal,
): Promise<Exchanged> {
  const isSecure = url.startsWith('https:')
  const options = {
    method,
    // A connection of its own, to the address that was checked; the name remains in Host and in the TLS handshake.
    agent: isSecure ? new HttpsAgent() : new HttpAgent(),
    lookup: lookupOf(address),
    headers: method === 'GET' ? headers : { ...headers, 'content-length': String(Buffer.byteLength(body)) },
    maxHeaderSize: ANSWER_BYTES_MAX,
    signal,
  }
  return new Promise((settle, reject) => {
    const request = (isSecure ? requestHttps : requestHttp)(new URL(url), options, (answer) => {
      readBounded(answer).then((text) => settle(outcomeOf(answer, text)), reject)
    })
    request.on('error', reject)
    request.end(body)
  })
}

const lookupOf =
  ({ address, family }: Address): LookupFunction =>
  (_, { all }, done) =>
    all ? done(null, [{ address, family }]) : done(null, address, family)

/** Reads the answer up to a limit, so that the receiver can end it. */
async function readBounded(answer: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = []
  let bytes = 0
  for await (const piece of answer) {
    pieces.push(piece as Buffer)
    bytes += (piece as Buffer).length
    if (bytes > ANSWER_BYTES_MAX) break
  }
  answer.destroy()
  return Buffer.concat(pieces).toString()
}

function outcomeOf({ statusCode: status = 0, headers }: IncomingMessage, body: string): Exchanged {
  const isSuccess = status >= 200 && status < 300
  const isRedirect = status >= 300 && status < 400
  return {
    status,
    problem: isSuccess ? null : isRedirect ? 'redirect' : 'status',
    retryAfterMs: retryAfterOf(status, headers['retry-after'], new Date()),
    body,
  }
}
