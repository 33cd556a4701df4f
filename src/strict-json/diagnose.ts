// Finds all errors in a JSON text and describes them: the slow, thorough part of parseStrictJson.
import type { Message } from '../engine/message.ts'
import type { Problem } from '../engine/order.ts'
import { JSON_EXPECTED, JSON_FOUND, JSON_HINTS, JSON_MESSAGES } from './messages.ts'
import { precisionLoss } from './numbers.ts'

export type JsonLimits = { readonly nestingMax: number; readonly problemsMax: number }

/** The reading position. Functions that advance it return false if reading cannot continue. */
type Cursor = {
  readonly text: string
  readonly limits: JsonLimits
  readonly path: (string | number)[]
  readonly problems: Problem[]
  at: number
}

const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y
const LITERAL = /true|false|null/y
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y
const CLIP_LENGTH = 100

/** Common mistakes and what JSON requires instead. The first pattern that matches at the error is reported. */
const HINTS: readonly (readonly [RegExp, Message])[] = [
  [/$/y, JSON_HINTS.json_hint_end()],
  [/[+-]?(NaN|Infinity)/y, JSON_HINTS.json_hint_infinity()],
  [/'/y, JSON_HINTS.json_hint_quotes()],
  [/\/\/|\/\*|#/y, JSON_HINTS.json_hint_comments()],
  [/(?<=[0-9])\./y, JSON_HINTS.json_hint_point()],
  [/[+.]/y, JSON_HINTS.json_hint_number()],
  [/(True|False|None|undefined)\b/y, JSON_HINTS.json_hint_literals()],
  [/(?<=0)[xXoObB]/y, JSON_HINTS.json_hint_decimal()],
  [/(?<=0)[0-9]/y, JSON_HINTS.json_hint_zeros()],
  [/[}\]]/y, JSON_HINTS.json_hint_comma()],
]

/** All errors up to the first violation of JSON's grammar, which ends the reading. Empty if the text is valid. */
export function diagnoseJson(text: string, limits: JsonLimits): readonly Problem[] {
  const cursor: Cursor = { text, limits, path: [], problems: [], at: 0 }
  if (readValue(cursor)) {
    skipSpace(cursor)
    if (cursor.at < text.length) refuse(cursor, JSON_EXPECTED.json_expected_end())
  }
  return cursor.problems
}

function readValue(cursor: Cursor): boolean {
  skipSpace(cursor)
  const start = cursor.text[cursor.at]
  if (start === '{') return readContainer(cursor, '}', readMembers)
  if (start === '[') return readContainer(cursor, ']', readElements)
  if (start === '"') return readString(cursor) !== undefined
  if (match(cursor, LITERAL) !== undefined) return true
  const lexeme = match(cursor, NUMBER)
  if (lexeme === undefined) return refuse(cursor, JSON_EXPECTED.json_expected_value())
  const loss = precisionLoss(lexeme)
  return loss === undefined || report(cursor, loss)
}

/** The nesting limit also bounds the recursion, so that no body can exhaust the stack. */
function readContainer(cursor: Cursor, close: string, readParts: (cursor: Cursor) => boolean): boolean {
  const { nestingMax } = cursor.limits
  if (cursor.path.length >= nestingMax) {
    report(cursor, JSON_MESSAGES.json_too_deep({ max: nestingMax, ...placeOf(cursor) }))
    return false
  }
  cursor.at += 1
  skipSpace(cursor)
  if (cursor.text[cursor.at] !== close && !readParts(cursor)) return false
  if (cursor.text[cursor.at] !== close) return refuse(cursor, JSON_EXPECTED.json_expected_comma({ bracket: close }))
  cursor.at += 1
  return true
}

function readElements(cursor: Cursor): boolean {
  for (let index = 0; index === 0 || passComma(cursor); index += 1) {
    cursor.path.push(index)
    if (!readValue(cursor)) return false
    cursor.path.pop()
    skipSpace(cursor)
  }
  return true
}

function readMembers(cursor: Cursor): boolean {
  const names = new Set<string>()
  do {
    skipSpace(cursor)
    if (cursor.text[cursor.at] !== '"') return refuse(cursor, JSON_EXPECTED.json_expected_name())
    const name = readString(cursor)
    if (name === undefined || !enterMember(cursor, name, names)) return false
    if (!readValue(cursor)) return false
    cursor.path.pop()
    skipSpace(cursor)
  } while (passComma(cursor))
  return true
}

