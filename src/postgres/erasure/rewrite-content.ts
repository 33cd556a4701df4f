// Rewrites the JSON of items and events: names are replaced, and free texts are removed, at any depth.
import { renamedOrderId } from './pseudonyms.ts'

/** What is replaced, old to new; orders by their ids as they were sent. */
export interface Renaming {
  readonly customers: ReadonlyMap<string, string>
  readonly orders: ReadonlyMap<string, string>
  readonly serials: ReadonlyMap<string, string>
}

/** Members that hold a serial number; `s` is its letter in stored items. */
const SERIAL_MEMBERS: ReadonlySet<string> = new Set(['serial_number', 'new_serial_number', 's'])
/** Metadata, and the free text of withdrawals and identifications. */
const REMOVED_MEMBERS: ReadonlySet<string> = new Set(['metadata', 'reason'])

export interface Rewritten {
  readonly content: string
  /** How many members with a free text or with metadata were removed. */
  readonly removed: number
}

/** @param content JSON as JSON.stringify wrote it, so that what is not replaced stays the same to the byte */
export function rewriteContent(content: string, { customers, orders, serials }: Renaming): Rewritten {
  let removed = 0
  const renamed = (name: string, text: string): string => {
    if (SERIAL_MEMBERS.has(name)) return serials.get(text) ?? text
    if (name === 'customer_id') return customers.get(text) ?? text
    return name === 'order_id' ? renamedOrderId(orders, text) : text
  }
  const rewrite = (name: string, value: unknown): unknown => {
    if (typeof value === 'string') return renamed(name, value)
    if (Array.isArray(value)) return value.map((one) => rewrite(name, one))
    if (typeof value !== 'object' || value === null) return value
    const kept = Object.entries(value).filter(([member]) => !REMOVED_MEMBERS.has(member))
    removed += Object.keys(value).length - kept.length
    return Object.fromEntries(kept.map(([member, one]) => [member, rewrite(member, one)]))
  }
  return { content: JSON.stringify(rewrite('', JSON.parse(content))), removed }
}

/** The serial numbers in the JSON of items or of an event. */
export function serialNumbersIn(content: string): readonly string[] {
  const found: string[] = []
  const visit = (name: string, value: unknown): void => {
    if (typeof value === 'string' && SERIAL_MEMBERS.has(name)) found.push(value)
    if (typeof value !== 'object' || value === null) return
    for (const [member, one] of Object.entries(value)) visit(Array.isArray(value) ? name : member, one)
  }
  visit('', JSON.parse(content))
  return found
}
