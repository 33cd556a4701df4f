// Whether a request comes from a page of this service: what a cookie allows, no page of elsewhere may ask for.
import type { FastifyRequest } from 'fastify'

const READING = ['GET', 'HEAD']

/**
 * Browsers say where a request comes from: by Sec-Fetch-Site on connections that they trust, by Origin on whatever may
 * write. Reading without either is a typed address or a download, whose answer no page of elsewhere gets to see; the
 * cookie is not sent from elsewhere besides (SameSite).
 */
export function isSameOrigin({ method, headers }: FastifyRequest): boolean {
  const isReading = READING.includes(method)
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin' || (site === 'none' && isReading)
  if (headers.origin === undefined) return isReading
  return URL.canParse(headers.origin) && new URL(headers.origin).host === headers.host
}

/** Whether the page itself came encrypted, by the browser's own word: no proxy has to pass that on. */
export const isHttpsOrigin = ({ headers }: FastifyRequest): boolean =>
  headers.origin?.startsWith('https:') ?? headers['x-forwarded-proto'] === 'https'
