// An operation: one route with everything that the server, the validator and the OpenAPI document need to know.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import Type, { type TSchema } from 'typebox'
import type { Scope } from '../postgres/accounts.ts'
import { requireScope } from './plugins/authentication.ts'
import type { NamedSchema } from '../contract/named-schema.ts'
import { ApiError, type ApiErrorCode } from '../contract/errors.ts'
import { WITH_SECRET } from './plugins/compression.ts'
import { producing } from './plugins/content-negotiation.ts'
import { operationLabel } from '../observability/request-metrics.ts'
import type { Parameters } from './parameters.ts'
import type { TAGS } from './plugins/openapi-tags.ts'
import { acceptingFiles } from './plugins/file-routes.ts'
import { PROTOCOL_MESSAGES } from './messages.ts'

export interface RouteDefinition {
  readonly id: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** With path parameters in braces, as in OpenAPI. */
  readonly path: string
  readonly summary: string
  readonly description: string
  readonly tag: keyof typeof TAGS
  /** The scope that the key must have; null where no key is required. */
  readonly scope: Scope | null
  readonly pathParameters?: Readonly<Record<string, { readonly description: string; readonly example: string }>>
  readonly query: Parameters
  /** Headers of the request, each with its description, and whether it is required. */
  readonly requestHeaders?: Readonly<
    Record<string, { readonly description: string; readonly isRequired: boolean; readonly example: string }>
  >
  readonly body?: {
    readonly schema: NamedSchema
    readonly example: unknown
    /** Further examples by name, where there are several kinds of bodies; `example` is then the first of them. */
    readonly others?: Readonly<Record<string, unknown>>
  }
  /** A file instead of a JSON body; it is passed to the handler as a stream. */
  readonly upload?: { readonly types: readonly string[]; readonly description: string }
  readonly answer: {
    /** 200 by default. */
    readonly status?: 200 | 202
    /** JSON by default. */
    readonly mediaType?: string
    /** The media types that the parameter `format` may select instead, with their schemas. */
    readonly otherTypes?: Readonly<Record<string, TSchema>>
    readonly description: string
    readonly schema: TSchema
    readonly example: unknown
    readonly headers?: Readonly<Record<string, string>>
    /** The answer is sent by sendConditionally(): a client that has the current version gets 304. */
    readonly isValidated?: true
    /** The answer has an ETag and is 304 for a client that sends it in If-None-Match, but no cache may keep it. */
    readonly hasTag?: true
  }
  /** The answer has a secret, and is never compressed. */
  readonly hasSecret?: true
  readonly failures: readonly ApiErrorCode[]
  readonly handle: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply> | FastifyReply
}

/** A file as bytes, without a further schema. */
export const FILE = Type.Unsafe<string>({ type: 'string', format: 'binary' })

export const asFiles = (mediaTypes: readonly string[]): Readonly<Record<string, TSchema>> =>
  Object.fromEntries(mediaTypes.map((mediaType) => [mediaType, FILE]))

/** Registers the operations, and answers 405 with `Allow` for every other method on their paths. */
export function registerRoutes(app: FastifyInstance, operations: readonly RouteDefinition[]): void {
  for (const { id, method, path, scope, upload, answer, hasSecret, handle } of operations) {
    const config = {
      ...operationLabel(id),
      ...(scope !== null && requireScope(scope)),
      ...(upload && acceptingFiles(upload.types)),
      ...(hasSecret && WITH_SECRET),
      ...producing(answer.mediaType, Object.keys(answer.otherTypes ?? {})),
    }
    app.route({ method, url: toRoute(path), config, handler: handle })
  }
  for (const [path, allowed] of methodsByPath(operations)) {
    const others = app.supportedMethods.filter((method) => !allowed.includes(method))
    app.route({
      method: others,
      url: toRoute(path),
      // Answered before the body is read, so that errors in the body do not take precedence.
      onRequest: (_, reply, done) => {
        void reply.header('allow', allowed.join(', '))
        done(new ApiError('method_not_allowed', PROTOCOL_MESSAGES.method_unknown({ methods: allowed })))
      },
      handler: () => undefined,
    })
  }
}

/** The methods of each path. A GET route also answers HEAD. */
function methodsByPath(operations: readonly RouteDefinition[]): ReadonlyMap<string, readonly string[]> {
  const byPath = Map.groupBy(operations, ({ path }) => path)
  return new Map(
    [...byPath].map(([path, those]) => [
      path,
      those.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method])),
    ]),
  )
}

const toRoute = (path: string): string => path.replace(/\{(\w+)\}/g, ':$1')
