// JSON values with exact decimal numbers, as receipts are read and compared: parsing, canonical text, hash, difference.
import { hash } from 'node:crypto'
import { compareCodePoints } from '../engine/device-timeline.ts'
import type { Resumable } from '../engine/numbers/steps.ts'
import { escapePointer } from '../engine/order.ts'
import { rationalOfNumber, toDecimal, toExactText, type Rational } from '../engine/numbers/rational.ts'

/** A JSON number in shortest decimal form. */
export class JsonNumber {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }

  /** The double that prints as these digits, as RFC 8785 writes numbers. @throws RangeError if there is none */
  toJSON(): number {
    const value = Number(this.text)
    // Most texts are as ECMAScript writes them; the others have an exponent there.
    if (String(value) === this.text) return value
    if (Number.isFinite(value) && toExactText(rationalOfNumber(value)) === this.text) return value
    throw new RangeError(`The number ${this.text.slice(0, 40)} cannot be held by a double`)
  }
}

/** A decimal that Cradle computed. Receipts since version 3 and statements since version 4 have it as a string. */
export class JsonDecimal extends JsonNumber {}

export type JsonValue = null | boolean | string | JsonNumber | readonly JsonValue[] | JsonObject
export interface JsonObject {
  readonly [name: string]: JsonValue
}

export const isJsonObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !(value instanceof JsonNumber) && !Array.isArray(value)

export const withoutMembers = (object: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)))

const isRatio = (value: object): value is Rational => 'numerator' in value && typeof value.numerator === 'bigint'

/** Converts a value to JSON: ratios with up to 12 decimals, other numbers exactly; undefined members are omitted. */
export const toJsonValue = (value: unknown): JsonValue => convert(value, (decimal) => decimal)

/** The same, with decimals as strings, so that any language reads them exactly and writes them alike. */
export const toTextualValue = (value: unknown): JsonValue => convert(value, ({ text }) => text)

function convert(value: unknown, printDecimal: (decimal: JsonDecimal) => JsonValue): JsonValue {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'number') return new JsonNumber(toExactText(rationalOfNumber(value)))
  if (value instanceof JsonDecimal) return printDecimal(value)
  if (value instanceof JsonNumber) return value
  if (Array.isArray(value)) return value.map((one) => convert(one, printDecimal))
  if (typeof value !== 'object') throw new TypeError(`A receipt cannot hold a ${typeof value}`)
  if (isRatio(value)) return printDecimal(new JsonDecimal(toDecimal(value)))
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  return Object.fromEntries(members.map(([name, member]) => [name, convert(member, printDecimal)]))
}

type Reviver = (name: string, value: unknown, context: { readonly source?: string }) => unknown
/** Part of the language since ES2026, but not yet in the types of TypeScript 5.9. */
const parseJson = JSON.parse as (text: string, reviver: Reviver) => unknown

const NUMERAL = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/
/** Enough for every number of an order, including 5e-324. A higher limit would only make a hostile file costlier. */
const CHARACTERS_MAX = 400
const EXPONENT_MAX = 400

/** A JSON number in shortest decimal form without exponent, derived from its digits alone. */
function shortestOf(source: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = NUMERAL.exec(source.slice(0, CHARACTERS_MAX)) ?? []
  if (source.length > CHARACTERS_MAX || Math.abs(Number(exponent)) > EXPONENT_MAX) {
    throw new SyntaxError(`A number has more than ${CHARACTERS_MAX} digits`)
  }
  const scale = fraction.length - Number(exponent)
  const digits = (whole + fraction + '0'.repeat(Math.max(0, -scale))).padStart(scale + 1, '0')
  const point = digits.length - Math.max(0, scale)
  const above = digits.slice(0, point).replace(/^0+(?=\d)/, '')
  const below = digits.slice(point).replace(/0+$/, '')
  if (below === '') return above === '0' ? '0' : sign + above
  return `${sign}${above}.${below}`
}

const STRING = /"(?:[^"\\]+|\\.)*"(\s*:)?/g

/**
 * Reads JSON without converting any number to a binary double.
 * @throws Error if the text is not JSON, a number is too long, the nesting is too deep, or an object contains a member
 * twice, because parsers differ on which of the two counts
 */
export function parseExactJson(text: string): JsonValue {
  let members = 0
  const tree = parseJson(text, (_, value, { source }) => {
    if (typeof value === 'number') return new JsonNumber(shortestOf(source!))
    if (isJsonObject(value as JsonValue)) members += Object.keys(value as object).length
    return value
  }) as JsonValue
  const names = text.matchAll(STRING).reduce((count, match) => count + (match[1] === undefined ? 0 : 1), 0)
  if (names !== members) throw new SyntaxError('A member stands twice')
  refuseDeep(tree, NESTING_MAX)
  return tree
}

/** Several times the depth of any document Cradle writes. Functions that walk a tree are recursive. */
const NESTING_MAX = 100

function refuseDeep(tree: JsonValue, levels: number): void {
  if (tree === null || typeof tree !== 'object' || tree instanceof JsonNumber) return
  if (levels === 0) throw new SyntaxError(`It is nested more than ${NESTING_MAX} levels deep`)
  for (const one of Object.values(tree as JsonObject)) refuseDeep(one, levels - 1)
}

type MembersOf = (object: JsonObject) => [string, JsonValue][]