function enterMember(cursor: Cursor, name: string, names: Set<string>): boolean {
  cursor.path.push(name)
  if (names.has(name) && !report(cursor, JSON_MESSAGES.json_member_repeated({ name: escape(name) }))) return false
  names.add(name)
  skipSpace(cursor)
  if (cursor.text[cursor.at] !== ':') return refuse(cursor, JSON_EXPECTED.json_expected_colon())
  cursor.at += 1
  return true
}

/** The string with its escapes decoded; undefined if reading cannot continue. */
function readString(cursor: Cursor): string | undefined {
  const { text, at: start } = cursor
  let escaped = false
  cursor.at += 1
  for (let code = text.charCodeAt(cursor.at); code !== 0x22; code = text.charCodeAt(cursor.at)) {
    if (code === 0x5c) {
      escaped = true
      if (match(cursor, ESCAPE) === undefined) {
        return refuseString(cursor, JSON_EXPECTED.json_expected_escape())
      }
    } else if (code >= 0x20) cursor.at += 1
    else {
      const isEnd = Number.isNaN(code)
      return refuseString(cursor, isEnd ? JSON_EXPECTED.json_expected_quote() : JSON_EXPECTED.json_expected_escaped())
    }
  }
  cursor.at += 1
  // Without escapes there is nothing to check: UTF-8 has no lone surrogates, and an unescaped NUL violates the grammar.
  if (!escaped) return text.slice(start + 1, cursor.at - 1)
  const string = JSON.parse(text.slice(start, cursor.at)) as string
  return checkText(cursor, string) ? string : undefined
}

/** Text the database cannot store is rejected everywhere, including in members that are otherwise ignored. */
function checkText(cursor: Cursor, string: string): boolean {
  if (string.includes('\0') && !report(cursor, JSON_MESSAGES.json_nul({ text: escape(string) }))) return false
  return string.isWellFormed() || report(cursor, JSON_MESSAGES.json_half_surrogate({ text: escape(string) }))
}

function refuseString(cursor: Cursor, expected: Message): undefined {
  refuse(cursor, expected)
}

/** Reports a grammar violation at the cursor. Always returns false, because nothing after it can be trusted. */
function refuse(cursor: Cursor, expected: Message): false {
  const hint = HINTS.find(([pattern]) => match({ ...cursor }, pattern) !== undefined)?.[1]
  const code = cursor.text.codePointAt(cursor.at)
  const character =
    code === undefined
      ? JSON_FOUND.json_found_end()
      : JSON_FOUND.json_found_character({ character: escape(String.fromCodePoint(code)) })
  const fault = { ...placeOf(cursor), found: character, expected }
  report(cursor, hint ? JSON_MESSAGES.json_syntax_hint({ ...fault, hint }) : JSON_MESSAGES.json_syntax(fault))
  return false
}

/** Returns false when the problem limit is reached. */
function report(cursor: Cursor, problem: Message): boolean {
  cursor.problems.push({ path: cursor.path.map(toPointerStep).join(''), ...problem })
  return cursor.problems.length < cursor.limits.problemsMax
}

/** Long names are truncated. Otherwise 50 problems below a name of 1 MB would produce a response of 50 MB. */
function toPointerStep(step: string | number): string {
  return `/${clip(String(step)).toWellFormed().replaceAll('~', '~0').replaceAll('/', '~1')}`
}

function placeOf({ text, at }: Cursor): { readonly line: number; readonly column: number } {
  const before = text.slice(0, at)
  return { line: before.split('\n').length, column: at - before.lastIndexOf('\n') }
}

/** A text as JSON writes it between the quotes, shortened. */
function escape(text: string): string {
  return JSON.stringify(clip(text)).slice(1, -1)
}

function clip(text: string): string {
  return text.length <= CLIP_LENGTH ? text : `${text.slice(0, CLIP_LENGTH)}…`
}

function match(cursor: Cursor, pattern: RegExp): string | undefined {
  pattern.lastIndex = cursor.at
  const found = pattern.exec(cursor.text)?.[0]
  cursor.at += found?.length ?? 0
  return found
}

function passComma(cursor: Cursor): boolean {
  if (cursor.text[cursor.at] !== ',') return false
  cursor.at += 1
  return true
}

function skipSpace(cursor: Cursor): void {
  for (;;) {
    const code = cursor.text.charCodeAt(cursor.at)
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return
    cursor.at += 1
  }
}
