// What makers make: the type of a product whose text says nothing else, checked by weight.
import { compare, type Rational } from '../numbers/rational.ts'

export interface MadeType {
  /** The key of the maker, from `brandKey`; '' for the weights that a device of the type has, whoever makes it. */
  readonly brand: string
  /** A type of device, or `NO_DEVICE` for a maker of none of them, such as a maker of printers. */
  readonly type: string
  /** Least and most, kg, of its devices of the type; null if a thing of any weight is meant. */
  readonly weightKg: WeightRange | null
}

/** Least and most, kg. */
export type WeightRange = readonly [Rational, Rational]

/** By the key of the maker; what it makes has weights that do not overlap. */
export type Makers = ReadonlyMap<string, readonly MadeType[]>

/** What the maker makes of that weight, if that is one type only; else null. */
export const typeOfMaker = (maker: string, weightKg: Rational, makers: Makers): string | null =>
  makers.get(maker)?.find((made) => isWithin(weightKg, made.weightKg ?? [weightKg, weightKg]))?.type ?? null

export const isWithin = (weightKg: Rational, [least, most]: WeightRange): boolean =>
  compare(weightKg, least) >= 0 && compare(weightKg, most) <= 0
