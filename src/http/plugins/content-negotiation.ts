// Content negotiation: a request gets 406 if its Accept header excludes all types that the route can answer with.
import acceptsPlugin from '@fastify/accepts'
import type { FastifyContextConfig, FastifyInstance, FastifyRequest } from 'fastify'
import { ApiError } from '../../contract/errors.ts'
import { PROTOCOL_MESSAGES } from '../messages.ts'

interface RouteConfig {
  readonly mediaType?: string
  readonly otherTypes?: readonly string[]
}

/** Route configuration for a response other than JSON, or for further types that parameters can select. */
export const producing = (mediaType: string | undefined, otherTypes?: readonly string[]): FastifyContextConfig =>
  ({ mediaType, otherTypes }) as FastifyContextConfig & RouteConfig

/** True for routes that answer with a file, that is, with anything other than JSON. */
export const producesFile = ({ routeOptions }: FastifyRequest): boolean =>
  (routeOptions.config as RouteConfig).mediaType !== undefined

const JSON_MEDIA_TYPE = 'application/json'

export async function negotiateContent(app: FastifyInstance): Promise<void> {
  await app.register(acceptsPlugin)
  app.addHook('onRequest', (request, _, done) => {
    const { accept } = request.headers
    if (accept === undefined || accept === '*/*' || !request.url.startsWith('/api/')) return done()
    const { mediaType = JSON_MEDIA_TYPE, otherTypes = [] } = request.routeOptions.config as RouteConfig
    const types = [mediaType, ...otherTypes]
    // Parameters of a media type have to match in negotiation, and clients send ours with or without a charset.
    if (request.accepts().type([...types, ...types.map((type) => `${type}; charset=utf-8`)]) !== false) return done()
    done(new ApiError('not_acceptable', PROTOCOL_MESSAGES.accept_excludes({ types })))
  })
}
