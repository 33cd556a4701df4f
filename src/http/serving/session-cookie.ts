// The cookie by which the console is known after it signed in.
import type { FastifyRequest } from 'fastify'
import { isHttpsOrigin } from './own-page.ts'

const PLAIN = 'cradle_session'
/** Browsers let only the host itself set a cookie of such a name, and only encrypted: no subdomain, no other port. */
const ENCRYPTED = `__Host-${PLAIN}`

const TOKEN = /^[\w-]{43}$/
/** Whoever sends more of them than that has none. */
const TOKENS_MAX = 8

/**
 * What cookies of the right name hold, mostly one. Over HTTP pages on other ports of the host can set cookies, too:
 * which one is the session's has to be looked up, and none is taken on trust for coming first.
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

/** The only one that was found: of two sessions neither is taken for the user's. */
export function onlyFound<Found>(found: readonly (Found | null)[]): Found | null {
  const there = found.filter((one) => one !== null)
  return there.length === 1 ? there[0]! : null
}

/** The header `Set-Cookie` by which the page keeps a token for so long. */
export const sessionCookie = (request: FastifyRequest, token: string, seconds: number): string => {
  const manners = `Path=/; HttpOnly; SameSite=Strict; Max-Age=${seconds}`
  return isHttpsOrigin(request) ? `${ENCRYPTED}=${token}; ${manners}; Secure` : `${PLAIN}=${token}; ${manners}`
}
