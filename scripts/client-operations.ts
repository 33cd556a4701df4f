// What clients know of each operation: method, path and how it is sent, and for TypeScript the types of its method.
import { nameOf, typeOf, type Schema } from './client-types.ts'

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required?: boolean
  readonly schema: Schema
}

type Content = Readonly<Record<string, { readonly schema?: Schema }>>

interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content: Content }
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>
}

/** What this script reads of the OpenAPI document. */
export interface Document {
  readonly info: { readonly 'x-program-version': string }
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

/**
 * The POSTs that may be sent again when nobody knows what became of the first one: what they store is stored once, by
 * ids or by equal content, and an estimate stores nothing. Each of the others does something more every time: another
 * import, key, closing, preview or demo key; after an erasure, the name is not found any more.
 */
const REPEATABLE_POSTS = new Set([
  'createOrder',
  'createOrders',
  'createOrderEvent',
  'createDeviceEvent',
  'createEvents',
  'createEstimate',
  'computeScenario',
  'applyRestatement',
  'importOwnDeviceModels',
  'importOwnTransportations',
  'importOwnPackagings',
  'importOwnLifetimes',
  'importOwnGridFactors',
  'importOwnGridMonths',
  'importOwnResidualMixFactors',
  'importOwnGridLossShares',
  'importOwnInstruments',
])

export const JSON_TYPE = 'application/json'

export interface Found extends Operation {
  readonly method: string
  readonly path: string
}

export const operationsOf = ({ paths }: Document): readonly Found[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path })),
  )

/** The table that the client sends requests by. */
export function writeTable(document: Document): string {
  const operations = operationsOf(document)
  const missing = [...REPEATABLE_POSTS].filter((id) => !operations.some(({ operationId }) => operationId === id))
  if (missing.length > 0) throw new Error(`The document has no operation ${missing.join(', ')}`)
  const lines = operations.map((one) => `  ${one.operationId}: '${rowOf(one, document)}',\n`)
  const version = `export const VERSION = '${document.info['x-program-version']}'\n`
  return `${version}export const OPERATIONS: Readonly<Record<string, string>> = {\n${lines.join('')}}\n`
}

export function rowOf(operation: Found, document: Document): string {
  const { method, path, operationId } = operation
  const members = isPaged(operation) ? itemMembersOf(operation, document) : null
  return [
    method,
    path,
    ...(method !== 'POST' || REPEATABLE_POSTS.has(operationId) ? ['again'] : []),
    ...(members ? [members.length === 0 ? 'list' : `list:${members.map(([name]) => name).join()}`] : []),
    ...(bodyTypesOf(operation).includes(JSON_TYPE) ? ['json'] : []),
    ...(isFile(operation) ? [`file:${fileTypeOf(operation)}`] : []),
  ].join(' ')
}

/** Of headers, only that which the meaning of a request depends on; others are set in the options of a request. */
export const parametersOf = ({ parameters }: Operation): readonly Parameter[] =>
  (parameters ?? []).filter(({ name, in: place }) => place !== 'header' || name === 'If-Match')

const bodyTypesOf = ({ requestBody }: Operation): readonly string[] => Object.keys(requestBody?.content ?? {})

export const isFile = (operation: Operation): boolean => bodyTypesOf(operation).some((type) => type !== JSON_TYPE)

/** What is not a type of its own is recognised by the service. */
const fileTypeOf = (operation: Operation): string =>
  bodyTypesOf(operation).find((type) => type === 'application/octet-stream') ?? bodyTypesOf(operation)[0]!

export const isPaged = (operation: Operation): boolean => parametersOf(operation).some(({ name }) => name === 'cursor')

/** The answer of success, by its media types. */
export function contentOf({ responses, operationId }: Operation): Content {
  const success = Object.entries(responses).find(([status]) => status.startsWith('2'))
  if (!success) throw new Error(`${operationId} has no answer of success`)
  return success[1].content ?? {}
}

const resolve = (schema: Schema, { components }: Document): Schema =>
  schema.$ref === undefined ? schema : components.schemas[schema.$ref.split('/').at(-1)!]!

/** The members of a page that hold its items, with the schema of an item; none if the page is the list itself. */
export function itemMembersOf(operation: Operation, document: Document): readonly (readonly [string, Schema])[] {
  const page = resolve(contentOf(operation)[JSON_TYPE]?.schema ?? {}, document)
  if (page.type === 'array') return []
  const found = Object.entries(page.properties ?? {}).flatMap(([name, { items }]) =>
    items && resolve(items, document).type === 'object' ? [[name, items] as const] : [],
  )
  if (found.length === 0) throw new Error(`${operation.operationId} has a cursor, and its answer has no list`)
  return found
}

