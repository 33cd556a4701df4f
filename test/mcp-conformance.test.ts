// The protocol's own conformance cases against /mcp, as far as they ask for what this server offers.
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sharedService } from './shared-service.ts'

const ROOT = join(import.meta.dirname, '..')
const PROGRAM = join(ROOT, 'node_modules', '@modelcontextprotocol', 'conformance', 'dist', 'index.js')
const NOT_OFFERED = join(import.meta.dirname, 'fixtures', 'mcp-not-offered.yaml')

/** The program cannot send a key, so this adds one to whatever it sends, and changes nothing else. */
async function addingKey(url: string, key: string): Promise<Server> {
  const { hostname, port } = new URL(url)
  const proxy = createServer((asked, answer) => {
    const headers = { ...asked.headers, 'x-api-key': key }
    const sent = request({ hostname, port, path: asked.url, method: asked.method, headers }, (answered) => {
      answer.writeHead(answered.statusCode!, answered.headers)
      answered.pipe(answer)
    })
    asked.pipe(sent)
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  return proxy
}

test('the official conformance cases pass, except those of features that are not offered', async () => {
  const service = await sharedService()
  const proxy = await addingKey(service.server.url, service.key)
  const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/mcp`
  const output = mkdtempSync(join(tmpdir(), 'cradle-mcp-conformance-'))
  const args = [PROGRAM, 'server', '--url', url, '--expected-failures', NOT_OFFERED, '--output-dir', output]
  try {
    const { code, stdout } = await new Promise<{ readonly code: unknown; readonly stdout: string }>((resolve) =>
      execFile(process.execPath, args, { maxBuffer: 2 ** 24 }, (error, text) =>
        resolve({ code: error?.code ?? 0, stdout: text }),
      ),
    )
    assert.equal(code, 0, stdout.slice(-3000))
    for (const name of ['server-initialize', 'ping', 'tools-list', 'resources-list', 'dns-rebinding-protection'])
      assert.match(stdout, new RegExp(`✓ ${name}: [1-9]\\d* passed, 0 failed`), name)
  } finally {
    rmSync(output, { recursive: true })
    proxy.close()
    proxy.closeAllConnections()
    await service.stop()
  }
})
