// A tool: one question or action, answered by operations of the API.
import type { NamedSchema } from '../contract/named-schema.ts'
import type { ApiOperation, Ask } from './api.ts'

/** An object of JSON whose members are not known. */
export type Json = Readonly<Record<string, unknown>>
export type JsonSchema = Json
export type Arguments = Json

export interface Tool {
  readonly name: string
  readonly title: string
  /** When to use it, when not, an example and limits. */
  readonly description: string
  /** The operation whose parameters or body it takes; the key needs its scope. */
  readonly operation: string
  /** Which query parameters of the operation it takes. */
  readonly parameters?: readonly string[]
  /** Arguments that the operation does not have, or that it describes otherwise. */
  readonly ownArguments?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  /** False for a tool that stores something. */
  readonly isReadOnly: boolean
  /** @returns the structured content @throws Refusal */
  readonly call: (args: Arguments, ask: Ask) => Promise<object>
}

/** More values of a list than anyone compares at a time. */
const VALUES_MAX = 100

/** The input schema of a tool, from what the operation itself takes. */
export function inputSchemaOf(tool: Tool, operation: ApiOperation, schemas: readonly NamedSchema[]): JsonSchema {
  if (operation.body) return bundle(operation.body.schema, schemas)
  const { pathParameters = {}, query } = operation
  const inPath = Object.entries(pathParameters).map(([name, { description, example }]) => [
    name,
    { type: 'string', minLength: 1, maxLength: 200, description, examples: [example] },
  ])
  const inQuery = (tool.parameters ?? []).map((name) => {
    const { description, schema } = query[name]!
    return [name, { ...schema, ...(schema['type'] === 'array' && { maxItems: VALUES_MAX }), description }]
  })
  return {
    type: 'object',
    properties: { ...(Object.fromEntries([...inPath, ...inQuery]) as object), ...tool.ownArguments },
    required: tool.required ?? Object.keys(pathParameters),
    additionalProperties: false,
  }
}

/**
 * What is checked before the operation is called: the names of the arguments, and the values that the operation does
 * not check. The rest is left to the operation, whose messages say more.
 */
export function checkedSchemaOf({ parameters = [] }: Tool, inputSchema: JsonSchema): JsonSchema {
  const left = Object.fromEntries(parameters.map((name) => [name, {}]))
  return { ...inputSchema, properties: { ...(inputSchema['properties'] as object), ...left } }
}

/** A named schema with all schemas that it references, as one document of JSON Schema. */
function bundle(schema: NamedSchema, schemas: readonly NamedSchema[]): JsonSchema {
  const byId = new Map(schemas.map((one) => [one.$id, one]))
  const definitions = new Map<string, unknown>()
  const localise = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(localise)
    if (typeof value !== 'object' || value === null) return value
    const entries = Object.entries(value)
      // OpenAPI's own keyword.
      .filter(([name]) => name !== '$id' && name !== 'discriminator')
      .map(([name, member]) => [name, name === '$ref' ? refer(String(member)) : localise(member)])
    return Object.fromEntries(entries) as unknown
  }
  const refer = (reference: string): string => {
    const id = reference.replace(/#$/, '')
    if (!definitions.has(id)) {
      definitions.set(id, null)
      definitions.set(id, localise(byId.get(id)))
    }
    return `#/$defs/${id}`
  }
  const root = localise(schema) as object
  return { ...root, ...(definitions.size > 0 && { $defs: Object.fromEntries(definitions) }) }
}
