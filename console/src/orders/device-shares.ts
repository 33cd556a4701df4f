// What each device of an order carries: the sum of what was posted to it, part by part.
import { sumOfKilograms } from '../emissions/kilograms.ts'
import { PARTS, type Part } from '../emissions/parts.ts'
import type { Entry } from './order-parts.ts'

export interface Share {
  /** Null where it was posted to the order alone, as that has no device. */
  readonly serial: string | null
  readonly entries: readonly Entry[]
  readonly parts: Readonly<Record<Part, number>>
  readonly total: number
}

/** By device, the heaviest first. */
export function sharesOf(entries: readonly Entry[]): readonly Share[] {
  const bySerial = Map.groupBy(entries, ({ serial_number: serial }) => serial ?? null)
  return [...bySerial]
    .map(([serial, own]) => ({ serial, entries: own, parts: partsOf(own), total: totalOf(own) }))
    .sort((a, b) => b.total - a.total)
}

const totalOf = (entries: readonly Entry[]): number => sumOfKilograms(entries.map(({ total_emission: total }) => total))

const partsOf = (entries: readonly Entry[]): Record<Part, number> =>
  Object.fromEntries(
    PARTS.map((part) => [part, sumOfKilograms(entries.map(({ emission }) => emission[part]))]),
  ) as Record<Part, number>