/** The methods of the client, with the types of what they take and answer. */
export function writeMethods(document: Document): string {
  const methods = operationsOf(document).map((one) => `/** ${one.summary}. */\n${methodOf(one, document)}\n`)
  return `${ALIASES}export interface Operations {\n${methods.join('')}}\n`
}

const ALIASES = `export type Id = string | number
/** One value or several. */
export type Many<Value> = Value | Value[]
export type NoInput = Record<string, never>
`

/** All members of an input in one object: of the path, the query, the headers, and the body. */
function inputMembersOf(operation: Operation): readonly string[] {
  const parameters = parametersOf(operation)
  const names = [...parameters.map(({ name }) => name), 'body']
  if (new Set(names).size < names.length) throw new Error(`${operation.operationId} has two parameters of one name`)
  const body = operation.requestBody?.content[JSON_TYPE]?.schema
  return [
    ...parameters.map(parameterOf),
    ...(body ? [`body:${typeOf(body)}`] : []),
    ...(isFile(operation) ? ['body:Upload'] : []),
  ]
}

function parameterOf({ name, in: place, required, schema }: Parameter): string {
  const type = schema.type === 'array' ? `Many<${typeOf(schema.items ?? {})}>` : typeOf(schema)
  if (name.includes('{')) return `[member: \`${name.replace(/\{.+\}/, '${string}')}\`]:${type}`
  const key = place === 'header' ? name.toLowerCase().replaceAll('-', '_') : nameOf(name)
  const mayBeNumber = place === 'path' && type === 'string' ? 'Id' : type
  return `${key}${required ? '' : '?'}:${mayBeNumber}`
}

function methodOf(operation: Operation, document: Document): string {
  const members = inputMembersOf(operation)
  const isOptional = members.every((member) => /^(\w+\?:|\[)/.test(member))
  const input = members.length === 0 ? 'NoInput' : `{${members.join(';')}}`
  const [kind, types] = isPaged(operation) ? ['List', listTypesOf(operation, document)] : answerTypesOf(operation)
  return `${operation.operationId}: ${isOptional ? 'Optional' : ''}${kind}<${[input, ...types].join(', ')}>`
}

function answerTypesOf(operation: Operation): readonly [kind: string, types: readonly string[]] {
  const [usual, ...others] = variantsOf(operation) as [Variant, ...Variant[]]
  return others.length === 0 ? ['Method', [usual[1]]] : ['Variants', [usual, ...others].flat() as readonly string[]]
}

type Variant = readonly [narrowing: string | null, answer: string]

/** What a method answers, by the member of the input that decides it: the usual first, then a preview or a file. */
function variantsOf(operation: Operation): readonly Variant[] {
  const content = contentOf(operation)
  const schema = content[JSON_TYPE]?.schema
  if (Object.keys(content).length === 0) return [[null, 'undefined']]
  if (!schema) return [[null, 'Response']]
  const answer = typeOf(schema)
  const parameters = parametersOf(operation)
  const formats = parameters.find(({ name }) => name === 'format')?.schema
  if (Object.keys(content).length > 1 && formats) {
    const isJson = formats.default === 'json'
    const files = formats.enum!.filter((format) => format !== 'json').map((format) => `'${String(format)}'`)
    const json = [`{format${isJson ? '?' : ''}:'json'}`, answer] as const
    const file = [`{format${isJson ? '' : '?'}:${files.join(' | ')}}`, 'Response'] as const
    return isJson ? [json, file] : [file, json]
  }
  if (!parameters.some(({ name }) => name === 'preview') || !schema.anyOf) return [[null, answer]]
  const [usual, preview] = schema.anyOf
  return [
    ['{preview?:false}', typeOf(usual!)],
    ['{preview:true}', typeOf(preview!)],
  ]
}

/** The type of an item, and that of a page unless it is a list of these. */
function listTypesOf(operation: Operation, document: Document): readonly string[] {
  const page = contentOf(operation)[JSON_TYPE]?.schema ?? {}
  const members = itemMembersOf(operation, document)
  if (members.length === 0) return [typeOf(page.items ?? {})]
  return [members.map(([, schema]) => typeOf(schema)).join(' | '), typeOf(page)]
}
