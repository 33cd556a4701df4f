// Typed access to one JSON value of a receipt or statement; a value of the wrong form raises an error with its pointer.
import { isCalendarDay } from '../engine/numbers/calendar.ts'
import { escapePointer } from '../engine/order.ts'
import { compare, fromExactText, toExactText, whole, type Rational } from '../engine/numbers/rational.ts'
import { JsonNumber, isJsonObject, quoteValue, type Difference, type JsonValue } from './exact-tree.ts'

/** A value does not have the required form. */
export class DecodeError extends Error {
  readonly pointer: string
  readonly found: JsonValue | undefined
  constructor({ pointer, value }: Decoder, expected: string) {
    super(expected)
    this.pointer = pointer
    this.found = value
  }
}

/**
 * What an error says that was thrown where values of a document do not have the required form, or do not belong
 * together.
 * @throws the error, if it is another one
 */
export function differenceOfError(error: unknown): Difference {
  if (error instanceof DecodeError)
    return { place: error.pointer, found: quoteValue(error.found), expected: error.message }
  // The engine throws a RangeError with the reason if inputs are inconsistent; a missing value causes a TypeError.
  if (!(error instanceof RangeError || error instanceof TypeError)) throw error
  const found = error instanceof RangeError ? error.message : 'a missing value'
  return { place: '', found, expected: 'consistent inputs' }
}

/**
 * Enough for every number an order can contain, including 5e-324. A higher limit would only make a hostile file
 * costlier.
 */
const NUMBER_CHARACTERS_MAX = 400
const FIRST_DAY = '1990-01-01'
const LAST_DAY = '2200-01-01'
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/

export class Decoder {
  readonly value: JsonValue | undefined
  readonly pointer: string
  constructor(value: JsonValue | undefined, pointer = '') {
    this.value = value
    this.pointer = pointer
  }

  fault(expected: string): DecodeError {
    return new DecodeError(this, expected)
  }

  /** A member of the object; a decoder without a value if the object has no such member. */
  get(name: string): Decoder {
    if (!isJsonObject(this.value)) throw this.fault('an object')
    const value = Object.hasOwn(this.value, name) ? this.value[name] : undefined
    return new Decoder(value, `${this.pointer}/${escapePointer(name)}`)
  }

  /** True if the object has such a member. */
  has(name: string): boolean {
    return isJsonObject(this.value) && Object.hasOwn(this.value, name)
  }

  list(): readonly Decoder[] {
    if (!Array.isArray(this.value)) throw this.fault('an array')
    return (this.value as readonly JsonValue[]).map((value, at) => new Decoder(value, `${this.pointer}/${at}`))
  }

  text(): string {
    if (typeof this.value !== 'string') throw this.fault('a string')
    return this.value
  }

  /** @param names the permitted values */
  oneOf<const Name extends string>(names: readonly Name[]): Name {
    const name = names.find((one) => one === this.value)
    if (name === undefined) throw this.fault(`one of ${names.join(', ')}`)
    return name
  }

  day(): string {
    const day = this.text()
    if (!isCalendarDay(day)) throw this.fault('a calendar day, YYYY-MM-DD')
    return day
  }

  /** A day within the range accepted for orders and events. */
  takenDay(): string {
    const day = this.day()
    if (day < FIRST_DAY || day > LAST_DAY) throw this.fault(`a day from ${FIRST_DAY} to ${LAST_DAY}`)
    return day
  }

  /** A time in RFC 3339 format. @returns milliseconds since 1970 */
  time(): number {
    const time = this.text()
    const since = Date.parse(time)
    if (!TIME.test(time) || !isCalendarDay(time.slice(0, 10)) || Number.isNaN(since)) {
      throw this.fault('a time, RFC 3339')
    }
    return since
  }

  /** Requires exactly this value, or that the value is absent if `expected` is undefined. */
  is(expected: string | null | undefined): void {
    if (this.value !== expected) throw this.fault(expected ?? (expected === null ? 'null' : 'nothing'))
  }

  flag(): boolean {
    if (typeof this.value !== 'boolean') throw this.fault('true or false')
    return this.value
  }

  /** A JSON number. */
  number(): Rational {
    if (!(this.value instanceof JsonNumber)) throw this.fault('a number')
    return this.ratioOf(this.value.text)
  }

  /** A decimal that newer forms of documents write as a string, and older ones as a number. */
  decimal(): Rational {
    return typeof this.value === 'string' ? this.exact() : this.number()
  }

  /** An exact number as text: a decimal or a fraction. */
  exact(): Rational {
    return this.ratioOf(this.text())
  }

  /** A number from 0 to `max`. */
  amount(max: number): Rational {
    return this.upTo(max, this.number())
  }

  /** A decimal from 0 to `max`, as a string or a number. */
  decimalAmount(max: number): Rational {
    return this.upTo(max, this.decimal())
  }

  /** An exact number as text, from 0 to `max`. */
  exactAmount(max: number): Rational {
    return this.upTo(max, this.exact())
  }

  private upTo(max: number, value: Rational): Rational {
    if (value.numerator < 0n || compare(value, whole(max)) > 0) throw this.fault(`0 to ${max}`)
    return value
  }

  /** A whole number. @param max the largest permitted value */
  integer(max: number): number {
    const number = Number(toExactText(this.number()))
    if (!Number.isInteger(number) || number < 0 || number > max) throw this.fault(`a whole number up to ${max}`)
    return number
  }

  /** Null if the value is null or absent. */
  maybe<Value>(read: (node: Decoder) => Value): Value | null {
    return this.value === null || this.value === undefined ? null : read(this)
  }

  private ratioOf(text: string): Rational {
    try {
      if (text.length <= NUMBER_CHARACTERS_MAX) return fromExactText(text)
    } catch (error) {
      if (!(error instanceof RangeError)) throw error
    }
    throw this.fault('an exact number')
  }
}
