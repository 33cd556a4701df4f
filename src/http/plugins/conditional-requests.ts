// Answers that depend on a release alone: a client that has one asks whether it still holds, and gets 304.
import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { JSON_TYPE } from '../../strict-json/json-number.ts'

/** Names what is said by a text. Weak, since one answer is sent compressed or plain. */
export const entityTag = (text: string | Buffer): string => `W/"${hash('sha256', text, 'base64url').slice(0, 27)}"`

/** Whether the client has this version: If-None-Match, compared weakly (RFC 9110, 13.1.2). */
export function isNotModified({ headers }: FastifyRequest, etag: string): boolean {
  const sent = headers['if-none-match']
  if (sent === undefined) return false
  const opaque = etag.replace(/^W\//, '')
  return sent.trim() === '*' || sent.split(',').some((one) => one.trim().replace(/^W\//, '') === opaque)
}

/** What an operation says of the headers that sendConditionally() sends. */
export const CONDITIONAL_HEADERS = {
  ETag: 'Names this version of the answer, for If-None-Match.',
  'Cache-Control': 'That a client may keep it, and asks each time whether it still holds.',
}

/** JSON that the client alone may keep, as long as it asks each time; 304 where it has this version. */
export function sendConditionally(
  request: FastifyRequest,
  reply: FastifyReply,
  etag: string,
  makeText: () => string,
): FastifyReply {
  void reply.header('etag', etag).header('cache-control', 'private, no-cache')
  return isNotModified(request, etag) ? reply.code(304).send() : reply.type(JSON_TYPE).send(makeText())
}
