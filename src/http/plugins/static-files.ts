// Files that are the same for everybody, from memory: each as one Buffer, which no answer copies.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { isNotModified } from './conditional-requests.ts'

const ENCODINGS = ['br', 'gzip', 'identity'] as const
export type Encoding = (typeof ENCODINGS)[number]

export interface StaticFile {
  readonly type: string
  readonly etag: string
  /** As it is, and compressed beforehand. */
  readonly bodies: Readonly<Partial<Record<Encoding, Buffer>> & { readonly identity: Buffer }>
}

export function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  { type, etag, bodies }: StaticFile,
  cacheControl = 'no-cache',
): FastifyReply {
  void reply.header('cache-control', cacheControl).header('etag', etag).header('vary', 'Accept-Encoding')
  if (isNotModified(request, etag)) return reply.code(304).send()
  // The smallest that the client takes, whichever it names first.
  const encoding = ENCODINGS.find((one) => bodies[one] && request.accepts().encoding([one]) !== false) ?? 'identity'
  if (encoding !== 'identity') void reply.header('content-encoding', encoding)
  return reply.type(type).send(bodies[encoding])
}
