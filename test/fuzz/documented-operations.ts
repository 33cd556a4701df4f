// The operations of the OpenAPI document, as a fuzzer needs them: parameters, bodies, and what may be answered.
import type { Json, OpenApi } from '../document-check.ts'

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly schema: Json
  readonly example?: unknown
}

export interface Operation {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly parameters: readonly Parameter[]
  /** What a key needs to do it; null where none is asked for. */
  readonly scope: string | null
  /** The schema of the body; null where none is sent. */
  readonly body: Json | null
  /** The first example of the body; of a file of figures, that of one of them. Null where there is none. */
  readonly example: Json | null
  /** Takes a file in place of a body. */
  readonly takesFile: boolean
  readonly statuses: readonly number[]
}

interface Described {
  readonly operationId: string
  readonly description: string
  readonly parameters: readonly Parameter[]
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema: Json; readonly example?: unknown }>>
  }
  readonly responses: Json
}

export const operationsOf = ({ paths }: OpenApi): readonly Operation[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) =>
      toOperation(method.toUpperCase(), path, described as unknown as Described, paths),
    ),
  )

/** A file of figures has several of those that are sent alone to the same path with an id. */
const ofFigure = (paths: OpenApi['paths'], path: string) =>
  (paths[`${path}/{id}`]?.['put'] as unknown as Described | undefined)?.requestBody

function toOperation(method: string, path: string, described: Described, paths: OpenApi['paths']): Operation {
  const { operationId: id, parameters, requestBody, responses } = described
  const isOfFigures = requestBody !== undefined && 'text/csv' in requestBody.content
  const { example } = (isOfFigures ? ofFigure(paths, path) : requestBody)?.content['application/json'] ?? {}
  return {
    id,
    method,
    path,
    parameters,
    scope: /the scope `([\w:]+)`/.exec(described.description)?.[1] ?? null,
    body: requestBody?.content['application/json']?.schema ?? null,
    example: (example as Json | undefined) ?? null,
    takesFile: requestBody !== undefined && !('application/json' in requestBody.content),
    statuses: Object.keys(responses).map(Number),
  }
}

/** A schema with its reference followed. */
export function resolve(schema: Json, { components }: OpenApi): Json {
  const { $ref } = schema
  if (typeof $ref !== 'string') return schema
  return components.schemas[$ref.slice($ref.lastIndexOf('/') + 1)]!
}
