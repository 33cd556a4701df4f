// HTTP as no client library would send it, byte for byte, with the answers allowed; and the socket that sends it.
import { connect } from 'node:net'

export type RawOutcome = number | 'closed'
/** Any of the outcomes in `expect` is right; 'closed' is the end of the connection without an answer. */
export type RawRequest = { readonly name: string; readonly bytes: Buffer; readonly expect: readonly RawOutcome[] }

const HOST = 'Host: localhost\r\n'
const POST = `POST /api/customer-orders HTTP/1.1\r\n${HOST}Content-Type: application/json\r\n`
const CHUNKED = `${POST}Transfer-Encoding: chunked\r\n\r\n`
const LAST = 'GET /livez HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n'

const BROKEN: readonly RawOutcome[] = [400, 'closed']
/** Without a key the orders answer 401 to whatever HTTP lets through. */
const UNAUTHORIZED: readonly RawOutcome[] = [400, 401]
const UNKNOWN: readonly RawOutcome[] = [400, 401, 404]
const NOT_ALLOWED: readonly RawOutcome[] = [400, 401, 404, 405, 501, 'closed']
const TOO_LARGE: readonly RawOutcome[] = [431, 400, 413, 414, 'closed']

export const rawRequests: readonly RawRequest[] = [
  ...framing(),
  ...chunks(),
  ...requestLines(),
  ...headerLines(),
  ...targets(),
  ...methods(),
  ...sequences(),
].map(([name, text, expect]) => ({ name, bytes: Buffer.from(text, 'latin1'), expect }))

type Row = readonly [name: string, text: string, expect: readonly RawOutcome[]]

function framing(): readonly Row[] {
  const length = (...values: readonly string[]) =>
    `${POST}${values.map((value) => `Content-Length:${value}\r\n`).join('')}\r\n{}`
  return [
    ['a length and chunks', `${POST}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`, BROKEN],
    ['chunks and a length', `${POST}Transfer-Encoding: chunked\r\nContent-Length: 2\r\n\r\n0\r\n\r\n`, BROKEN],
    ['two lengths that differ', length(' 2', ' 3'), BROKEN],
    ['two lengths that agree', length(' 2', ' 2'), [...UNAUTHORIZED, 'closed']],
    ['a list of lengths', length(' 2, 2'), BROKEN],
    ['a negative length', length(' -1'), BROKEN],
    ['a length with a plus sign', length(' +2'), BROKEN],
    ['a length in hexadecimal', length(' 0x2'), BROKEN],
    ['a length with a decimal point', length(' 2.0'), BROKEN],
    ['a length of letters', length(' two'), BROKEN],
    ['a length with a space within', length(' 1 2'), BROKEN],
    ['an empty length', length(''), BROKEN],
    ['a length beyond 64 bits', length(' 99999999999999999999999'), BROKEN],
    ['a length of 10 MiB and then the end', length(' 10485760'), [...BROKEN, 401, 413]],
    ['a length larger than the body', length(' 100'), [...BROKEN, 401]],
    ['a length smaller than the body', length(' 1'), [...BROKEN, 401]],
    ['a body of 0 bytes', length(' 0').slice(0, -2), UNAUTHORIZED],
    ['an unknown transfer encoding', `${POST}Transfer-Encoding: cow\r\n\r\n{}`, [...BROKEN, 401, 501]],
    [
      'chunked and then identity',
      `${POST}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n`,
      [...BROKEN, 401, 501],
    ],
    [
      'chunked spelt with a vertical tab',
      `${POST}Transfer-Encoding: \vchunked\r\n\r\n0\r\n\r\n`,
      [...BROKEN, 401, 501],
    ],
  ]
}

function chunks(): readonly Row[] {
  return [
    ['a chunked body', `${CHUNKED}2\r\n{}\r\n0\r\n\r\n`, UNAUTHORIZED],
    ['a chunk size of letters', `${CHUNKED}zz\r\n{}\r\n0\r\n\r\n`, [...BROKEN, 401]],
    ['a negative chunk size', `${CHUNKED}-2\r\n{}\r\n0\r\n\r\n`, [...BROKEN, 401]],
    ['a chunk size beyond 64 bits', `${CHUNKED}ffffffffffffffffff\r\n{}\r\n0\r\n\r\n`, [...BROKEN, 401, 413]],
    ['a chunk size with 0x', `${CHUNKED}0x2\r\n{}\r\n0\r\n\r\n`, [...BROKEN, 401]],
    ['a chunk longer than said', `${CHUNKED}1\r\n{}\r\n0\r\n\r\n`, [...BROKEN, 401]],
    ['a chunk ended by a line feed alone', `${CHUNKED}2\n{}\n0\n\n`, [...BROKEN, 401]],
    ['a chunk extension of 20 kB', `${CHUNKED}2;a=${'b'.repeat(20_000)}\r\n{}\r\n0\r\n\r\n`, [...TOO_LARGE, 401]],
    ['chunks that never end', `${CHUNKED}2\r\n{}\r\n`, [...BROKEN, 401]],
    ['a trailer that smuggles a key', `${CHUNKED}2\r\n{}\r\n0\r\nX-API-Key: a\r\n\r\n`, UNAUTHORIZED],
  ]
}

