// The TypeScript client in a real browser, in a page and in a worker, with a service behind the same address.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { build } from 'vite'
import type { Browser } from 'playwright-core'
import type { AskedService } from '../asked-service.ts'
import { launchChromium } from '../console/chromium.ts'
import { sharedService } from '../shared-service.ts'

const ENTRY = join(import.meta.dirname, '..', '..', 'clients', 'typescript', 'src', 'client.ts')

/** What page and worker do: a list over several pages, an error, a file with progress, a file to read, a webhook. */
const PROGRAM = `
import { createClient, webhooks } from '/client.js'
const { protocol, host, searchParams } = new URL(import.meta.url)
const cradle = createClient({ url: protocol + '//' + host, key: searchParams.get('key') })
const told = []
const models = await cradle.listDeviceModels({ limit: 10 }).toArray({ limit: 25 })
const { code } = await cradle.getDeviceModel({ id: 'no-such-model' }).catch((error) => error)
const template = await cradle.getImportTemplate({ layout: 'items' })
const body = await template.blob()
const { file_bytes } = await cradle.createImport({ body, dry_run: true }, { onProgress: (one) => told.push(one) })
const secret = 'whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIz'
const text = '{"type":"a.b"}'
const { type } = await webhooks.verify(text, await webhooks.sign(text, secret, { id: '1' }), secret)
const isSent = told.length === 1 && told[0].sentBytes === body.size && file_bytes === body.size
globalThis.postMessage(JSON.stringify({ models: models.length, code, isSent, type }))
`

let service: AskedService
let browser: Browser
const scripts = new Map<string, string>([['/program.js', PROGRAM]])
/** Serves the scripts, and hands everything else to the service. */
const server = createServer((incoming, outgoing) => {
  const script = scripts.get(incoming.url!.split('?')[0]!)
  if (script !== undefined) return void outgoing.writeHead(200, { 'content-type': 'text/javascript' }).end(script)
  if (incoming.url === '/') return void outgoing.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html>')
  const { method, headers } = incoming
  const asked = request(service.server.url + incoming.url!, { method, headers }, (answer) => {
    answer.pipe(outgoing.writeHead(answer.statusCode!, answer.headers))
  })
  incoming.pipe(asked)
})

before(async () => {
  service = await sharedService()
  const built = await build({
    logLevel: 'error',
    configFile: false,
    build: { write: false, lib: { entry: ENTRY, formats: ['es'] } },
  })
  const [{ output }] = built as unknown as [{ readonly output: readonly { readonly code: string }[] }]
  scripts.set('/client.js', output[0]!.code)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  browser = await launchChromium()
})
after(async () => {
  await browser.close()
  server.closeAllConnections()
  server.close()
  await service.stop()
})

test('lists, errors, files and webhooks work in a page and in a worker', async () => {
  const page = await browser.newPage()
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  const address = `/program.js?key=${await service.createKey(undefined, null, 'browser')}`
  const results = await page.evaluate<string[]>(`(async () => {
    const message = (target) =>
      new Promise((resolve, reject) => {
        target.addEventListener('message', ({ data }) => resolve(data), { once: true })
        target.addEventListener('error', ({ message }) => reject(new Error(message)), { once: true })
      })
    const here = message(globalThis)
    await import('${address}')
    return [await here, await message(new Worker('${address}', { type: 'module' }))]
  })()`)
  const expected = { models: 25, code: 'not_found', isSent: true, type: 'a.b' }
  assert.deepEqual(
    results.map((text) => JSON.parse(text) as unknown),
    [expected, expected],
  )
})
