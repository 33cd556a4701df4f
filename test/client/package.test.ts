// The package of the TypeScript client: what is generated is what the document says, what is packed is what is needed.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { publint } from 'publint'
import { build } from 'vite'
import * as client from '../../clients/typescript/src/client.ts'
import { operationsOf, type Document } from '../../scripts/client-operations.ts'
import { generatedFiles } from '../../scripts/write-client.ts'
import type { AskedService } from '../asked-service.ts'
import { blocksOf } from '../markdown.ts'
import { sharedService } from '../shared-service.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const CLIENT = join(ROOT, 'clients', 'typescript')
const CACHE = join(ROOT, 'node_modules', '.cache')
const TYPES_BYTES_MAX = 71_000
const BUNDLE_BYTES_MAX = 6_000
const SOURCE_LINES_MAX = 500

const run = promisify(execFile)
const read = (path: string): string => readFileSync(join(CLIENT, path), 'utf8')

let service: AskedService
let folder: string
let packed: { readonly filename: string; readonly files: readonly { readonly path: string }[] }
before(async () => {
  service = await sharedService()
  mkdirSync(CACHE, { recursive: true })
  folder = mkdtempSync(join(CACHE, 'client-package-'))
  // Building is part of packing.
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', folder], { cwd: CLIENT })
  packed = (JSON.parse(stdout) as [typeof packed])[0]
  // Where somebody would have it who installed what was packed.
  await run('tar', ['-xzf', join(folder, packed.filename), '-C', folder])
  mkdirSync(join(folder, 'node_modules', '@cradle'), { recursive: true })
  cpSync(join(folder, 'package'), join(folder, 'node_modules', '@cradle', 'client'), { recursive: true })
})
after(async () => {
  rmSync(folder, { recursive: true })
  await service.stop()
})

test('table and types are those that the document gives now; scripts/write-client.ts writes them', () => {
  const document = service.document as unknown as Document
  for (const [name, text] of generatedFiles(document)) assert.equal(read(`src/generated/${name}`), text)
  assert.ok(Buffer.byteLength(read('src/generated/api.d.ts')) <= TYPES_BYTES_MAX)
})

test('every operation has a method, and there is no other; the version is that of the service', () => {
  const methods = Object.keys(client.createClient({ url: service.server.url }))
  const operations = operationsOf(service.document as unknown as Document)
  assert.deepEqual(methods.toSorted(), operations.map(({ operationId }) => operationId).toSorted())
  const { version } = JSON.parse(read('package.json')) as { readonly version: string }
  const { info } = service.document as unknown as Document
  assert.equal(version, info['x-program-version'])
})

test('what is packed is the built program, its types, the licence and the guide', () => {
  const modules = ['answer', 'client', 'errors', 'generated/operations', 'request', 'upload', 'webhooks']
  assert.deepEqual(packed.files.map(({ path }) => path).toSorted(), [
    'LICENSE',
    'README.md',
    ...[...modules.flatMap((name) => [`dist/${name}.d.ts`, `dist/${name}.js`]), 'dist/generated/api.d.ts'].toSorted(),
    'package.json',
  ])
})

test('publint finds nothing to say, and every way to resolve ES modules finds the types', async () => {
  const { messages } = await publint({ pkgDir: join(folder, 'package'), strict: true })
  assert.deepEqual(messages, [])
  const tarball = readFileSync(join(folder, packed.filename))
  const checked = await checkPackage(createPackageFromTarballData(new Uint8Array(tarball)))
  assert.ok(checked.types)
  // CommonJS and the resolution of Node 10 cannot load a package of ES modules alone.
  const found = checked.problems.filter(
    (problem) => !('resolutionKind' in problem && /^node10$|^node16-cjs$/.test(problem.resolutionKind)),
  )
  assert.deepEqual(found, [])
})