function requestLines(): readonly Row[] {
  return [
    ['HTTP/0.9', 'GET /livez\r\n\r\n', [400]],
    ['HTTP/2.0 in the request line', `GET /livez HTTP/2.0\r\n${HOST}\r\n`, [400]],
    // Node's parser takes this for a request of HTTP/1; it names one resource plainly, so no harm is done.
    ['two spaces before the target', `GET  /livez HTTP/1.1\r\n${HOST}\r\n`, [...BROKEN, 200]],
    ['HTTP/1.0 without a host', 'GET /livez HTTP/1.0\r\n\r\n', [200, 400]],
    ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', [...BROKEN, 505]],
    ['HTTP/9.9', `GET /livez HTTP/9.9\r\n${HOST}\r\n`, [...BROKEN, 505]],
    ['a protocol of another name', `GET /livez ICE/1.0\r\n${HOST}\r\n`, BROKEN],
    ['no target', `GET  HTTP/1.1\r\n${HOST}\r\n`, BROKEN],
    ['a space within the target', `GET /live z HTTP/1.1\r\n${HOST}\r\n`, BROKEN],
    ['lines ended by a line feed alone', 'GET /livez HTTP/1.1\nHost: localhost\n\n', [...BROKEN, 200]],
    ['nothing', '', ['closed']],
    ['line breaks only', '\r\n\r\n\r\n', BROKEN],
    ['a greeting of TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', BROKEN],
    ['a greeting of SSH', 'SSH-2.0-OpenSSH_9.9\r\n', BROKEN],
    ['random bytes', '\x00\xff\x13\x37'.repeat(64), BROKEN],
    ['half a request', 'GET /livez HT', BROKEN],
  ]
}

function headerLines(): readonly Row[] {
  const get = (lines: string) => `GET /livez HTTP/1.1\r\n${lines}Connection: close\r\n\r\n`
  return [
    ['no host', get(''), [400]],
    ['two hosts', get(`${HOST}Host: other\r\n`), [400]],
    ['two equal hosts', get(`${HOST}hOST: localhost\r\n`), [400]],
    ['an empty host', get('Host:\r\n'), [200, 400]],
    ['a host with a path', get('Host: localhost/../admin\r\n'), [400]],
    ['a host with a name before it', get('Host: user@localhost\r\n'), [400]],
    ['a carriage return within a header', get(`${HOST}X-A: a\rX-Evil: b\r\n`), BROKEN],
    ['a line feed that begins another header', get(`${HOST}X-A: a\nX-Evil: b\r\n`), [...BROKEN, 200]],
    ['a NUL within a header', get(`${HOST}X-A: a\0b\r\n`), BROKEN],
    ['a NUL within the key', get(`${HOST}X-API-Key: a\0b\r\n`), BROKEN],
    ['a space before the colon', get(`${HOST}X-A : a\r\n`), BROKEN],
    ['a header without a name', get(`${HOST}: a\r\n`), BROKEN],
    ['a header without a colon', get(`${HOST}X-A\r\n`), BROKEN],
    ['a folded header', get(`${HOST}X-A: a\r\n b\r\n`), [...BROKEN, 200]],
    ['a header name of Latin-1', get(`${HOST}X-\xe9: a\r\n`), BROKEN],
    ['a header of 64 kB', get(`${HOST}X-A: ${'a'.repeat(65_536)}\r\n`), TOO_LARGE],
    ['a key of 64 kB', get(`${HOST}X-API-Key: ${'a'.repeat(65_536)}\r\n`), TOO_LARGE],
    ['3000 headers', get(HOST + Array.from({ length: 3000 }, (_, at) => `X-${at}: a\r\n`).join('')), TOO_LARGE],
    ['an expectation that nobody knows', get(`${HOST}Expect: tea\r\n`), [417]],
    ['an expectation beside another', get(`${HOST}Expect: 100-continue, tea\r\n`), [417]],
    ['an upgrade to a WebSocket', get(`${HOST}Upgrade: websocket\r\nConnection: Upgrade\r\n`), [200, 400, 426]],
    ['an upgrade that nobody knows', get(`${HOST}Upgrade: tea\r\nConnection: Upgrade\r\n`), [200, 400, 426, 'closed']],
    [
      'an upgrade to HTTP/2',
      get(`${HOST}Upgrade: h2c\r\nConnection: Upgrade, HTTP2-Settings\r\n`),
      [200, 400, 426, 'closed'],
    ],
  ]
}

