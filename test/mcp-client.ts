// A client of /mcp as agents use it: the protocol's own, in both of its forms, over HTTP and through `cradle mcp`.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import type { Json } from './document-check.ts'

/** The two forms of the protocol: with a handshake, and without. */
export const FORMS = ['2025', '2026-07-28'] as const
export type Form = (typeof FORMS)[number]

export interface McpAnswer {
  readonly isError: boolean
  readonly content: Json
}

export interface McpClient {
  readonly client: Client
  /** Calls a tool, and asserts that its text says the same as its structured content. */
  readonly call: (tool: string, args: Json) => Promise<McpAnswer>
  readonly close: () => Promise<void>
}

export const CRADLE = join(import.meta.dirname, '..', 'bin', 'cradle')

export function connectOverHttp(url: string, key: string, form: Form = '2026-07-28'): Promise<McpClient> {
  const requestInit = { headers: { authorization: `Bearer ${key}` } }
  return connect(form, new StreamableHTTPClientTransport(new URL('/mcp', url), { requestInit }))
}

/** Starts `cradle mcp` as an agent does. */
export function connectOverStdio(url: string, key: string, form: Form): Promise<McpClient> {
  const env = { ...(process.env as Record<string, string>), CRADLE_URL: url, CRADLE_API_KEY: key }
  return connect(form, new StdioClientTransport({ command: CRADLE, args: ['mcp'], env }))
}

async function connect(
  form: Form,
  transport: StreamableHTTPClientTransport | StdioClientTransport,
): Promise<McpClient> {
  const mode = form === '2025' ? 'legacy' : { pin: form }
  const client = new Client({ name: 'cradle-test', version: '1' }, { versionNegotiation: { mode } })
  await client.connect(transport)
  const call = async (name: string, args: Json): Promise<McpAnswer> => {
    const { content, structuredContent, isError } = await client.callTool({ name, arguments: { ...args } })
    const [part, ...others] = content as readonly { readonly type: string; readonly text: string }[]
    assert.deepEqual([part?.type, others.length], ['text', 0])
    assert.equal(part!.text, JSON.stringify(structuredContent))
    return { isError: isError === true, content: structuredContent as Json }
  }
  return { client, call, close: () => client.close() }
}