test('bundled and compressed it has at most 6 kB, and the source at most 500 lines of code', async () => {
  const built = await build({
    root: folder,
    logLevel: 'error',
    configFile: false,
    build: {
      write: false,
      lib: { entry: join(folder, 'package', 'dist', 'client.js'), formats: ['es'] },
      minify: true,
    },
  })
  const [{ output }] = built as unknown as [{ readonly output: readonly { readonly code: string }[] }]
  const bytes = gzipSync(output.map(({ code }) => code).join('')).length
  assert.ok(bytes <= BUNDLE_BYTES_MAX, `${bytes} bytes`)
  const sources = ['answer', 'client', 'errors', 'request', 'upload', 'webhooks'].map((name) => read(`src/${name}.ts`))
  const lines = sources
    .join('')
    .split('\n')
    .filter((line) => !/^\s*(\/\/|\/?\*|$)/.test(line))
  assert.ok(lines.length <= SOURCE_LINES_MAX, `${lines.length} lines`)
})

/** The examples of the guide as one program, for this service. */
function examples(key: string): string {
  return blocksOf(read('README.md'), 'ts')
    .join('\n')
    .replaceAll('http://localhost:8080', service.server.url)
    .replaceAll('cradle_…', key)
}

test('the examples of the guide have the right types for those who use the package in a browser', async () => {
  writeFileSync(join(folder, 'examples.ts'), examples('key'))
  const tsc = join(ROOT, 'node_modules', 'typescript-7', 'bin', 'tsc')
  const options = [
    '--ignoreConfig',
    '--noEmit',
    '--strict',
    '--exactOptionalPropertyTypes',
    '--target',
    'es2022',
    '--types',
    '',
  ]
  const modules = ['--module', 'esnext', '--moduleResolution', 'bundler', '--lib', 'es2022,dom,dom.asynciterable']
  const wrong = [
    "const wrong = createClient({ url: '' })",
    '// @ts-expect-error: an order needs its ids',
    'void wrong.createOrder({ body: {} })',
    '// @ts-expect-error: a list of models has no such parameter',
    'void wrong.listDeviceModels({ colour: 1 })',
    '// @ts-expect-error: a limit is needed',
    'void wrong.listOrders().toArray()',
    'const preview = wrong.createOrderEvent({ customer_id: 1, order_id: 1, preview: true, body: null! })',
    'void preview.then(({ already_recorded }) => already_recorded)',
    'void wrong.getStatement({ customer_id: 1, year: 2025 }).then(({ summary }) => summary.total_emission)',
    "void wrong.getStatement({ customer_id: 1, year: 2025, format: 'pdf' }).then((file) => file.blob())",
    "void wrong.reportEmissions({ 'metadata.department': ['sales'] })",
  ]
  writeFileSync(join(folder, 'use.ts'), ["import { createClient } from '@cradle/client'", ...wrong].join('\n'))
  const files = ['examples.ts', 'use.ts'].map((name) => join(folder, name))
  await run(process.execPath, [tsc, ...options, ...modules, ...files]).catch(
    ({ stdout }: { readonly stdout: string }) => assert.fail(stdout),
  )
})

test('the examples of the guide run, and print what it says', async () => {
  const key = await service.createKey(undefined, null, 'examples of the client')
  writeFileSync(join(folder, 'examples.mjs'), stripTypeScriptTypes(examples(key)))
  const { stdout } = await run(process.execPath, [join(folder, 'examples.mjs')])
  const [emission, created, fault, tag] = stdout.split('\n')
  assert.deepEqual([emission, created], ['8.4375 kg CO2e', 'order-2024-1212 created'])
  assert.match(fault!, /^\/order_date ./)
  assert.match(tag!, /^created "\d+-\d+-[\w-]+" [\w-]{36} 1$/)
  assert.match(stdout, /\norder\.restated\n$/)
})

test('the guide has at most 120 lines', () => {
  assert.ok(read('README.md').split('\n').length <= 121)
})
