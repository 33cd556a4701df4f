// Whether a request comes from a page of this service: other pages must not use what a cookie permits.
import type { FastifyRequest } from 'fastify'

const READING = ['GET', 'HEAD']

/**
 * Browsers state where a request comes from: with Sec-Fetch-Site on trusted connections, with Origin on all requests
 * that may write. A read without either is a typed address or a download, whose response no other page can see; in
 * addition, the cookie is not sent from other sites (SameSite).
 */
export function isSameOrigin({ method, headers }: FastifyRequest): boolean {
  const isReading = READING.includes(method)
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin' || (site === 'none' && isReading)
  if (headers.origin === undefined) return isReading
  return URL.canParse(headers.origin) && new URL(headers.origin).host === headers.host
}

/** Whether the page itself was loaded over HTTPS, as stated by the browser: no proxy has to forward that. */
export const isHttpsOrigin = ({ headers }: FastifyRequest): boolean =>
  headers.origin?.startsWith('https:') ?? headers['x-forwarded-proto'] === 'https'
