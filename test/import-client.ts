// A client that sends files of orders and waits until they are dealt with.
import assert from 'node:assert/strict'
import type { Json } from './document-check.ts'
import type { Answer } from './raw-http.ts'
import { until } from './command.ts'
import type { AskedService } from './asked-service.ts'

export interface ImportClient {
  readonly send: (file: string | Buffer, query?: string, type?: string) => Promise<Answer>
  /** Sends a file and answers how it ended. */
  readonly run: (file: string | Buffer, query?: string, type?: string) => Promise<Json>
  readonly find: (importId: unknown) => Promise<Json>
  /** @param millisecondsMax how long it may take from now on */
  readonly ended: (importId: unknown, millisecondsMax?: number) => Promise<Json>
  /** Of all pages. */
  readonly errors: (importId: unknown) => Promise<readonly Json[]>
  readonly faultGroups: (importId: unknown) => Promise<Json>
  readonly rejectedRowsFile: (importId: unknown) => Promise<string>
  readonly undo: (importId: unknown) => Promise<Json>
}

/** @param service asks a service of the test's own, or a program */
export function createImportClient(service: Pick<AskedService, 'ask' | 'key'>, key = service.key): ImportClient {
  const send: ImportClient['send'] = (file, query = '', type = 'text/csv') =>
    service.ask(`/api/imports${query}`, {
      method: 'POST',
      headers: { 'content-type': type, 'x-api-key': key },
      body: file,
    })
  const sound = async (path: string, status = 200, method = 'GET'): Promise<Answer> => {
    const answer = await service.ask(path, { method, headers: { 'x-api-key': key } })
    assert.equal(answer.status, status, answer.text.slice(0, 500))
    return answer
  }
  const find: ImportClient['find'] = async (importId) =>
    JSON.parse((await sound(`/api/imports/${String(importId)}`)).text) as Json
  const ended: ImportClient['ended'] = async (importId, millisecondsMax) => {
    let found: Json = {}
    await until(
      async () => {
        found = await find(importId)
        return found['finished_at'] !== null
      },
      () => `the import does not end: ${JSON.stringify(found)}`,
      millisecondsMax,
    )
    return found
  }
  return {
    send,
    run: async (file, query, type) => {
      const answer = await send(file, query, type)
      assert.equal(answer.status, 202, answer.text.slice(0, 2000))
      return ended((JSON.parse(answer.text) as Json)['import_id'])
    },
    find,
    ended,
    errors: async (importId) => {
      const all: Json[] = []
      for (let path: string | undefined = `/api/imports/${String(importId)}/errors`; path !== undefined;) {
        const { text, headers } = await sound(path)
        all.push(...(JSON.parse(text) as readonly Json[]))
        path = /<([^>]+)>; rel="next"/.exec(String(headers['link']))?.[1]
      }
      return all
    },
    faultGroups: async (importId) =>
      JSON.parse((await sound(`/api/imports/${String(importId)}/error-groups`)).text) as Json,
    rejectedRowsFile: async (importId) => (await sound(`/api/imports/${String(importId)}/rejected-rows`)).text,
    undo: async (importId) => {
      await sound(`/api/imports/${String(importId)}`, 202, 'DELETE')
      return ended(importId)
    },
  }
}
