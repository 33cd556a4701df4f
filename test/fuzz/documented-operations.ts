// The operations of the OpenAPI document, as a fuzzer needs them: parameters, bodies, and what may be answered.
import type { Json, OpenApi } from '../document-check.ts'

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly schema: Json
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
  /** Takes a file in place of a body. */
  readonly takesFile: boolean
  readonly statuses: readonly number[]
}

interface Described {
  readonly operationId: string
  readonly description: string
  readonly parameters: readonly Parameter[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Json }>> }
  readonly responses: Json
}

export const operationsOf = ({ paths }: OpenApi): readonly Operation[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) =>
      toOperation(method.toUpperCase(), path, described as unknown as Described),
    ),
  )

function toOperation(method: string, path: string, described: Described): Operation {
  const { operationId: id, parameters, requestBody, responses } = described
  return {
    id,
    method,
    path,
    parameters,
    scope: /the scope `([\w:]+)`/.exec(described.description)?.[1] ?? null,
    body: requestBody?.content['application/json']?.schema ?? null,
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
