// Tests which request bodies are accepted, with individual cases and with random bodies, bytes and numbers.
import { test } from 'node:test'
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { parseStrictJson } from './parse.ts'

const LIMITS = { nestingMax: 20, problemsMax: 50 }

const read = (body: string | Uint8Array) => parseStrictJson(Buffer.from(body as string), LIMITS)
const problemsOf = (body: string | Uint8Array) => {
  const result = read(body)
  return result.ok ? [] : result.problems
}
const messageOf = (body: string | Uint8Array) =>
  problemsOf(body)
    .map(({ message }) => message)
    .join('\n')
const pathsOf = (body: string | Uint8Array) => problemsOf(body).map(({ path }) => path)

test('a sound body is read as JSON.parse reads it', () => {
  for (const body of [
    '{}',
    '[]',
    'null',
    ' {"a" : [1, 2.5, true, null, "é\\n\\u0061"] }\r\n',
    '"\u2028"',
    '-0',
    '3.0',
    '30e-1',
  ]) {
    assert.deepEqual(read(body), { ok: true, value: JSON.parse(body) as unknown })
  }
})

test('a part of a larger buffer is read without its surroundings', () => {
  const part = new Uint8Array(Buffer.from('x{"a":1}x')).subarray(1, 8)
  assert.deepEqual(parseStrictJson(part, LIMITS), { ok: true, value: { a: 1 } })
})

test('a UTF-8 byte order mark is passed over, once', () => {
  assert.deepEqual(read('\ufeff{"a":1}'), { ok: true, value: { a: 1 } })
  assert.match(messageOf('\ufeff\ufeff{}'), /Not valid JSON at line 1, column 1/)
})

test('bytes that are not UTF-8 are refused, saying where', () => {
  const inQuotes = (...bytes: number[]) => Buffer.from([0x22, 0x61, ...bytes, 0x22])
  for (const bad of [[0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf5, 0x80, 0x80, 0x80], [0xc3]]) {
    assert.match(messageOf(inQuotes(...bad)), /not valid UTF-8 \(near byte [23]\)/)
  }
})

test('UTF-16 and UTF-32 are named as such', () => {
  const utf16 = Buffer.from('\ufeff{"a":1}', 'utf16le')
  for (const body of [utf16, utf16.subarray(2), Buffer.from(utf16).swap16(), Buffer.from(utf16).swap16().subarray(2)]) {
    assert.match(messageOf(body), /UTF-16/)
  }
})

test('a breach of the grammar is told with its line, its column and what would be right', () => {
  const sentences: readonly (readonly [string, RegExp])[] = [
    ['', /The body is empty/],
    ['{\n "a": 1,\n}', /line 3, column 1: found "}" in place of a member name.*no comma precedes/],
    ['{"a":01}', /column 7: found "1".*no leading zeros/],
    ['+1', /begins with a digit/],
    ['.5', /0\.5/],
    ['1.', /digits on both sides/],
    ['0x1F', /decimal/],
    ['[NaN]', /NaN and Infinity are not/],
    ['[-Infinity]', /NaN and Infinity are not/],
    ["{'a':1}", /double quotes/],
    ['{a:1}', /member name in double quotes/],
    ['1 // one', /no comments/],
    ['[1 2]', /found "2" in place of a comma or "]"$/],
    ['{"a" 1}', /a colon after/],
    ['"a\nb"', /its escape/],
    ['"\\x"', /one of the escapes/],
    ['"abc', /a closing double quote; the body ends/],
    ['[None]', /true, false and null/],
    ['{"a":1} {}', /the end of the body/],
    ['tru', /found "t" in place of a value/],
  ]
  for (const [body, sentence] of sentences) assert.match(messageOf(body), sentence, body)
})

test('nesting is read to the limit and refused beyond it', () => {
  assert.equal(read('['.repeat(20) + ']'.repeat(20)).ok, true)
  assert.match(messageOf('['.repeat(21) + ']'.repeat(21)), /Nested deeper than 20 levels, at line 1, column 21/)
})

test('a member that stands twice in one object is refused by name and path, however it is spelt', () => {
  assert.deepEqual(pathsOf('{"a":1,"a":1}'), ['/a'])
  assert.deepEqual(pathsOf('{"a":1,"\\u0061":2}'), ['/a'])
  assert.deepEqual(pathsOf('{"items":[{},{"a/b~":{"x":1,"x":2},"a/b~":1}]}'), ['/items/1/a~1b~0/x', '/items/1/a~1b~0'])
  assert.deepEqual(pathsOf('{"__proto__":1,"__proto__":2}'), ['/__proto__'])
  assert.match(messageOf('{"a":1,"a":1}'), /"a" is sent twice in one object; send it once/)
  assert.equal(read('{"a":{"a":1},"A":2,"b":[{"a":1},{"a":1}]}').ok, true)
})

test('what cannot be stored is refused wherever it stands', () => {
  for (const body of ['{"a":["\\u0000"]}', '{"a":["\\ud800"]}', '{"a":["x\\udc00\\ud800"]}']) {
    assert.deepEqual(pathsOf(body), ['/a/0'])
  }
  assert.equal(pathsOf('{"\\u0000":1,"\\ud83d":2}').length, 2)
  assert.deepEqual(read('"\\ud83d\\ude00"'), { ok: true, value: '😀' })
})

