// The resources of the MCP server: sections of the methodology, and receipts of orders.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type McpServer, ResourceNotFoundError, ResourceTemplate } from '@modelcontextprotocol/server'
import { ApiError } from '../contract/errors.ts'
import { Refusal, type Ask } from './api.ts'

const METHODOLOGY = join(import.meta.dirname, '..', '..', 'METHODOLOGY.md')

interface Section {
  readonly uri: string
  readonly title: string
  readonly text: string
}

/** The sections of the methodology, by the anchors that calculations name. */
export function readMethodology(): readonly Section[] {
  const [, ...sections] = readFileSync(METHODOLOGY, 'utf8').split(/^## /m)
  return sections.map((text) => {
    const title = text.slice(0, text.indexOf('\n'))
    return { uri: `cradle://methodology/${title.toLowerCase().replaceAll(' ', '-')}`, title, text: `## ${text}` }
  })
}

/** @param ask null if the key may not read orders */
export function registerResources(server: McpServer, methodology: readonly Section[], ask: Ask | null): void {
  for (const { uri, title, text } of methodology) {
    const about = { title: `Methodology: ${title}`, mimeType: 'text/markdown' }
    server.registerResource(title, uri, about, () => ({ contents: [{ uri, mimeType: 'text/markdown', text }] }))
  }
  if (ask === null) return
  const template = new ResourceTemplate('cradle://receipts/{customer_id}/{order_id}', { list: undefined })
  const about = {
    title: 'Receipt of an order',
    description: 'All inputs of the figures of an order, as `cradle verify` takes it: exact, with its hash.',
    mimeType: 'application/json',
  }
  server.registerResource('receipt', template, about, async (uri, variables) => {
    const path = Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, decoded(String(value))]))
    const { text } = await ask('getReceipt', { path }).catch((error: unknown) => {
      if (error instanceof Refusal || error instanceof ApiError)
        throw new ResourceNotFoundError(uri.href, error.message)
      throw error
    })
    return { contents: [{ uri: uri.href, mimeType: 'application/json', text }] }
  })
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
