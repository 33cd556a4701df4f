// Static files served from memory: each is one Buffer, which no response copies.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { isNotModified } from './conditional-requests.ts'
import { addVary } from './vary.ts'

const ENCODINGS = ['br', 'gzip', 'identity'] as const
export type Encoding = (typeof ENCODINGS)[number]

export interface StaticFile {
  readonly type: string
  readonly etag: string
  /** Uncompressed, and compressed in advance. */
  readonly bodies: Readonly<Partial<Record<Encoding, Buffer>> & { readonly identity: Buffer }>
}

export function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  { type, etag, bodies }: StaticFile,
  cacheControl = 'no-cache',
): FastifyReply {
  void reply.header('cache-control', cacheControl).header('etag', etag)
  addVary(reply, 'Accept-Encoding')
  if (isNotModified(request, etag)) return reply.code(304).send()
  // The smallest encoding that the client accepts, whatever the order in its header.
  const encoding = ENCODINGS.find((one) => bodies[one] && request.accepts().encoding([one]) !== false) ?? 'identity'
  if (encoding !== 'identity') void reply.header('content-encoding', encoding)
  return reply.type(type).send(bodies[encoding])
}
