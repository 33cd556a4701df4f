// A place in a receipt that is read: what stands there in the form it has to have, or a fault that names the place.
import { isCalendarDay } from '../engine/calendar.ts'
import type { Ratio } from '../engine/ratio.ts'
import { Numeral, fromExact, isTreeObject, toExact, type Tree } from './receipt-json.ts'
import { escapePointer } from './read-order.ts'

/** A place of a receipt is not what it has to be. */
export class ReceiptFault extends Error {
  readonly pointer: string
  readonly found: Tree | undefined
  constructor({ pointer, value }: Node, expected: string) {
    super(expected)
    this.pointer = pointer
    this.found = value
  }
}

/** Enough for every number that an order can have, 5e-324 included; more would only let a hostile file cost more. */
const NUMBER_CHARACTERS_MAX = 400

export class Node {
  readonly value: Tree | undefined
  readonly pointer: string
  constructor(value: Tree | undefined, pointer = '') {
    this.value = value
    this.pointer = pointer
  }

  fault(expected: string): ReceiptFault {
    return new ReceiptFault(this, expected)
  }

  /** A member; where there is none, a place without a value. */
  get(name: string): Node {
    if (!isTreeObject(this.value)) throw this.fault('an object')
    const value = Object.hasOwn(this.value, name) ? this.value[name] : undefined
    return new Node(value, `${this.pointer}/${escapePointer(name)}`)
  }

  list(): readonly Node[] {
    if (!Array.isArray(this.value)) throw this.fault('an array')
    return (this.value as readonly Tree[]).map((value, at) => new Node(value, `${this.pointer}/${at}`))
  }

  text(): string {
    if (typeof this.value !== 'string') throw this.fault('a string')
    return this.value
  }

  /** @param names what may stand here */
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

  flag(): boolean {
    if (typeof this.value !== 'boolean') throw this.fault('true or false')
    return this.value
  }

  /** A JSON number. */
  number(): Ratio {
    if (!(this.value instanceof Numeral)) throw this.fault('a number')
    return this.ratioOf(this.value.text)
  }

  /** An exact number as text: a decimal, or a fraction. */
  exact(): Ratio {
    return this.ratioOf(this.text())
  }

  /** A whole number. @param max the largest that it may be */
  integer(max: number): number {
    const number = Number(toExact(this.number()))
    if (!Number.isInteger(number) || number < 0 || number > max) throw this.fault(`a whole number up to ${max}`)
    return number
  }

  /** Null where null stands here, or nothing. */
  maybe<Value>(read: (node: Node) => Value): Value | null {
    return this.value === null || this.value === undefined ? null : read(this)
  }

  private ratioOf(text: string): Ratio {
    try {
      if (text.length <= NUMBER_CHARACTERS_MAX) return fromExact(text)
    } catch (error) {
      if (!(error instanceof RangeError)) throw error
    }
    throw this.fault('an exact number')
  }
}
