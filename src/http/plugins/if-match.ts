// The header If-Match: the versions that a client knows of what it changes.
import { invalidRequest } from '../../contract/errors.ts'
import { PROTOCOL_MESSAGES } from '../messages.ts'

/** A member of the request, as problems name it. */
export const IF_MATCH = 'If-Match'

/**
 * The tags in If-Match, without their quotation marks; null for any. A weak tag never matches (RFC 9110, 13.1.1).
 * @throws ApiError where the header is no list of tags
 */
export function tagsIn(header: string): readonly string[] | null {
  if (header.trim() === '*') return null
  const sent = header.split(',').map((tag) => tag.trim())
  const tags = sent.filter((tag) => tag !== '').map((tag) => /^(W\/)?"([^"]*)"$/.exec(tag))
  if (tags.length === 0 || !tags.every((tag) => tag !== null))
    throw invalidRequest([{ path: IF_MATCH, ...PROTOCOL_MESSAGES.if_match_invalid() }])
  return tags.flatMap(([, weak, tag]) => (weak === undefined ? [tag!] : []))
}
