// The header Vary: the request headers on which a response depends, for caches.
import type { FastifyReply } from 'fastify'

/** Adds a request header; others may have been named by another plugin. */
export function addVary(reply: FastifyReply, name: string): void {
  const named = reply.getHeader('vary')
  void reply.header('vary', named === undefined ? name : `${String(named)}, ${name}`)
}
