// A service as a test asks it: over HTTP, with a key. Every answer to `ask` is held against the service's own document.
import assert from 'node:assert/strict'
import type { ReferenceData } from '../src/engine/reference/reference-data.ts'
import type { Scope } from '../src/postgres/accounts.ts'
import { createDocumentCheck, type DocumentCheck, type Json, type OpenApi } from './document-check.ts'
import { exchange, type Answer, type Sent } from './raw-http.ts'

/** A service to send requests to. */
export interface AskedService {
  readonly server: { readonly url: string; readonly referenceData: ReferenceData }
  readonly document: OpenApi
  /** With all scopes. */
  readonly key: string
  readonly createKey: (scopes?: readonly Scope[], expiresAt?: Date | null, account?: string) => Promise<string>
  /** Sends with the key, and asserts that the answer is what the document says. */
  readonly ask: (path: string, sent?: Sent) => Promise<Answer>
  readonly post: (order: unknown, query?: string) => Promise<Answer>
  readonly stop: () => Promise<void>
}

export const readDocument = async (url: string): Promise<OpenApi> =>
  JSON.parse((await exchange(url, '/openapi.json')).text) as OpenApi

export function createAsk(url: string, document: OpenApi, key: string): Pick<AskedService, 'ask' | 'post'> {
  let check: DocumentCheck | undefined
  const ask = async (path: string, sent: Sent = {}) => {
    const answer = await exchange(url, path, { ...sent, headers: { 'x-api-key': key, ...sent.headers } })
    check ??= createDocumentCheck(document)
    check.answer(sent.method ?? 'GET', path, answer)
    return answer
  }
  const post = (order: unknown, query = '') =>
    ask(`/api/customer-orders${query}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: typeof order === 'string' ? order : JSON.stringify(order),
    })
  return { ask, post }
}

/**
 * Posts JSON to any path.
 * @param key of another account
 */
export async function postJson(
  { ask, key }: Pick<AskedService, 'ask' | 'key'>,
  path: string,
  body: unknown,
  other = key,
): Promise<Answer & { readonly answer: Json }> {
  const headers = { 'content-type': 'application/json', 'x-api-key': other }
  const answered = await ask(path, { method: 'POST', headers, body: JSON.stringify(body) })
  return { ...answered, answer: JSON.parse(answered.text) as Json }
}

export async function readJson({ ask }: Pick<AskedService, 'ask'>, path: string): Promise<Json> {
  const { status, text } = await ask(path)
  assert.equal(status, 200, text)
  return JSON.parse(text) as Json
}

/** The first error that an answer lists. */
export const firstDetailOf = ({ answer }: { readonly answer: Json }): Json => (answer['details'] as Json[])[0]!
