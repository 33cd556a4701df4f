// Authentication: resolves the API key or console session of a request to its caller, or answers 401.
import type { FastifyContextConfig, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Caller, Scope } from '../../postgres/accounts.ts'
import { ApiError } from '../../contract/errors.ts'
import { logTransient } from '../../observability/logging.ts'
import type { ConsumeRequest, CountFailedAuth, FailedAuthLimit, RateLimitState } from '../../concurrency/rate-limit.ts'
import { withinRequestDeadline, type DatabaseDeadline } from './request-deadline.ts'
import { isHttpsOrigin, isSameOrigin } from './same-origin.ts'
import { ACCESS_MESSAGES } from '../messages.ts'

const PLAIN = 'cradle_session'
/**
 * Browsers accept a cookie of such a name only from the host itself and over HTTPS: not from a subdomain or another
 * port.
 */
const ENCRYPTED = `__Host-${PLAIN}`

const TOKEN = /^[\w-]{43}$/
/** A request with more tokens is treated as having none. */
const TOKENS_MAX = 8

/**
 * The values of all cookies of the right name, usually one. Over HTTP, pages on other ports of the host can set cookies
 * too, so each value has to be looked up; none is trusted for coming first.
 */
export function sessionTokensOf(request: FastifyRequest): readonly string[] {
  const { cookie } = request.headers
  if (cookie === undefined) return []
  const encrypted = tokensIn(cookie, ENCRYPTED)
  return encrypted.length > 0 || isHttpsOrigin(request) ? encrypted : tokensIn(cookie, PLAIN)
}

function tokensIn(header: string, name: string): readonly string[] {
  const values = header
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1))
    .filter((value) => TOKEN.test(value))
  const distinct = [...new Set(values)]
  return distinct.length > TOKENS_MAX ? [] : distinct
}

/** The only caller that was found. If two sessions are valid, neither is assumed to be the user's. */
export function onlyMatch<Found>(found: readonly (Found | null)[]): Found | null {
  const there = found.filter((one) => one !== null)
  return there.length === 1 ? there[0]! : null
}

/** The value of the header `Set-Cookie` with which the browser stores the token for the given time. */
export const sessionCookie = (request: FastifyRequest, token: string, seconds: number): string => {
  const manners = `Path=/; HttpOnly; SameSite=Strict; Max-Age=${seconds}`
  return isHttpsOrigin(request) ? `${ENCRYPTED}=${token}; ${manners}; Secure` : `${PLAIN}=${token}; ${manners}`
}

export interface AuthenticateOptions extends DatabaseDeadline {
  /** The caller of a well-formed key, or null. May throw if the database is unavailable. */
  readonly findCaller: (key: string) => Promise<Caller | null>
  readonly isWellFormedKey: (key: string) => boolean
  /** The caller of a console session, or null if the session has ended. */
  readonly findSessionCaller: (token: string) => Promise<Caller | null>
  readonly now: () => Date
  readonly cacheMs: number
  readonly cachedKeysMax: number
  /** Counts the requests of a key; null if there is no limit. */
  readonly spendRequest: ConsumeRequest | null
  /** Counts the wrong keys of an address; null if there is no limit. */
  readonly spendWrongKey: CountFailedAuth | null
}

interface RouteConfig {
  /** `any` admits every valid key: the route itself decides what a key may do. */
  readonly scope?: Scope | 'any'
  /** The key may be sent as a bearer token too, and a console session is not accepted. */
  readonly takesBearer?: true
}

/** Route configuration that requires a scope. A route without it is open to all. */
export const requireScope = (scope: Scope): FastifyContextConfig => ({ scope }) as FastifyContextConfig & RouteConfig

/** Route configuration for programs with any valid key, in X-API-Key or as a bearer token. */
export const requireKey = (): FastifyContextConfig =>
  ({ scope: 'any', takesBearer: true }) as FastifyContextConfig & RouteConfig

/** The key of a request on a route of requireKey(); undefined without one. */
export function bearerOrKeyOf({ headers }: FastifyRequest): string | undefined {
  const key = headers['x-api-key']
  if (typeof key === 'string') return key
  return /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1]
}

const CALLER = 'caller'

/** Checks the key before any of the body is read, on every route that requires a scope. */
export function authenticate(app: FastifyInstance, options: AuthenticateOptions): void {
  const findKeyCaller = rememberCallers(options.findCaller, options.isWellFormedKey, options)
  const findSessionCaller = rememberCallers(options.findSessionCaller, () => true, options)
  app.decorateRequest(CALLER, null)
  app.addHook('onRequest', (request, reply, done) => {
    const { scope, takesBearer } = request.routeOptions.config as RouteConfig
    if (scope === undefined) return done()
    const key = takesBearer ? bearerOrKeyOf(request) : request.headers['x-api-key']
    const tokens = typeof key === 'string' ? null : takesBearer ? [] : sessionTokensOf(request)
    if (tokens?.length === 0) return done(UNAUTHORIZED)
    if (tokens !== null && !isSameOrigin(request)) return done(OF_ELSEWHERE)
    const admit = (caller: Caller | null) => {
      if (caller === null || hasExpired(caller, options.now())) {
        const refusal = tokens === null ? rejectInvalidKey(request, options) : SESSION_OVER
        return refusal instanceof Promise ? void refusal.then(done, done) : done(refusal)
      }
      request.setDecorator(CALLER, caller)
      // Before the scope is checked: forbidden requests cost work too.
      const over = rejectOverLimit(caller, options, reply)
      if (!(over instanceof Promise)) return done(over ?? refusalOf(caller, scope))
      over.then((refusal) => done(refusal ?? refusalOf(caller, scope)), done)
    }
    const caller = tokens === null ? findKeyCaller(key as string) : findAmong(tokens, findSessionCaller)
    if (caller instanceof Promise) withinRequestDeadline(request, caller).then(admit, done)
    else admit(caller)
  })
}

