// The floor (a): a bare node:http server that parses the same body, answers as many bytes, and stores nothing.
//   node bench/echo-server.ts BYTES     prints its address
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

const PADDING_MEMBER = '{"padding":""}'

/** Any JSON of exactly that many bytes. */
function answerOf(bytes: number): string {
  return PADDING_MEMBER.replace('""', `"${'x'.repeat(Math.max(0, bytes - PADDING_MEMBER.length))}"`)
}

function answerWith(answer: string): (request: IncomingMessage, response: ServerResponse) => void {
  const headers = { 'content-type': 'application/json; charset=utf-8', 'content-length': Buffer.byteLength(answer) }
  return (request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      response.writeHead(parses(Buffer.concat(chunks).toString()) ? 200 : 400, headers)
      response.end(answer)
    })
  }
}

function parses(body: string): boolean {
  try {
    return typeof JSON.parse(body) === 'object'
  } catch {
    return false
  }
}

const server = createServer(answerWith(answerOf(Number(process.argv[2] ?? 1000))))
server.listen(0, '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
})
process.once('SIGTERM', () => process.exit(0))
