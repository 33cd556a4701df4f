// The service's own API as the tools call it: by operation, with the caller's key, and with the errors of the API.
import { ApiError } from '../contract/errors.ts'
import type { NamedSchema } from '../contract/named-schema.ts'
import { MCP_MESSAGES } from './messages.ts'

/** What the tools need to know of an operation of the API. */
export interface ApiOperation {
  readonly id: string
  readonly method: string
  /** With path parameters in braces. */
  readonly path: string
  /** The scope that the key must have; null where no key is required. */
  readonly scope: string | null
  readonly pathParameters?: Readonly<Record<string, { readonly description: string; readonly example: string }>>
  readonly query: Readonly<
    Record<string, { readonly description: string; readonly schema: Readonly<Record<string, unknown>> }>
  >
  readonly body?: { readonly schema: NamedSchema }
}

export interface ApiRequest {
  readonly method: string
  readonly url: string
  /** Sent as JSON; undefined for none. */
  readonly body?: unknown
}

export interface ApiAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly text: string
}

/** Sends a request to the API with the key of the caller. */
export type CallApi = (request: ApiRequest) => Promise<ApiAnswer>

/** A request that the API refused: the body of its response, for the caller of the tool. */
export class Refusal extends Error {
  readonly body: Readonly<Record<string, unknown>>

  constructor(body: Readonly<Record<string, unknown>>) {
    super(String(body['error']))
    this.body = body
  }
}

export interface Parameters {
  readonly path?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: unknown
}

/** About what the parser of HTTP accepts: a tool must not ask what no other client can. */
const URL_LENGTH_MAX = 16_000

/** Calls an operation by its id. @throws Refusal, or ApiError for an id that no path can have */
export type Ask = (operationId: string, parameters?: Parameters) => Promise<ApiAnswer>

export function createAsk(operations: ReadonlyMap<string, ApiOperation>, callApi: CallApi): Ask {
  return async (operationId, { path = {}, query = {}, body } = {}) => {
    const { method, path: template } = operations.get(operationId)!
    const place = template.replace(/\{(\w+)\}/g, (_, name: string) => segmentOf(path[name]!))
    const url = place + queryOf(query)
    if (url.length > URL_LENGTH_MAX) throw new ApiError('too_large', MCP_MESSAGES.mcp_arguments_too_long())
    const answer = await callApi({ method, url, body })
    if (answer.status >= 400) throw new Refusal(refusalOf(answer))
    return answer
  }
}

/**
 * A path loses segments of dots, even encoded ones, together with those before them: the request would reach another
 * operation than that of the tool.
 * @throws ApiError
 */
function segmentOf(id: string): string {
  if (id === '.' || id === '..') throw new ApiError('not_found', MCP_MESSAGES.mcp_id_of_dots({ id }))
  return encodeURIComponent(id)
}

/** A list is sent by repeating its parameter, so that its values may contain commas. */
function queryOf(query: Readonly<Record<string, unknown>>): string {
  const pairs = Object.entries(query)
    .filter(([, value]) => value !== undefined && value !== null)
    .flatMap(([name, value]) => [value].flat().map((one): [string, string] => [name, String(one)]))
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs).toString()}`
}

/** The body of an error without the forms of its messages for translation, and with the time to wait. */
export function refusalOf({ headers, text }: Omit<ApiAnswer, 'status'>): Readonly<Record<string, unknown>> {
  const { error, detail, code, details, request_id } = JSON.parse(text) as Readonly<Record<string, unknown>>
  const wait = headers['retry-after']
  return {
    error: error ?? detail,
    code,
    ...(Array.isArray(details) && { details: details.map(detailOf) }),
    ...(wait !== undefined && { retry_after_seconds: Number(wait) }),
    request_id,
  }
}

/** A detail says where, what would be valid, and what was probably meant. */
const detailOf = ({ path, message, suggestions }: Readonly<Record<string, unknown>>) => ({ path, message, suggestions })
