// How a line came about: its formula with the symbols filled in, its inputs, its factors and their sources.
import type { Line, Working } from '../estimated-line.ts'
import { explainByGrid, explainByShare, explainEmbodied } from './explain-product.ts'
import { equals, factorOf, show, type Explanation, type Factor, type Input } from './explanation.ts'
import type { FactorBook } from '../figures/factor-book.ts'
import type { Milligrams } from '../numbers/line.ts'
import { ZERO, compare } from '../numbers/ratio.ts'
import type { ResolvedPackaging, ResolvedTransportation } from '../resolve.ts'

/** What is published of a line's working. */
export interface Calculation extends Omit<Explanation, 'anchor'> {
  readonly method: Working['method']
  /** Where the formula stands in METHODOLOGY.md. */
  readonly methodology: string
}

/** Spells out the working of one line, for a reader who wants to recompute it. */
export function calculationOf({ working, emission }: Line, book: FactorBook): Calculation {
  const { anchor, ...explanation } = explain(working, emission, book)
  return { method: working.method, methodology: `METHODOLOGY.md#${anchor}`, ...explanation }
}

function explain(working: Working, emission: Milligrams, book: FactorBook): Explanation {
  switch (working.method) {
    case 'embodied-linear':
      return explainEmbodied(working, emission)
    case 'use-by-share':
      return explainByShare(working, emission)
    case 'use-by-grid':
      return explainByGrid(working, emission, book)
    case 'tonne-kilometres':
      return explainTransport(working.item, emission, book)
    case 'mass':
      return explainPackaging(working.item, emission, book)
  }
}

function explainTransport(item: ResolvedTransportation, emission: Milligrams, book: FactorBook): Explanation {
  const { transportation, factor, distanceKm } = item
  const isAdjusted = compare(distanceKm, transportation.distanceKm) !== 0
  const mass = show(transportation.weightKg)
  return {
    anchor: 'transport',
    formula: `m ÷ 1000 × d × g = ${mass} ÷ 1000 × ${show(distanceKm)} × ${show(factor.factor)} ${equals(emission)}`,
    inputs: [
      { symbol: 'm', name: 'weight_kg', value: transportation.weightKg, unit: 'kg', from: 'order' },
      {
        symbol: isAdjusted ? 'd_stated' : 'd',
        name: 'distance_km',
        value: transportation.distanceKm,
        unit: 'km',
        from: 'order',
      },
      ...(isAdjusted ? [adjustedInput(item)] : []),
    ],
    factors: [
      factorOf('g', factor.id, factor.factor, 'kgCO2e/t.km', factor.source, book),
      ...(isAdjusted ? adjustmentFactors(item, book) : []),
    ],
    notes: [...(isAdjusted ? [adjustmentNote(item)] : []), ...nothingNotes(item, emission)],
  }
}

const adjustedInput = ({ factor, distanceKm }: ResolvedTransportation): Input => ({
  symbol: 'd',
  name: `distance_km_${factor.distanceBasis}`,
  value: distanceKm,
  unit: 'km',
  from: 'computed',
})

const adjustmentFactors = ({ factor, adjustment }: ResolvedTransportation, book: FactorBook): readonly Factor[] => [
  factorOf('a', `distance-${factor.mode}`, adjustment.multiplier, '1', adjustment.source, book),
  factorOf('b', `distance-${factor.mode}`, adjustment.addedKm, 'km', adjustment.source, book),
]

function adjustmentNote({ transportation, factor, distanceKm, adjustment }: ResolvedTransportation): string {
  const [stated, a, b] = [transportation.distanceKm, adjustment.multiplier, adjustment.addedKm].map(show)
  return factor.distanceBasis === 'actual'
    ? `d = d_stated × a + b = ${stated} × ${a} + ${b} = ${show(distanceKm)}.`
    : `d = max(0, d_stated − b) ÷ a = max(0, ${stated} − ${b}) ÷ ${a} = ${show(distanceKm)}.`
}

function nothingNotes({ transportation, distanceKm }: ResolvedTransportation, emission: Milligrams): readonly string[] {
  if (emission !== 0n) return []
  const isUnmoved = [transportation.weightKg, transportation.distanceKm].some((one) => compare(one, ZERO) === 0)
  if (isUnmoved) return ['Nothing was moved: the weight or the distance is 0.']
  return compare(distanceKm, ZERO) === 0 ? ['The stated distance is within what a flight adds: nothing is left.'] : []
}

function explainPackaging(
  { packaging, factor }: ResolvedPackaging,
  emission: Milligrams,
  book: FactorBook,
): Explanation {
  return {
    anchor: 'packaging',
    formula: `m × f = ${show(packaging.weightKg)} × ${show(factor.factor)} ${equals(emission)}`,
    inputs: [{ symbol: 'm', name: 'weight_kg', value: packaging.weightKg, unit: 'kg', from: 'order' }],
    factors: [factorOf('f', factor.id, factor.factor, 'kgCO2e/kg', factor.source, book)],
    notes: [
      'Cradle to gate; the end of life of the packaging is not in it.',
      ...(factor.standsIn ? ['The source has no figure for this material: that of a similar one stands in.'] : []),
    ],
  }
}
