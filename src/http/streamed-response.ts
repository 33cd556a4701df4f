// A response that a worker generates and that is forwarded as it arrives.
import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'

export interface StreamedResponse {
  readonly head: ResponseHead
  readonly pieces: AsyncGenerator<Uint8Array>
}

/** Metadata of a response, sent before its first piece. */
export interface ResponseHead {
  /** Number of groups that stay in memory until the last piece is read; 0 for none. */
  readonly groups: number
  readonly headers: Readonly<Record<string, string>>
}

/** Pieces are requested no faster than the client reads them. */
export const sendStreamedResponse = ({ head, pieces }: StreamedResponse, reply: FastifyReply): FastifyReply =>
  reply.headers(head.headers).send(Readable.from(pieces, { objectMode: false }))
