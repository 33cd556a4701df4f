// The identifier of a request in its response, in error bodies and in the log: the client's own if it is well-formed.
import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

/**
 * UUIDs, ULIDs, trace ids and the ids of proxies. No character has a meaning in a header, in JSON, in HTML or in a
 * shell; a header that was sent twice has a comma.
 */
const WELL_FORMED = /^[\w.:=-]{1,128}$/

/** Anything else that the client sent is replaced, not cut: half an identifier would be found nowhere. */
export function requestIdOf({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const sent = headers['x-request-id']
  return typeof sent === 'string' && WELL_FORMED.test(sent) ? sent : randomUUID()
}
