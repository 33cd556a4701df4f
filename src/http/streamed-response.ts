// An answer that a process beside the service makes, and that is handed on as it comes.
import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'

export interface StreamedResponse {
  readonly head: ResponseHead
  readonly pieces: AsyncGenerator<Uint8Array>
}

/** What is told of an answer before its first piece. */
export interface ResponseHead {
  /** Which stay in memory until the last piece is taken; 0 for none. */
  readonly groups: number
  readonly headers: Readonly<Record<string, string>>
}

/** No faster than they are taken. */
export const sendStreamedResponse = ({ head, pieces }: StreamedResponse, reply: FastifyReply): FastifyReply =>
  reply.headers(head.headers).send(Readable.from(pieces, { objectMode: false }))
