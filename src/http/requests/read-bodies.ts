// How bodies are read: one kind of them, strictly; any other is refused before it is read.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { PROBLEMS_MAX } from '../../engine/order-problems.ts'
import { Failure, invalid } from './failure.ts'
import { readJson } from './read-json.ts'

export function readBodies(app: FastifyInstance, jsonNestingMax: number): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    const refusal = encodingRefusal(request)
    if (refusal) return done(refusal)
    if (body.length === 0) return done(null, undefined)
    const read = readJson(body as Buffer, { nestingMax: jsonNestingMax, problemsMax: PROBLEMS_MAX })
    if (read.ok) done(null, read.value)
    else done(invalid(read.problems))
  })
}

function encodingRefusal({ headers }: FastifyRequest): Failure | null {
  const charset = /;\s*charset\s*=\s*"?([^";\s]*)/i.exec(headers['content-type'] ?? '')?.[1]
  if (charset !== undefined && !/^utf-?8$/i.test(charset)) {
    return new Failure('unsupported_media_type', `JSON is sent in UTF-8, not in ${charset.slice(0, 40)}`)
  }
  const encoding = headers['content-encoding']
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    return new Failure('unsupported_media_type', 'A body is sent without content encoding')
  }
  return null
}
