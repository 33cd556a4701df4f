// A client that sends files of orders and waits until they are dealt with.
import assert from 'node:assert/strict'
import type { Json } from './document-check.ts'
import type { Answer } from './exchange.ts'
import { until } from './command.ts'
import type { LiveService } from './live-service.ts'

const WAIT_MS_MAX = 20_000

export interface ImportClient {
  readonly send: (file: string | Buffer, query?: string, type?: string) => Promise<Answer>
  /** Sends a file and answers how it ended. */
  readonly run: (file: string | Buffer, query?: string, type?: string) => Promise<Json>
  readonly ended: (importId: unknown) => Promise<Json>
  readonly faults: (importId: unknown) => Promise<readonly Json[]>
  readonly undo: (importId: unknown) => Promise<Json>
}

export function createImportClient(service: LiveService, key = service.key): ImportClient {
  const send: ImportClient['send'] = (file, query = '', type = 'text/csv') =>
    service.ask(`/api/imports${query}`, {
      method: 'POST',
      headers: { 'content-type': type, 'x-api-key': key },
      body: file,
    })
  const sound = async (path: string, status = 200, method = 'GET'): Promise<unknown> => {
    const answer = await service.ask(path, { method, headers: { 'x-api-key': key } })
    assert.equal(answer.status, status, answer.text.slice(0, 500))
    return JSON.parse(answer.text) as unknown
  }
  const ended: ImportClient['ended'] = async (importId) => {
    let found: Json = {}
    await until(
      async () => {
        found = (await sound(`/api/imports/${String(importId)}`)) as Json
        return found['finished_at'] !== null
      },
      WAIT_MS_MAX,
      () => `the import does not end: ${JSON.stringify(found)}`,
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
    ended,
    faults: async (importId) => (await sound(`/api/imports/${String(importId)}/faults`)) as readonly Json[],
    undo: async (importId) => {
      await sound(`/api/imports/${String(importId)}`, 202, 'DELETE')
      return ended(importId)
    },
  }
}
