// Sends one webhook: a single request to a checked address, with bounds on time and on what is read of the answer.
import { Agent as HttpAgent, request as requestHttp, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import type { LookupFunction } from 'node:net'
import { retryAfterOf } from './retry-schedule.ts'
import { TargetRefused, resolveName, resolveTarget, type Address, type Resolve, type TargetRules } from './target.ts'

const SEND_MS_MAX = 15_000
const ANSWER_BYTES_MAX = 16 * 1024

/** Why an attempt failed, for the log of deliveries. */
export type SendProblem =
  'target_refused' | 'name_not_resolved' | 'connection_failed' | 'timeout' | 'redirect' | 'status'

export interface SentWebhook {
  readonly status: number | null
  /** Null for an answer with a 2xx status, the only success. */
  readonly problem: SendProblem | null
  readonly retryAfterMs: number | null
}

export interface SendOptions {
  readonly rules: TargetRules
  readonly userAgent: string
  /** Default: the resolver of the system. */
  readonly resolve?: Resolve
  readonly timeoutMs?: number
}

export type Send = (
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string,
  /** Ends the attempt when the service stops. */
  stopping?: AbortSignal,
) => Promise<SentWebhook>

/** Everything that can go wrong is returned: an endpoint that fails is no fault of the service. */
export const createSend =
  ({ rules, userAgent, resolve = resolveName, timeoutMs = SEND_MS_MAX }: SendOptions): Send =>
  async (url, headers, body, stopping) => {
    const timeout = AbortSignal.timeout(timeoutMs)
    const signal = stopping ? AbortSignal.any([timeout, stopping]) : timeout
    try {
      const address = await withSignal(resolveTarget(url, rules, resolve), signal)
      return await exchange(url, address, { ...headers, 'user-agent': userAgent }, body, signal)
    } catch (error) {
      return { status: null, problem: problemOf(error as Error, signal), retryAfterMs: null }
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
  url: string,
  address: Address,
  headers: Readonly<Record<string, string>>,
  body: string,
  signal: AbortSignal,
): Promise<SentWebhook> {
  const isSecure = url.startsWith('https:')
  const options = {
    method: 'POST',
    // A connection of its own, to the address that was checked; the name remains in Host and in the TLS handshake.
    agent: isSecure ? new HttpsAgent() : new HttpAgent(),
    lookup: lookupOf(address),
    headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) },
    maxHeaderSize: ANSWER_BYTES_MAX,
    signal,
  }
  return new Promise((settle, reject) => {
    const request = (isSecure ? requestHttps : requestHttp)(new URL(url), options, (answer) => {
      readBounded(answer).then(() => settle(outcomeOf(answer)), reject)
    })
    request.on('error', reject)
    request.end(body)
  })
}

const lookupOf =
  ({ address, family }: Address): LookupFunction =>
  (_, { all }, done) =>
    all ? done(null, [{ address, family }]) : done(null, address, family)

/** What the answer says is not used. It is read so that the receiver can end it, up to a limit. */
async function readBounded(answer: IncomingMessage): Promise<void> {
  let bytes = 0
  for await (const piece of answer) {
    bytes += (piece as Buffer).length
    if (bytes > ANSWER_BYTES_MAX) break
  }
  answer.destroy()
}

function outcomeOf({ statusCode: status = 0, headers }: IncomingMessage): SentWebhook {
  const isSuccess = status >= 200 && status < 300
  const isRedirect = status >= 300 && status < 400
  return {
    status,
    problem: isSuccess ? null : isRedirect ? 'redirect' : 'status',
    retryAfterMs: retryAfterOf(status, headers['retry-after'], new Date()),
  }
}