test('names of Object.prototype are members like any other, and change no object', () => {
  const names = ['__proto__', 'constructor', 'prototype', 'hasOwnProperty', 'toString', '__defineGetter__']
  const result = read(`{${names.map((name) => `"${name}":{"polluted":1}`).join()}}`)
  assert.ok(result.ok)
  assert.deepEqual(Object.keys(result.value as object), names)
  assert.equal('polluted' in {}, false)
})

test('numbers that a double would change are refused with the number it would be read as', () => {
  for (const lexeme of [
    '9007199254740993',
    '1.23456789012345678',
    '18446744073709551615',
    '1e400',
    '-1e400',
    '1e-400',
    '0.1000000000000000055511151231257827',
    '4e-324',
    '9'.repeat(400),
    `0.${'0'.repeat(400)}1`,
  ]) {
    assert.equal(read(lexeme).ok, false, lexeme)
  }
  assert.match(messageOf('9007199254740993'), /would be read as 9007199254740992\).*at most 15 significant digits/)
  for (const lexeme of [
    '0.30000000000000004',
    '9007199254740991',
    '1.50000000000000000000',
    '5e-324',
    '0e999',
    '-0.0',
    '1e21',
    '1000000000000000000000000',
    '1.7976931348623157e308',
    '0.000000000000000000000000001',
  ]) {
    assert.deepEqual(read(lexeme), { ok: true, value: Number(lexeme) }, lexeme)
  }
})

test('all faults are told at once, up to the limit, and briefly even under a long name', () => {
  assert.deepEqual(pathsOf('{"a":1e999,"b":["\\u0000",1e-999],"a":1,'), ['/a', '/b/0', '/b/1', '/a', ''])
  const problems = problemsOf(`{"${'n'.repeat(500_000)}":[${Array<string>(100).fill('1e999').join()}]}`)
  assert.equal(problems.length, 50)
  assert.ok(JSON.stringify(problems).length < 50 * 300)
})

test('every value that JSON.stringify writes is read back equal, in any layout', () => {
  const json = fc.jsonValue({ maxDepth: 6, noUnicodeString: false, stringUnit: 'binary' })
  fc.assert(
    fc.property(json, fc.constantFrom('', ' ', '\t', '\r\n'), (value, space) => {
      const text = JSON.stringify(value, null, space)
      if (text.includes('\\u0000')) return
      assert.deepEqual(read(text), { ok: true, value: JSON.parse(text) as unknown })
    }),
    { numRuns: 2_000 },
  )
})

test('a damaged body never throws, and what is accepted is valid JSON of one meaning', () => {
  const bodies = fc.jsonValue({ maxDepth: 4 }).map((value) => Buffer.from(JSON.stringify(value)))
  const edit = fc.record({
    at: fc.nat(),
    remove: fc.nat(3),
    insert: fc.oneof(
      fc.constantFrom('"', '\\', '{', '}', '[', ']', ',', ':', '0', '-', '.', 'e'),
      fc.constantFrom('"a":1,', '\\u0000', '\\ud800', '/', ' '),
      fc.uint8Array({ maxLength: 3 }),
    ),
  })
  fc.assert(
    fc.property(bodies, fc.array(edit, { minLength: 1, maxLength: 3 }), (body, edits) => {
      const damaged = edits.reduce((bytes, { at, remove, insert }) => {
        const start = at % (bytes.length + 1)
        const parts = [bytes.subarray(0, start), Buffer.from(insert as string), bytes.subarray(start + remove)]
        return Buffer.concat(parts)
      }, body)
      agreesWithJsonParse(damaged)
    }),
    { numRuns: 5_000 },
  )
})

test('a number is accepted if and only if its decimal value comes back from a double', () => {
  const digits = (maxLength: number) => fc.array(fc.nat(9), { minLength: 1, maxLength }).map((list) => list.join(''))
  const power = fc.integer({ min: -345, max: 320 })
  const lexeme = fc
    .tuple(fc.constantFrom('', '-'), digits(20), fc.option(digits(20)), fc.option(power))
    .map(
      ([sign, whole, fraction, power]) =>
        sign + BigInt(whole) + (fraction === null ? '' : `.${fraction}`) + (power === null ? '' : `E${power}`),
    )
  const doubles = fc.double({ noNaN: true, noDefaultInfinity: true }).map(String)
  fc.assert(
    fc.property(fc.oneof(lexeme, doubles), (number) => {
      assert.equal(read(`{"a":${number}}`).ok, survives(number), number)
    }),
    { numRuns: 10_000 },
  )
})

/** Valid JSON may be rejected only for our rules beyond the grammar; invalid JSON must always be rejected. */
function agreesWithJsonParse(bytes: Buffer): void {
  const result = read(bytes)
  let value: unknown
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    assert.equal(result.ok, false)
    return
  }
  if (result.ok) assert.deepEqual(result.value, value)
  else for (const { message } of result.problems) assert.match(message, /twice|U\+0000|surrogate|JSON number/)
}

/** The oracle: both decimals are converted to exact fractions over one power of ten and compared as integers. */
function survives(lexeme: string): boolean {
  const read = Number(lexeme)
  return Number.isFinite(read) && toScaled(lexeme) === toScaled(String(read))
}

function toScaled(decimal: string): bigint {
  const {
    sign,
    whole,
    fraction = '',
    power = '0',
  } = /^(?<sign>-?)(?<whole>\d+)(?:\.(?<fraction>\d+))?(?:[eE](?<power>[+-]?\d+))?$/.exec(decimal)!.groups!
  const scaled = BigInt(whole! + fraction) * 10n ** BigInt(800 + Number(power) - fraction.length)
  return sign === '-' ? -scaled : scaled
}
