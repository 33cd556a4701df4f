// `cradle mcp`: the Model Context Protocol over stdio, forwarded to the /mcp of a running service.
import { ProtocolError, ProtocolErrorCode, Server, type Result } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'

const REVISION = '2026-07-28'
const META = 'io.modelcontextprotocol'
const USUAL_URL = 'http://127.0.0.1:8080'
/** Longer than any operation of the service takes. */
const ANSWER_MS_MAX = 120_000

type Json = Readonly<Record<string, unknown>>
type Forward = (method: string, params?: Json) => Promise<Result & Json>

/** Every message on stdout belongs to the protocol; whatever else there is to say goes to stderr. */
export async function mcpCommand(): Promise<void> {
  const { CRADLE_URL: url = USUAL_URL, CRADLE_API_KEY: key } = process.env
  if (key === undefined || key === '') throw new Error('CRADLE_API_KEY is not set; it is the key that the agent uses')
  if (!URL.canParse(url)) throw new Error(`CRADLE_URL is not a URL: "${url}"`)
  const forward = forwardTo(new URL('mcp', url.endsWith('/') ? url : `${url}/`), key)
  // Asked before anything is served, so that a wrong key or address is told at once.
  const { serverInfo, instructions } = await describe(forward)
  serveStdio(() => {
    const server = new Server(serverInfo, { capabilities: { tools: {}, resources: {} }, instructions })
    for (const method of ['tools/list', 'resources/list', 'resources/templates/list'] as const) {
      server.setRequestHandler(method, async () => (await forward(method)) as never)
    }
    server.setRequestHandler('tools/call', async ({ params }) => (await forward('tools/call', params)) as never)
    server.setRequestHandler('resources/read', async ({ params }) => {
      // As ASCII, because the URI is sent in a header too.
      const uri = URL.canParse(params.uri) ? new URL(params.uri).href : params.uri
      return (await forward('resources/read', { ...params, uri })) as never
    })
    return server
  })
}

async function describe(forward: Forward) {
  const described = await forward('server/discover')
  const meta = described['_meta']
  const serverInfo = (described['serverInfo'] ?? meta?.[`${META}/serverInfo`]) as { name: string; version: string }
  return { serverInfo, instructions: String(described['instructions']) }
}

/** Sends requests of one revision, whatever revision the client of this process speaks. */
function forwardTo(url: URL, key: string): Forward {
  let id = 0
  return async (method, params = {}) => {
    const own = { [`${META}/protocolVersion`]: REVISION, [`${META}/clientCapabilities`]: {} }
    const message = { jsonrpc: '2.0', id: ++id, method, params: { ...params, _meta: own } }
    const name = (params['name'] ?? params['uri']) as string | undefined
    const headers = {
      'x-api-key': key,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': REVISION,
      'mcp-method': method,
      ...(name !== undefined && { 'mcp-name': name }),
    }
    const sent = { method: 'POST', headers, body: JSON.stringify(message), signal: AbortSignal.timeout(ANSWER_MS_MAX) }
    const response = await fetch(url, sent).catch((error: unknown) => {
      throw failed(`The service at ${url.origin} does not answer: ${causeOf(error)}`)
    })
    return resultOf(await response.text(), response.status)
  }
}

/** @throws ProtocolError with the error of the protocol, or with what the service says in its own form */
function resultOf(text: string, status: number): Result & Json {
  const answered = parse(text)
  if (typeof answered['result'] === 'object') return answered['result'] as Result & Json
  const error = answered['error']
  if (typeof error === 'object' && error !== null) {
    const { code, message, data } = error as {
      readonly code: number
      readonly message: string
      readonly data?: unknown
    }
    throw new ProtocolError(code, message, data)
  }
  throw failed(`The service answers with ${status}: ${(error ?? answered['detail'] ?? text.slice(0, 200)) as string}`)
}

function parse(text: string): Json {
  try {
    return JSON.parse(text) as Json
  } catch {
    return {}
  }
}

const failed = (message: string): ProtocolError => new ProtocolError(ProtocolErrorCode.InternalError, message)

/** Node's fetch has the reason in the cause of its error. */
function causeOf(error: unknown): string {
  const { message, cause } = error as { readonly message: string; readonly cause?: unknown }
  return cause instanceof Error && cause.message !== '' ? cause.message : message
}
