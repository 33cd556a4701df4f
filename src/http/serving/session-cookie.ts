// The cookie by which the console is known after it signed in.
import type { FastifyRequest } from 'fastify'

export const SESSION_COOKIE = 'cradle_session'
const COOKIE = new RegExp(`(?:^|;\\s*)${SESSION_COOKIE}=([\\w-]{43})(?:;|$)`)

/** What the cookie holds; null where there is none of its form. */
export const sessionTokenOf = ({ headers }: FastifyRequest): string | null =>
  COOKIE.exec(headers.cookie ?? '')?.[1] ?? null
