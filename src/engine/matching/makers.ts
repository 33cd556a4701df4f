// Makers of one type: the type of a product whose text says nothing else, checked by weight.
import { compare, type Rational } from '../numbers/rational.ts'

export interface MakerOfOneType {
  /** The key of the maker, from `brandKey`; '' for the weights that a device of the type has, whoever makes it. */
  readonly brand: string
  /** A type of device, or `NO_DEVICE` for a maker of none of them, such as a maker of printers. */
  readonly type: string
  /** Least and most, kg, of its devices of the type; null if a thing of any weight is meant. */
  readonly weightKg: WeightRange | null
}

/** Least and most, kg. */
export type WeightRange = readonly [Rational, Rational]

/** By the key of the maker. */
export type Makers = ReadonlyMap<string, MakerOfOneType>

/** What the maker makes, if it makes one type only and the weight is one of that type; else null. */
export function typeOfMaker(maker: string, weightKg: Rational, makers: Makers): string | null {
  const made = makers.get(maker)
  if (!made) return null
  return isWithin(weightKg, made.weightKg ?? [weightKg, weightKg]) ? made.type : null
}

export const isWithin = (weightKg: Rational, [least, most]: WeightRange): boolean =>
  compare(weightKg, least) >= 0 && compare(weightKg, most) <= 0
