// Who is asking: the API key of a request becomes its caller, or one and the same 401.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Caller, Scope } from '../postgres/accounts.ts'
import { Failure } from './failure.ts'

export interface AuthenticateOptions {
  /** The caller of a key that has the right form, or null. May throw when the database cannot be asked. */
  readonly findCaller: (key: string) => Promise<Caller | null>
  readonly isWellFormedKey: (key: string) => boolean
  readonly now: () => Date
  readonly cacheMs: number
  readonly cachedKeysMax: number
}

/** What a route says of itself: the scope that it asks for. A route without one is open to all. */
export interface RouteConfig { readonly scope?: Scope }

const CALLER = 'caller'

/** Asks for the key before anything of the body is read, on every route that names a scope. */
export function authenticate(app: FastifyInstance, options: AuthenticateOptions): void {
  const findCaller = rememberCallers(options)
  app.decorateRequest(CALLER, null)
  app.addHook('onRequest', async (request) => {
    const { scope } = request.routeOptions.config as RouteConfig
    if (scope === undefined) return
    const key = request.headers['x-api-key']
    const caller = typeof key === 'string' && options.isWellFormedKey(key) ? await findCaller(key) : null
    if (caller === null || hasExpired(caller, options.now())) {
      throw new Failure('unauthorized', 'The API key is missing or invalid; send it in the header X-API-Key')
    }
    if (!caller.scopes.includes(scope) && !caller.scopes.includes('admin')) {
      throw new Failure('missing_scope', `The API key lacks the scope "${scope}"`)
    }
    request.setDecorator(CALLER, caller)
  })
}

export function accountOf(request: FastifyRequest): number {
  const caller = request.getDecorator<Caller | null>(CALLER)
  if (!caller) throw new Error('A route that serves an account has to name a scope')
  return caller.accountId
}

const hasExpired = ({ expiresAt }: Caller, now: Date): boolean => expiresAt !== null && expiresAt <= now

/**
 * Found callers are kept for less than a second: long enough that a busy client costs one look-up a second, short
 * enough that a revoked key stops within one. A key that was not found is not kept, so a new one works at once.
 */
function rememberCallers({ findCaller, now, cacheMs, cachedKeysMax }: AuthenticateOptions) {
  const remembered = new Map<string, { readonly caller: Promise<Caller | null>, readonly foundAt: number }>()
  return (key: string): Promise<Caller | null> => {
    const time = now().getTime()
    const known = remembered.get(key)
    if (known && time >= known.foundAt && time - known.foundAt < cacheMs) return known.caller
    if (remembered.size >= cachedKeysMax) remembered.clear()
    const caller = findCaller(key)
    remembered.set(key, { caller, foundAt: time })
    const forget = () => { if (remembered.get(key)?.caller === caller) remembered.delete(key) }
    caller.then((found) => { if (!found) forget() }, forget)
    return caller
  }
}