/** How a tree is written: the members of an object in their order, and each value as text. */
export interface JsonForm {
  readonly membersOf: MembersOf
  readonly write: (tree: JsonValue) => string
}

const AS_IT_IS: JsonForm = { membersOf: Object.entries, write: (tree) => write(tree, Object.entries) }

/** JSON text with the members in their existing order. */
export const canonicalise = AS_IT_IS.write

export function* canonicaliseResumable(tree: JsonObject): Resumable<string> {
  const pieces: string[] = []
  yield* writeInSteps(tree, AS_IT_IS, (piece) => void pieces.push(piece))
  return pieces.join('')
}

/**
 * The canonical order of documents before RFC 8785: members sorted by code point. `write` adds no white space and uses
 * shortest decimal numbers.
 */
const inSequence: MembersOf = (object) => Object.entries(object).sort(([a], [b]) => compareNames(a, b))

/** Compares by code point. Names without surrogates (nearly all) need no conversion. */
export const compareNames = (a: string, b: string): number =>
  SURROGATE.test(a + b) ? compareCodePoints(a, b) : a < b ? -1 : a > b ? 1 : 0

const SURROGATE = /[\ud800-\udfff]/

function write(tree: JsonValue, membersOf: MembersOf): string {
  if (tree instanceof JsonNumber) return tree.text
  if (Array.isArray(tree)) return `[${tree.map((one: JsonValue) => write(one, membersOf)).join(',')}]`
  if (!isJsonObject(tree)) return JSON.stringify(tree)
  const members = membersOf(tree).map(([name, value]) => `${JSON.stringify(name)}:${write(value, membersOf)}`)
  return `{${members.join(',')}}`
}

/** Writes piece by piece, with a step for every element of a list that is a direct member of the object. */
export function* writeInSteps(object: JsonObject, form: JsonForm, put: (piece: string) => void): Resumable<void> {
  let before = '{'
  for (const [name, value] of form.membersOf(object)) {
    put(`${before}${JSON.stringify(name)}:`)
    before = ','
    if (Array.isArray(value)) {
      put('[')
      for (const [at, one] of (value as readonly JsonValue[]).entries()) {
        put(at === 0 ? form.write(one) : `,${form.write(one)}`)
        yield
      }
      put(']')
    } else {
      put(form.write(value))
      yield
    }
  }
  put(before === '{' ? '{}' : '}')
}

/** The digest of documents before RFC 8785. */
export const sha256OfCanonical = (tree: JsonValue): string => hash('sha256', write(tree, inSequence))

/** A value that is not what the rest comes to: of a row of the database, a receipt or a statement. */
export interface Difference {
  /** In a document, a JSON pointer: empty if its values do not belong together. */
  readonly place: string
  readonly found: string
  readonly expected: string
}

export const describeDifference = ({ place, found, expected }: Difference): string =>
  `${place === '' ? 'the whole document' : place}: found ${found}, expected ${expected}`

const SHOWN_MAX = 200

/** The JSON text of a value, shortened for use in a message about a difference. */
export function quoteValue(value: JsonValue | undefined): string {
  if (value === undefined) return 'nothing'
  const text = canonicalise(value)
  return text.length <= SHOWN_MAX ? text : `${text.slice(0, SHOWN_MAX)}…`
}

/** The first difference in the order of the expected value, or null. */
export function firstDifference(
  expected: JsonValue | undefined,
  found: JsonValue | undefined,
  place = '',
): Difference | null {
  if (isJsonObject(expected) && isJsonObject(found)) {
    const names = new Set([...Object.keys(expected), ...Object.keys(found)])
    return firstOf(names, (name) => firstDifference(member(expected, name), member(found, name), at(place, name)))
  }
  if (Array.isArray(expected) && Array.isArray(found)) {
    const places = Array.from({ length: Math.max(expected.length, found.length) }, (_, no) => no)
    const [a, b] = [expected as readonly JsonValue[], found as readonly JsonValue[]]
    return firstOf(places, (no) => firstDifference(a[no], b[no], `${place}/${no}`))
  }
  if (expected instanceof JsonNumber && found instanceof JsonNumber && expected.text === found.text) return null
  return expected === found ? null : { place, found: quoteValue(found), expected: quoteValue(expected) }
}

/** The same for two objects, with a step for every member and for every element of a member that is a list. */
export function* firstDifferenceResumable(expected: JsonObject, found: JsonObject): Resumable<Difference | null> {
  for (const name of new Set([...Object.keys(expected), ...Object.keys(found)])) {
    const [a, b, pointer] = [member(expected, name), member(found, name), at('', name)]
    const areLists = Array.isArray(a) && Array.isArray(b) && a.length === b.length
    const pairs = areLists
      ? a.map((one, place) => [one, b[place], `${pointer}/${place}`] as const)
      : [[a, b, pointer] as const]
    for (const [one, other, place] of pairs) {
      const difference = firstDifference(one as JsonValue, other as JsonValue, place)
      if (difference) return difference
      yield
    }
  }
  return null
}

const at = (pointer: string, name: string): string => `${pointer}/${escapePointer(name)}`

/** Own members only, because a document may contain a member named `constructor`. */
const member = (object: JsonObject, name: string): JsonValue | undefined =>
  Object.hasOwn(object, name) ? object[name] : undefined

function firstOf<One>(all: Iterable<One>, find: (one: One) => Difference | null): Difference | null {
  for (const one of all) {
    const difference = find(one)
    if (difference) return difference
  }
  return null
}
