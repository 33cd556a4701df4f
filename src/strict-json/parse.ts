// Parses a request body as strict JSON. Returns exactly the value that was sent, or the reasons for its rejection.
import { isUtf8 } from 'node:buffer'
import type { Message } from '../engine/message.ts'
import type { Problem } from '../engine/order.ts'
import { diagnoseJson, type JsonLimits } from './diagnose.ts'
import { JSON_MESSAGES } from './messages.ts'

export type JsonResult =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly problems: readonly Problem[] }

type Decoded = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly problem: Problem }

const QUOTE = 0x22,
  COLON = 0x3a
/** A number up to this length without an exponent has too few digits to be changed by reading it as a double. */
const PLAIN_NUMBER_MAX = 15

/**
 * JSON.parse silently keeps the last of two members with the same name, rounds numbers, and accepts text that no
 * database stores. This function rejects all of them. Every order passes through it, so a plain body is scanned once
 * and parsed natively; only a body with uncommon content is parsed thoroughly.
 */
export function parseStrictJson(bytes: Uint8Array, limits: JsonLimits): JsonResult {
  const decoded = decode(bytes)
  if (!decoded.ok) return { ok: false, problems: [decoded.problem] }
  const { text } = decoded
  const members = countPlainMembers(text, limits.nestingMax)
  if (members !== undefined) {
    const value = parse(text)
    // A duplicate member is counted twice in the text but only once in the value.
    if (value !== undefined && countMembers(value) === members) return { ok: true, value }
  }
  const problems = diagnoseJson(text, limits)
  return problems.length > 0 ? { ok: false, problems } : { ok: true, value: JSON.parse(text) as unknown }
}

/**
 * Decodes strict UTF-8. A leading byte order mark is skipped, as RFC 8259 section 8.1 allows: it has no meaning, and
 * Windows tools add it by default.
 */
function decode(bytes: Uint8Array): Decoded {
  const marked = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
  const start = marked ? 3 : 0
  const body = Buffer.from(bytes.buffer, bytes.byteOffset + start, bytes.byteLength - start)
  if (looksUtf16(bytes)) return refuseBytes(JSON_MESSAGES.body_utf16())
  if (!isUtf8(body)) return refuseBytes(JSON_MESSAGES.body_not_utf8({ byte: findBadByte(body) }))
  if (body.length === 0) return refuseBytes(JSON_MESSAGES.body_empty())
  return { ok: true, text: body.toString('utf8') }
}

/**
 * A JSON text starts with two ASCII characters or is a single one, so a NUL in the first two bytes reveals the
 * encoding.
 */
function looksUtf16(bytes: Uint8Array): boolean {
  const [first, second] = bytes
  return first === 0 || second === 0 || (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)
}

function refuseBytes(why: Message): Decoded {
  return { ok: false, problem: { path: '', ...why } }
}

/** The offset up to which the body may be valid UTF-8, found by bisection. */
function findBadByte(body: Uint8Array): number {
  let good = 0
  let bad = body.length
  while (bad - good > 1) {
    const middle = (good + bad) >> 1
    if (isUtf8Start(body.subarray(0, middle))) good = middle
    else bad = middle
  }
  return good
}

/** True if these bytes are UTF-8, apart from a possibly truncated last character. */
function isUtf8Start(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true })
    return true
  } catch {
    return false
  }
}

/**
 * The number of members in the text, or undefined if the text needs the thorough parser: it contains an escape, a
 * number that might change, or deep nesting. The text need not be valid JSON; JSON.parse checks that.
 */
function countPlainMembers(text: string, nestingMax: number): number | undefined {
  if (text.includes('\\')) return undefined
  let members = 0
  let nesting = 0
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) {
      at += 1
      while (at < text.length && text.charCodeAt(at) !== QUOTE) at += 1
    } else if (code === COLON) members += 1
    // "[" and "{", and "]" and "}", differ by one bit only.
    else if ((code | 0x20) === 0x7b) {
      nesting += 1
      if (nesting > nestingMax) return undefined
    } else if ((code | 0x20) === 0x7d) nesting -= 1
    else if (code >= 0x30 && code <= 0x39) {
      const end = endOfPlainNumber(text, at)
      if (end - at > PLAIN_NUMBER_MAX || (text.charCodeAt(end) | 0x20) === 0x65) return undefined
      at = end - 1
    }
  }
  return members
}

function endOfPlainNumber(text: string, start: number): number {
  let at = start + 1
  for (;;) {
    const code = text.charCodeAt(at)
    // Digits and the decimal point. The slash between them in the character table is rejected by JSON.parse.
    if (!(code >= 0x2e && code <= 0x39)) return at
    at += 1
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

/**
 * Counts the members of all objects in the value. The nesting, and so this recursion, was limited before. `for in` is
 * several times faster here than Object.values, and an enumerable member of Object.prototype would only cause the slow
 * path.
 */
function countMembers(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  let count = 0
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) count += countMembers(value[index])
    return count
  }
  for (const name in value) count += 1 + countMembers((value as Record<string, unknown>)[name])
  return count
}
