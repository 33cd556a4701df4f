// Checks answers against the OpenAPI document that the service itself serves: status, form, and no member unnamed.
import assert from 'node:assert/strict'
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { Answer } from './raw-http.ts'

export type Json = Readonly<Record<string, unknown>>
export interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Json>> }
}
/** One example, or several by their names. */
interface Example {
  readonly example?: unknown
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>
}
export interface DocumentedOperation {
  readonly operationId: string
  readonly parameters: readonly Json[]
  readonly requestBody?: { readonly content: Readonly<Record<string, Example>> }
  readonly responses: Readonly<
    Record<
      string,
      {
        readonly description: string
        readonly headers: Json
        readonly content: Readonly<Record<string, Example>>
      }
    >
  >
}

const JSON_TYPE = 'application/json; charset=utf-8'
const FORMATS = {
  date: /^\d{4}-\d\d-\d\d$/,
  'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
}

export interface DocumentCheck {
  /** Asserts that the document says of this path, method and status what was answered. */
  readonly answer: (method: string, path: string, answer: Answer) => void
  /** What is wrong with a value by the schema at this JSON pointer of the document. */
  readonly faultsOf: (pointer: string, value: unknown) => string | null
}

export function createDocumentCheck(document: OpenApi): DocumentCheck {
  const ajv = new Ajv2020({ strict: false, allErrors: true, formats: FORMATS, validateSchema: false, meta: false })
  ajv.addSchema(closed(document) as Json, 'document')
  const faultsOf = (pointer: string, value: unknown): string | null => {
    const validate = ajv.getSchema(`document#${pointer}`)
    assert.ok(validate, `the document has nothing at ${pointer}`)
    return validate(value) ? null : ajv.errorsText(validate.errors)
  }
  return {
    faultsOf,
    answer: (method, path, { status, headers, text }) => {
      const shown = `${method} ${path.slice(0, 100)} answered ${status} ${text.slice(0, 300)}`
      assert.match(String(headers['x-request-id']), /^[0-9a-f-]{36}$/, shown)
      // Declared for clients; in a test it is a fault of the service.
      assert.notEqual(status, 500, shown)
      if (method === 'HEAD') return assert.equal(text, '', shown)
      // A slash at the end is told before the method is looked at.
      const isWrongPath = status === 404 && /^[^?]*\/(\?|$)/.test(path)
      const found = isWrongPath ? undefined : templateOf(document, path)
      if (status < 400 && isFile(document, found, method, headers)) return
      assert.equal(headers['content-type'], JSON_TYPE, shown)
      const schema = schemaFor(document, found, method, status)
      assert.ok(schema !== null, `not documented: ${shown}`)
      assert.deepEqual(unnamedHeaders(document, found, method, status, headers), [], shown)
      const body = JSON.parse(text) as Json
      assert.equal(faultsOf(schema, body), null, shown)
      if (status >= 400) assert.equal(body['request_id'], headers['x-request-id'], shown)
    },
  }
}

/** Files are not of the document's schemas, which names their types: they are tested by what is done with them. */
function isFile({ paths }: OpenApi, found: string | undefined, method: string, headers: Answer['headers']): boolean {
  const content = found === undefined ? undefined : paths[found]![method.toLowerCase()]?.responses['200']?.content
  const type = String(headers['content-type']).replace(/;.*/, '')
  const documented = content?.[type]
  return documented !== undefined && !(type === 'application/json' && 'schema' in documented)
}

/** Of HTTP itself, and what every answer bears, which the document says once. */
const HTTP_HEADERS = [
  'content-type',
  'content-length',
  'transfer-encoding',
  'date',
  'connection',
  'keep-alive',
  'x-request-id',
  'x-content-type-options',
  'referrer-policy',
  'cache-control',
  'vary',
]

/** Header fields of an answer that the document does not name for this operation and status. */
function unnamedHeaders(
  { paths }: OpenApi,
  found: string | undefined,
  method: string,
  status: number,
  headers: Answer['headers'],
): readonly string[] {
  const operation = found === undefined ? undefined : paths[found]![method.toLowerCase()]
  if (operation === undefined) return []
  const named = Object.keys(operation.responses[status]?.headers ?? {}).map((name) => name.toLowerCase())
  return Object.keys(headers).filter((name) => !HTTP_HEADERS.includes(name) && !named.includes(name))
}

/** The pointer to the schema of an answer; what no path is for, has the form of any other failure. */
function schemaFor({ paths }: OpenApi, found: string | undefined, method: string, status: number): string | null {
  if (found === undefined) return status === 404 ? '/components/schemas/Failure' : null
  const named = method.toLowerCase()
  const documented = named in paths[found]! ? named : Object.keys(paths[found]!)[0]!
  if (named !== documented && status !== 405 && status !== 406) return null
  if (!(status in paths[found]![documented]!.responses)) return null
  return `/paths/${toStep(found)}/${documented}/responses/${status}/content/application~1json/schema`
}

/** The path of the document that is meant. */
function templateOf({ paths }: OpenApi, path: string): string | undefined {
  const asked = path.split(/[?#]/)[0]!
  return Object.keys(paths).find((template) => patternOf(template).test(asked))
}

/** Kept, since every answer asks for all of them. */
const patterns = new Map<string, RegExp>()

function patternOf(template: string): RegExp {
  const pattern = patterns.get(template) ?? new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]*')}$`)
  patterns.set(template, pattern)
  return pattern
}

/** A path as one step of a JSON pointer in the fragment of a reference. */
export const toStep = (path: string): string => encodeURIComponent(path.replaceAll('~', '~0').replaceAll('/', '~1'))

/** The same schemas, refusing every member that they do not name. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed)
  if (typeof schema !== 'object' || schema === null) return schema
  const members = Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, closed(value)]))
  return members['type'] === 'object' && typeof members['properties'] === 'object'
    ? { ...members, additionalProperties: false }
    : members
}
