// /mcp: the Model Context Protocol over HTTP without sessions. Its tools call the operations of this service.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ApiError, invalidRequest } from '../../contract/errors.ts'
import type { NamedSchema } from '../../contract/named-schema.ts'
import type { ApiOperation, CallApi } from '../../mcp/api.ts'
import type { AnswerMcp } from '../../mcp/endpoint.ts'
import { MCP_MESSAGES } from '../../mcp/messages.ts'
import { operationLabel } from '../../observability/request-metrics.ts'
import { bearerOrKeyOf, callerOf, requireKey } from '../plugins/authentication.ts'

const PATH = '/mcp'

export interface McpOptions {
  readonly operations: readonly ApiOperation[]
  readonly schemas: readonly NamedSchema[]
  readonly version: string
  /** Logs an error of the service and returns what its client may know of it. */
  readonly failureOf: (error: unknown, request: FastifyRequest) => ApiError
}

/** Not in the OpenAPI document: the protocol describes its own tools. */
export function serveMcp(app: FastifyInstance, { operations, schemas, version, failureOf }: McpOptions): void {
  // Loaded with the first message: the library takes 35 MB and 0.2 s, which most services never need.
  let endpoint: Promise<AnswerMcp> | undefined
  const load = async () => (await import('../../mcp/endpoint.ts')).createMcpEndpoint(operations, schemas, version)
  const answerMcp: AnswerMcp = async (...asked) => (await (endpoint ??= load()))(...asked)
  app.route({
    // GET and DELETE are answered with 405 by the protocol: there are no sessions.
    method: ['GET', 'POST', 'DELETE'],
    url: PATH,
    exposeHeadRoute: false,
    config: { ...operationLabel('mcp'), ...requireKey() },
    onRequest: (request, _, done) => done(isForeign(request) ? FOREIGN : undefined),
    handler: (request, reply) => answer(app, answerMcp, request, reply, failureOf),
  })
}

const FOREIGN = new ApiError('foreign_origin', MCP_MESSAGES.mcp_origin_foreign())

const THIS_MACHINE = ['localhost', '127.0.0.1', '[::1]']

/** A browser sends Origin; a page of another site must not use a service on this machine through it. */
const isForeign = ({ headers: { origin } }: FastifyRequest): boolean =>
  origin !== undefined && !(URL.canParse(origin) && THIS_MACHINE.includes(new URL(origin).hostname))

/** The headers of the protocol; the key goes no further. */
const PASSED_ON = /^(accept|content-type|mcp-.*)$/
const PASSED_BACK = ['content-type', 'allow']

async function answer(
  app: FastifyInstance,
  answerMcp: AnswerMcp,
  request: FastifyRequest,
  reply: FastifyReply,
  failureOf: McpOptions['failureOf'],
): Promise<FastifyReply> {
  // Each would be an operation that no queue has admitted.
  if (Array.isArray(request.body)) throw invalidRequest([{ path: '', ...MCP_MESSAGES.mcp_several_messages() }])
  const headers = Object.entries(request.headers).filter(([name]) => PASSED_ON.test(name))
  const sent = new Request(`http://localhost${PATH}`, {
    method: request.method,
    headers: headers as [string, string][],
  })
  const response = await answerMcp(sent, request.body, {
    scopes: callerOf(request).scopes,
    callApi: callsOf(app, request),
    requestId: request.id,
    failureOf: (error) => failureOf(error, request),
  })
  for (const name of PASSED_BACK) if (response.headers.has(name)) void reply.header(name, response.headers.get(name))
  // A response ends with its result: what the protocol sends as a stream is one piece here.
  return reply.code(response.status).send(await response.text())
}

/** Sends a request through all hooks of this service, as if it had come by the network: one path for every client. */
function callsOf(app: FastifyInstance, request: FastifyRequest): CallApi {
  const key = bearerOrKeyOf(request)
  return async ({ method, url, body }) => {
    const headers = { 'x-api-key': key, ...(body !== undefined && { 'content-type': 'application/json' }) }
    const { statusCode, ...answered } = await app.inject({
      method: method as 'GET' | 'POST',
      url,
      headers,
      remoteAddress: request.ip,
      ...(body !== undefined && { payload: JSON.stringify(body) }),
    })
    return { status: statusCode, headers: answered.headers, text: answered.payload }
  }
}
