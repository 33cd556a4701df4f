// What a client may get: JSON, or the other types that a route answers; one that rules that out is told so.
import acceptsPlugin from '@fastify/accepts'
import type { FastifyContextConfig, FastifyInstance, FastifyRequest } from 'fastify'
import { ApiError } from '../../contract/errors.ts'

interface RouteConfig {
  readonly mediaType?: string
  readonly otherTypes?: readonly string[]
}

/** What a route says of itself that answers something other than JSON, or by its parameters other types, too. */
export const producing = (mediaType: string | undefined, otherTypes?: readonly string[]): FastifyContextConfig =>
  ({ mediaType, otherTypes }) as FastifyContextConfig & RouteConfig

/** Of a file, as which anything other than JSON is answered. */
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
    // Parameters of a media type have to match in negotiation, and clients send ours with its character set or without.
    if (request.accepts().type([...types, ...types.map((type) => `${type}; charset=utf-8`)]) !== false) return done()
    done(new ApiError('not_acceptable', `The answer is ${types.join(' or ')}, which the header Accept rules out`))
  })
}