function targets(): readonly Row[] {
  const get = (target: string) => `GET ${target} HTTP/1.1\r\n${HOST}Connection: close\r\n\r\n`
  const unknown = [
    '/%00',
    '/livez%00',
    '/%2e%2e/%2e%2e/etc/passwd',
    '/../../etc/passwd',
    '//livez',
    '/api//transportations',
    '/%zz',
    '/%',
    '/%c0%af',
    '/%ff',
    '/livez/',
    '/LIVEZ',
    '/api/%2e%2e/livez',
    '/api/device-emissions/%00',
    '/api/device-emissions/%ed%a0%80',
    '/api/device-emissions/a%2fb',
    '/__proto__',
    '/constructor',
    '/\\livez',
    '/.env',
  ]
  return [
    ...unknown.map((target): Row => [`the target ${target}`, get(target), UNKNOWN]),
    ['an absolute target', get('http://localhost/livez'), [200, 400, 404]],
    ['an absolute target without a path', get('http://localhost'), [200, 404]],
    ['an absolute target with a query alone', get('http://localhost?q=/livez'), [200, 400, 404]],
    ['an absolute target of another host', get('http://example.invalid/livez'), [400]],
    ['no path but everything', get('*'), [400]],
    ['a path without a slash', get('livez'), [400]],
    ['a target of another scheme', get('file:///etc/passwd'), [400]],
    ['a target of another scheme, with a fragment', get('/livez#fragment'), [200, 400, 404]],
    ['a target of Latin-1', get('/\xe9'), [...UNKNOWN, 'closed']],
    ['a target of 8 kB', get(`/${'a'.repeat(8_192)}`), [...UNKNOWN, 414]],
    ['a target of 64 kB', get(`/${'a'.repeat(65_536)}`), TOO_LARGE],
  ]
}

function methods(): readonly Row[] {
  const names = [
    'TRACE',
    'TRACK',
    'CONNECT',
    'PROPFIND',
    'BREW',
    'get',
    'G\x00ET',
    'PATCH',
    'DELETE',
    'PUT',
    'PURGE',
    'QUERY',
  ]
  return names.map((name): Row => [
    `the method ${JSON.stringify(name)}`,
    `${name} /livez HTTP/1.1\r\n${HOST}Connection: close\r\n\r\n`,
    NOT_ALLOWED,
  ])
}

function sequences(): readonly Row[] {
  const one = `GET /livez HTTP/1.1\r\n${HOST}\r\n`
  return [
    ['a request that asks before it sends', `${POST}Content-Length: 2\r\nExpect: 100-continue\r\n\r\n{}`, UNAUTHORIZED],
    ['1000 requests in one go', one.repeat(999) + LAST, [200]],
    ['a sound request and then rubbish', `${one}rubbish\r\n\r\n`, [200]],
    ['a request behind empty lines', `\r\n\r\n${LAST}`, [200, 400]],
    ['a GET with a body', `GET /livez HTTP/1.1\r\n${HOST}Content-Length: 2\r\nConnection: close\r\n\r\n{}`, [200, 400]],
    ['a HEAD request', `HEAD /livez HTTP/1.1\r\n${HOST}Connection: close\r\n\r\n`, [200, 404, 405]],
    ['a request smuggled as a body', `${POST}Content-Length: ${LAST.length}\r\n\r\n${LAST}`, UNAUTHORIZED],
  ]
}

/**
 * Sends the bytes to the port on this machine and then ends the sending side, so that the server cannot wait for more.
 * Resolves to the first final status (1xx does not count); rejects when nothing happened in time, which is a failure.
 */
export function sendRaw(port: number, bytes: Buffer, timeoutMs: number): Promise<RawOutcome> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    let received = ''
    const settle = (outcome: RawOutcome) => {
      socket.destroy()
      resolve(outcome)
    }
    socket.setTimeout(timeoutMs, () => {
      socket.destroy()
      reject(new Error(`No answer within ${timeoutMs} ms`))
    })
    socket.on('data', (data) => {
      received += data.toString('latin1')
      const status = /^(?:HTTP\/1\.[01] 1\d\d [\s\S]*?\r\n\r\n)*HTTP\/1\.[01] ([2-9]\d\d)/.exec(received)?.[1]
      if (status !== undefined) settle(Number(status))
    })
    // A server that closes while we still send resets the connection, which is a refusal like any other.
    socket.on('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ECONNREFUSED' ? reject(error) : settle('closed'),
    )
    socket.on('end', () => settle('closed'))
    socket.on('close', () => settle('closed'))
    socket.end(bytes)
  })
}
