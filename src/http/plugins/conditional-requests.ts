// Conditional responses: 304 if the version that the client has is current.
import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { JSON_TYPE } from '../../strict-json/json-number.ts'
import { addVary } from './vary.ts'

/** The entity tag of a text. Weak, since the same response is sent compressed or uncompressed. */
export const entityTag = (text: string | Buffer): string => `W/"${hash('sha256', text, 'base64url').slice(0, 27)}"`

/** Whether the client has this version: If-None-Match, compared weakly (RFC 9110, 13.1.2). */
export function isNotModified({ headers }: FastifyRequest, etag: string): boolean {
  const sent = headers['if-none-match']
  if (sent === undefined) return false
  const opaque = etag.replace(/^W\//, '')
  return sent.trim() === '*' || sent.split(',').some((one) => one.trim().replace(/^W\//, '') === opaque)
}

/** OpenAPI descriptions of the headers that sendConditionally() sends. */
export const CONDITIONAL_HEADERS = {
  ETag: 'Names this version of the answer, for If-None-Match.',
  'Cache-Control': 'That a client may keep it, and asks each time whether it still holds.',
}

/** Sends JSON that only the client may cache and must revalidate each time; 304 if it has this version. */
export function sendConditionally(
  request: FastifyRequest,
  reply: FastifyReply,
  etag: string,
  makeText: () => string,
): FastifyReply {
  void reply.header('etag', etag).header('cache-control', 'private, no-cache')
  return isNotModified(request, etag) ? sendNotModified(reply) : reply.type(JSON_TYPE).send(makeText())
}

/** With the header Vary of the response that the client has. */
export function sendNotModified(reply: FastifyReply): FastifyReply {
  addVary(reply, 'Accept-Encoding')
  return reply.code(304).send()
}