function findAmong(tokens: readonly string[], find: (token: string) => Found): Found {
  if (tokens.length === 1) return find(tokens[0]!)
  return Promise.all(tokens.map(async (token) => find(token))).then(onlyMatch)
}

type Found = Caller | null | Promise<Caller | null>

const UNAUTHORIZED = new ApiError('unauthorized', ACCESS_MESSAGES.api_key_invalid())
const SESSION_OVER = new ApiError('unauthorized', ACCESS_MESSAGES.session_over())
const OF_ELSEWHERE = new ApiError('unauthorized', ACCESS_MESSAGES.session_elsewhere())

/**
 * Valid keys are accepted whatever their address sent before, because all clients behind a proxy share one address. Too
 * many wrong keys from one address get 429, which is logged once a minute per address. The address is that of the
 * connection; a header could be forged by the client.
 */
export function rejectInvalidKey(
  { ip, log }: FastifyRequest,
  { spendWrongKey }: AuthenticateOptions,
): ApiError | Promise<ApiError> {
  const refusalOf = (tooMany: FailedAuthLimit | null): ApiError => {
    if (tooMany === null) return UNAUTHORIZED
    const { seconds, isFirst } = tooMany
    if (isFirst) logTransient(log, { address: ip }, 'Too many wrong keys from one address: told to wait')
    return new ApiError('too_many_wrong_keys', ACCESS_MESSAGES.api_keys_wrong({ seconds }), [], seconds)
  }
  const tooMany = spendWrongKey?.(ip) ?? null
  return tooMany instanceof Promise ? tooMany.then(refusalOf) : refusalOf(tooMany)
}

export function rejectOverLimit(
  { keyId }: Pick<Caller, 'keyId'>,
  { spendRequest }: Pick<AuthenticateOptions, 'spendRequest'>,
  reply: FastifyReply,
): ApiError | undefined | Promise<ApiError | undefined> {
  if (spendRequest === null) return undefined
  const refusalOf = ({ isOver, policy, state }: RateLimitState): ApiError | undefined => {
    void reply.header('ratelimit-policy', policy).header('ratelimit', state)
    return isOver ? TOO_MANY : undefined
  }
  const spent = spendRequest(keyId)
  return spent instanceof Promise ? spent.then(refusalOf) : refusalOf(spent)
}

const TOO_MANY = new ApiError('too_many_requests', ACCESS_MESSAGES.requests_exceeded())

function refusalOf(caller: Caller, scope: Scope | 'any'): ApiError | undefined {
  if (scope === 'any' || caller.scopes.includes(scope) || caller.scopes.includes('admin')) return undefined
  return new ApiError('missing_scope', ACCESS_MESSAGES.scope_missing({ scope }))
}

/** The caller; null if no valid key was sent. */
export const optionalCaller = (request: FastifyRequest): Caller | null => request.getDecorator<Caller | null>(CALLER)

export function callerOf(request: FastifyRequest): Caller {
  const caller = optionalCaller(request)
  if (!caller) throw new Error('A route that serves an account has to name a scope')
  return caller
}

const hasExpired = ({ expiresAt }: Caller, now: Date): boolean => expiresAt !== null && expiresAt <= now

/**
 * Found callers are cached for less than a second: long enough that a busy client costs one look-up per second, short
 * enough that a revoked key stops working within one. A key that was not found is not cached, so a new key works
 * immediately.
 */
function rememberCallers(
  find: AuthenticateOptions['findCaller'],
  isWellFormed: AuthenticateOptions['isWellFormedKey'],
  options: AuthenticateOptions,
) {
  const { now, cacheMs, cachedKeysMax, databaseMsMax, withDeadline } = options
  const remembered = new Map<string, { readonly caller: Caller; readonly cachedAt: number }>()
  const asked = new Map<string, { readonly caller: Promise<Caller | null>; readonly askedAt: number }>()
  const isFresh = (since: number): boolean => now().getTime() >= since && now().getTime() - since < cacheMs

  function ask(key: string): Promise<Caller | null> {
    const askedAt = now().getTime()
    const caller = withDeadline(performance.now() + databaseMsMax, () => find(key)).finally(() => {
      if (asked.get(key)?.askedAt === askedAt) asked.delete(key)
    })
    asked.set(key, { caller, askedAt })
    return caller.then((found) => {
      if (remembered.size >= cachedKeysMax) remembered.clear()
      if (found) remembered.set(key, { caller: found, cachedAt: askedAt })
      else remembered.delete(key)
      return found
    })
  }

  return (key: string): Found => {
    const known = remembered.get(key)
    if (known && isFresh(known.cachedAt)) return known.caller
    if (!isWellFormed(key)) return null
    // One look-up serves all concurrent requests, but a slow look-up must not be reused after a revocation.
    const inFlight = asked.get(key)
    return inFlight && isFresh(inFlight.askedAt) ? inFlight.caller : ask(key)
  }
}
