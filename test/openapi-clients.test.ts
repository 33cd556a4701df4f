// What client generators make of the document compiles, and tells items and events apart by their type.
import { after, before, test } from 'node:test'
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createClient } from '@hey-api/openapi-ts'
import openapiTypes, { astToString, type OpenAPI3 } from 'openapi-typescript'
import type { AskedService } from './asked-service.ts'
import { sharedService } from './shared-service.ts'

const CACHE = join(import.meta.dirname, '..', 'node_modules', '.cache')

let service: AskedService
let folder: string
before(async () => {
  service = await sharedService()
  mkdirSync(CACHE, { recursive: true })
  folder = mkdtempSync(join(CACHE, 'openapi-clients-'))
})
after(async () => {
  rmSync(folder, { recursive: true })
  await service.stop()
})

/** Code of somebody who uses both clients; `@ts-expect-error` stands where the compiler has to refuse it. */
const USE = join(import.meta.dirname, 'fixtures', 'openapi-client-use.txt')

/** @throws with what the compiler found */
async function compile(): Promise<void> {
  const options = ['--noEmit', '--strict', '--skipLibCheck', '--target', 'esnext', '--module', 'esnext']
  const tsc = join(import.meta.dirname, '..', 'node_modules', 'typescript', 'bin', 'tsc')
  const files = ['--moduleResolution', 'bundler', '--lib', 'esnext,dom,dom.iterable', join(folder, 'use.ts')]
  const run = promisify(execFile)(process.execPath, [tsc, ...options, ...files])
  await run.catch(({ stdout }: { readonly stdout: string }) => assert.fail(stdout))
}

test('openapi-typescript and openapi-ts write clients that compile, with items told apart by their type', async () => {
  const document = service.document as unknown as OpenAPI3
  writeFileSync(join(folder, 'types.ts'), astToString(await openapiTypes(document)))
  await createClient({
    input: document as never,
    output: { path: join(folder, 'sdk') },
    plugins: ['@hey-api/typescript', '@hey-api/sdk', '@hey-api/client-fetch'],
    logs: { level: 'error', file: false },
  })
  copyFileSync(USE, join(folder, 'use.ts'))
  await compile()
})
