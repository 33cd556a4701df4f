// The MCP server: tools and resources over the service's own API, for one request at a time and without sessions.
import {
  McpServer,
  createMcpHandler,
  fromJsonSchema,
  type CallToolResult,
  type jsonSchemaValidator,
  type McpRequestContext,
} from '@modelcontextprotocol/server'
import { ApiError, errorBody, invalidRequest } from '../contract/errors.ts'
import type { NamedSchema } from '../contract/named-schema.ts'
import { createAjv, createValidator, type Validate } from '../contract/validation.ts'
import { Refusal, createAsk, refusalOf, type ApiOperation, type Ask, type CallApi } from './api.ts'
import { EXPLAIN_NUMBER } from './explain-number.ts'
import { GET_DEVICE_LEDGER, GET_STATEMENT, REPORT_EMISSIONS } from './ledger-tools.ts'
import { FIND_TRANSPORT_OR_PACKAGING, MATCH_DEVICE } from './lookup-tools.ts'
import { MCP_MESSAGES } from './messages.ts'
import { ORDER_TOOLS } from './order-tools.ts'
import { readMethodology, registerResources } from './resources.ts'
import { checkedSchemaOf, inputSchemaOf, type Arguments, type Tool } from './tool.ts'

const TOOLS: readonly Tool[] = [
  MATCH_DEVICE,
  ...ORDER_TOOLS,
  GET_DEVICE_LEDGER,
  EXPLAIN_NUMBER,
  REPORT_EMISSIONS,
  GET_STATEMENT,
  FIND_TRANSPORT_OR_PACKAGING,
]

const INSTRUCTIONS =
  'Cradle has the greenhouse-gas emissions of the device-rental orders of one account. Emissions are in kilograms of ' +
  'CO2e, as the names of their fields say; low and high are the bounds of the 95 % interval. Give a number together ' +
  'with its receipt: explain_number shows its formula, inputs and factors. Lines of the type `indicative` rest on ' +
  'assumptions about use: say so. Do not compute emissions yourself.'

/** About 50,000 words of a language model: more than anyone reads of one answer. */
const RESULT_CHARACTERS_MAX = 200_000

/** How long a client may keep what changes only with the scopes of its key and the version of the service. */
const LISTED = { ttlMs: 300_000, cacheScope: 'private' } as const

/** Who asks, and how the tools call the API for them. */
export interface McpCaller {
  readonly scopes: readonly string[]
  readonly callApi: CallApi
  readonly requestId: string
  /** Logs a fault of the service and returns what its client may know of it. */
  readonly failureOf: (error: unknown) => ApiError
}

export type AnswerMcp = (request: Request, body: unknown, caller: McpCaller) => Promise<Response>

/** A tool with what is made once for all requests. */
interface PreparedTool {
  readonly tool: Tool
  readonly scope: string | null
  readonly schema: ReturnType<typeof fromJsonSchema<Arguments>>
  /** Null for a tool that takes the body of its operation, which the operation validates itself. */
  readonly validate: Validate | null
}

/**
 * Makes the schemas once: compiling them for each request costs five times the time of a call.
 * @param schemas all schemas that bodies of the operations reference
 */
export function createMcpEndpoint(
  operations: readonly ApiOperation[],
  schemas: readonly NamedSchema[],
  version: string,
): AnswerMcp {
  const byId = new Map(operations.map((operation) => [operation.id, operation]))
  const tools = TOOLS.map((tool) => prepare(tool, byId.get(tool.operation)!, schemas))
  const methodology = readMethodology()
  const makeServer = ({ authInfo }: McpRequestContext): McpServer => {
    const caller = authInfo!.extra as unknown as McpCaller
    const { scopes } = caller
    const may = (scope: string | null) => scope === null || scopes.includes(scope) || scopes.includes('admin')
    const ask = createAsk(byId, caller.callApi)
    const server = new McpServer(
      { name: 'cradle', title: 'Cradle', version },
      { instructions: INSTRUCTIONS, cacheHints: { 'tools/list': LISTED, 'resources/list': LISTED } },
    )
    for (const one of tools) if (may(one.scope)) register(server, one, (args) => callTool(one, args, ask, caller))
    registerResources(server, methodology, may(byId.get('getReceipt')!.scope) ? ask : null)
    return server
  }
  // There is nothing to subscribe to: the tools change with the version of the service only.
  const handler = createMcpHandler(makeServer, { responseMode: 'auto', maxSubscriptions: 0 })
  return (request, parsedBody, caller) =>
    handler.fetch(request, {
      parsedBody,
      authInfo: { token: '', clientId: '', scopes: [...caller.scopes], extra: { ...caller } },
    })
}

/** Accepts everything: the service validates the input itself, and so its errors are those of its own API. */
const ACCEPTING: jsonSchemaValidator = {
  getValidator: () => (input) => ({ valid: true, data: input as never, errorMessage: undefined }),
}

function prepare(tool: Tool, operation: ApiOperation, schemas: readonly NamedSchema[]): PreparedTool {
  const inputSchema = inputSchemaOf(tool, operation, schemas)
  const checked = { ...checkedSchemaOf(tool, inputSchema), $id: tool.name } as unknown as NamedSchema
  const validate = operation.body ? null : createValidator(createAjv([checked]), checked)
  return { tool, scope: operation.scope, schema: fromJsonSchema<Arguments>(inputSchema, ACCEPTING), validate }
}

function register(
  server: McpServer,
  { tool, schema }: PreparedTool,
  call: (args: Arguments) => Promise<CallToolResult>,
) {
  const { name, title, description, isReadOnly } = tool
  const annotations = { readOnlyHint: isReadOnly, destructiveHint: false, idempotentHint: true, openWorldHint: false }
  server.registerTool(name, { title, description, inputSchema: schema, annotations }, call)
}

/** A fault in the input is a result that the model can read and act on, never an error of the protocol. */
async function callTool(
  { tool, validate }: PreparedTool,
  args: Arguments,
  ask: Ask,
  { requestId, failureOf }: McpCaller,
): Promise<CallToolResult> {
  try {
    const given = validate ? withoutNulls(args) : args
    const problems = validate?.(given).problems ?? []
    if (problems.length > 0) return refused(invalidRequest(problems), requestId)
    return limited(tool.name, await tool.call(given, ask), requestId)
  } catch (error) {
    if (error instanceof Refusal) return { ...contentOf(error.body), isError: true }
    return refused(error instanceof ApiError ? error : failureOf(error), requestId)
  }
}

/** Models send null for what they leave out. */
const withoutNulls = (args: Arguments): Arguments =>
  Object.fromEntries(Object.entries(args).filter(([, value]) => value !== null))

/** The text and the structured content are the same. */
const contentOf = (value: object, text = JSON.stringify(value)): CallToolResult => ({
  content: [{ type: 'text', text }],
  structuredContent: value,
})

const refused = (failure: ApiError, requestId: string): CallToolResult => ({
  ...contentOf(refusalOf({ headers: {}, text: errorBody(failure, requestId) })),
  isError: true,
})

function limited(tool: string, value: object, requestId: string): CallToolResult {
  const text = JSON.stringify(value)
  if (text.length <= RESULT_CHARACTERS_MAX) return contentOf(value, text)
  const about = { tool, characters: text.length, max: RESULT_CHARACTERS_MAX }
  return refused(new ApiError('too_large', MCP_MESSAGES.mcp_result_too_large(about)), requestId)
}
