// Hostile bodies by the headers around them: content types, character sets, compressions and bombs.
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import type { HostileCase, Workbench } from './hostile-order.ts'

const WRONG_TYPES = [
  'text/plain',
  'text/json',
  'text/html',
  'application/xml',
  'text/xml',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/octet-stream',
  'application/javascript',
  'application/jsonp',
  'application/json-seq',
  'application/x-ndjson',
  'application/cbor',
  'image/png',
  '*/*',
  'application/*',
  'json',
  'application',
  'application/',
  '/json',
  ';',
  'application/json/extra',
  'application/json, text/plain',
  'application/json\u00a0',
  'undefined',
  'null',
]
const RIGHT_TYPES = [
  'application/json',
  'application/json; charset=utf-8',
  'application/json;charset=UTF-8',
  'application/json; charset="utf-8"',
  'APPLICATION/JSON',
  'Application/Json; Charset=Utf-8',
]

export function transferCases({ order }: Workbench): readonly HostileCase[] {
  const text = () => JSON.stringify(order())
  const typed = (type: string, expect: readonly number[], body: Buffer | string = text()): HostileCase => ({
    name: `the content type ${type === '' ? 'left out' : type}`,
    body,
    headers: { 'content-type': type },
    expect,
  })
  return [
    ...WRONG_TYPES.map((type): HostileCase => ({ ...typed(type, [415, 400]), stored: false })),
    { ...typed('', [415, 400]), stored: false },
    ...RIGHT_TYPES.map((type) => typed(type, [200])),
    { ...typed('application/json; charset=utf-16', [415, 400], Buffer.from(text(), 'utf16le')), stored: false },
    {
      ...typed('application/json; charset=iso-8859-1', [415, 400], Buffer.from('{"customer_id":"é"}', 'latin1')),
      stored: false,
    },
    { ...typed('application/json; charset=utf-7', [415, 400], '+AHs-}'), stored: false },
    typed('application/json; boundary=x', [200, 400, 415]),
    typed('application/vnd.api+json', [200, 400, 415]),
    ...compressionCases(text),
  ]
}

/** Only gzip is unpacked, once, and no further than an order may be large, so no bomb can go off. */
function compressionCases(text: () => string): readonly HostileCase[] {
  const bomb = gzipSync(Buffer.alloc(50_000_000, ' '))
  const encoded = (name: string, encoding: string, body: Buffer | string): HostileCase => ({
    name,
    body,
    headers: { 'content-encoding': encoding },
    expect: [415, 400],
    stored: false,
  })
  const unpacked = (name: string, encoding: string): HostileCase => ({
    name,
    body: gzipSync(text()),
    headers: { 'content-encoding': encoding },
    expect: [200],
  })
  return [
    unpacked('an order in gzip', 'gzip'),
    unpacked('an order in gzip, called x-gzip', 'x-gzip'),
    encoded('an order in deflate', 'deflate', deflateSync(text())),
    encoded('an order in Brotli', 'br', brotliCompressSync(text())),
    encoded('an order in gzip twice', 'gzip, gzip', gzipSync(gzipSync(text()))),
    { ...encoded('a gzip bomb of 50 MB', 'gzip', bomb), expect: [413] },
    encoded('a gzip bomb within a gzip', 'gzip, gzip', gzipSync(bomb)),
    encoded('a plain order that claims to be gzip', 'gzip', text()),
    encoded('a plain order that claims to be zstd', 'zstd', text()),
    encoded('a plain order in an unknown encoding', 'rot13', text()),
    encoded('gzip bytes without a content encoding', '', gzipSync(text())),
    {
      name: 'a plain order in the encoding identity',
      body: text(),
      headers: { 'content-encoding': 'identity' },
      expect: [200, 415],
    },
  ]
}
