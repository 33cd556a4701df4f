// Cross-origin requests (CORS): which pages of other origins may read responses of the API. None by default.
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'

const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE'
const REQUEST_HEADERS =
  'X-API-Key, Content-Type, Content-Encoding, If-Match, If-None-Match, X-Request-Id, traceparent, tracestate'
/** A page can read no other headers than these and those that every page can. */
const EXPOSED =
  'X-Request-Id, ETag, Retry-After, Link, Location, Allow, Content-Disposition, Dataset-Release, ' +
  'Idempotent-Replayed, Order-Corrected, X-Ignored-Members, Warnings, RateLimit, RateLimit-Policy'
/** The longest time for which Chrome keeps the answer to a preflight request. */
const PREFLIGHT_SECONDS = 7_200

const NO_HEADERS: Readonly<Record<string, string>> = {}

/** The headers of a response that concern pages of other origins. */
export type CrossOriginHeaders = (request: IncomingMessage) => Readonly<Record<string, string>>

/** The console and the reference page are only for pages of this service, and so are sign-in and its cookie. */
const isOfApi = (url: string): boolean => url.startsWith('/api/') || url.startsWith('/openapi.json')

/**
 * `Access-Control-Allow-Credentials` is never sent: a page of another origin sends a key of its own, and no cookie of
 * the console.
 * @param origins exact origins, like https://shop.example
 */
export function createCrossOriginHeaders(origins: readonly string[]): CrossOriginHeaders {
  if (origins.length === 0) return () => NO_HEADERS
  const byOrigin = new Map(
    origins.map((origin) => [
      origin,
      { vary: 'Origin', 'access-control-allow-origin': origin, 'access-control-expose-headers': EXPOSED },
    ]),
  )
  // Also without Origin: a cache must not give that response to a page.
  const ofOthers = { vary: 'Origin' }
  return ({ url, headers: { origin } }) =>
    isOfApi(url!) ? ((origin === undefined ? undefined : byOrigin.get(origin)) ?? ofOthers) : NO_HEADERS
}

/** Answers preflight requests of the listed origins before a key is required: browsers send none with them. */
export function answerPreflights(app: FastifyInstance, headersOf: CrossOriginHeaders): void {
  app.addHook('onRequest', ({ raw }, reply, done) => {
    const headers = headersOf(raw)
    void reply.headers(headers)
    const isPreflight = raw.method === 'OPTIONS' && raw.headers['access-control-request-method'] !== undefined
    if (!isPreflight || !('access-control-allow-origin' in headers)) return done()
    void reply
      .code(204)
      .header('access-control-allow-methods', METHODS)
      .header('access-control-allow-headers', REQUEST_HEADERS)
      .header('access-control-max-age', String(PREFLIGHT_SECONDS))
      .send()
  })
}
