// Health checks, without a key: whether the process serves, and whether the service can do its work.
import Type from 'typebox'
import type { Readiness } from '../../postgres/health.ts'
import { namedSchema, schemaRef } from '../../contract/named-schema.ts'
import { JSON_TYPE } from '../../strict-json/json-number.ts'
import { ApiError } from '../../contract/errors.ts'
import { sendError } from '../errors.ts'
import type { RouteDefinition } from '../route-definition.ts'
import { parseQuery } from '../parameters.ts'
import type { Message } from '../../engine/message.ts'
import { SERVICE_MESSAGES } from '../messages.ts'

export interface HealthOptions {
  readonly checkReady: () => Promise<Readiness>
  readonly retryAfterSeconds: number
}

export const Health = namedSchema(
  'Health',
  Type.Object({ status: Type.Union([Type.Literal('live'), Type.Literal('ready')]) }),
)

/** Sent to any caller, so the messages name the part that fails but not its location. */
const NOT_READY = {
  database: SERVICE_MESSAGES.not_ready_database(),
  schema: SERVICE_MESSAGES.not_ready_schema(),
  workers: SERVICE_MESSAGES.not_ready_workers(),
} as const satisfies Record<Exclude<Readiness, 'ready'>, Message>

const MANNERS = { method: 'GET', tag: 'Operation', scope: null, query: {} } as const

const NOT_KEPT = { 'Cache-Control': 'Prevents caches from storing the response.' }

export function healthOperations({ checkReady, retryAfterSeconds }: HealthOptions): readonly RouteDefinition[] {
  return [
    {
      ...MANNERS,
      id: 'getLiveness',
      path: '/livez',
      summary: 'Check whether the process serves requests',
      description: 'Does not query the database. A process that answers this needs no restart.',
      answer: {
        description: 'The process serves requests.',
        schema: schemaRef(Health),
        example: { status: 'live' },
        headers: NOT_KEPT,
      },
      failures: ['invalid_request'],
      handle: (request, reply) => {
        parseQuery(request.query, {})
        return reply.type(JSON_TYPE).send('{"status":"live"}')
      },
    },
    {
      ...MANNERS,
      id: 'getReadiness',
      path: '/readyz',
      summary: 'Check whether the service can take orders',
      description:
        'The service is ready if the database answers within a second and has the schema of this release, and if all ' +
        'workers serve. Otherwise, `error` says which of these fails.',
      answer: {
        description: 'The service is ready.',
        schema: schemaRef(Health),
        example: { status: 'ready' },
        headers: NOT_KEPT,
      },
      failures: ['invalid_request'],
      handle: async (request, reply) => {
        parseQuery(request.query, {})
        const readiness = await checkReady()
        // Answered here instead of thrown, because probes run every second and would fill the log.
        if (readiness !== 'ready') {
          return sendError(reply, new ApiError('unavailable', NOT_READY[readiness]), retryAfterSeconds)
        }
        return reply.type(JSON_TYPE).send('{"status":"ready"}')
      },
    },
  ]
}
