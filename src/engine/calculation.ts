// How a line came about: its formula with the symbols filled in, its inputs, its factors and their sources.
import type { Line, Working } from './estimate.ts'
import { explainByGrid, explainByShare, explainEmbodied } from './explain-product.ts'
import { equals, show, type Explanation } from './explanation.ts'
import type { FactorBook } from './factor-book.ts'
import type { Milligrams } from './line.ts'
import { ZERO, compare } from './ratio.ts'
import type { ResolvedPackaging, ResolvedTransportation } from './resolve.ts'

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
      return explainEmbodied(working, emission, book)
    case 'use-by-share':
      return explainByShare(working.item, emission, book)
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
  const isNothing =
    emission === 0n && compare(transportation.weightKg, ZERO) * compare(transportation.distanceKm, ZERO) === 0
  return {
    anchor: 'transport',
    formula:
      `m ÷ 1000 × d × g = ${show(transportation.weightKg)} ÷ 1000 × ${show(distanceKm)} × ` +
      `${show(factor.factor)} ` +
      equals(emission),
    inputs: [
      { symbol: 'm', name: 'weight_kg', value: transportation.weightKg, unit: 'kg', from: 'order' },
      {
        symbol: isAdjusted ? 'd_stated' : 'd',
        name: 'distance_km',
        value: transportation.distanceKm,
        unit: 'km',
        from: 'order',
      },
      ...(isAdjusted
        ? [
            {
              symbol: 'd',
              name: `distance_km_${factor.distanceBasis}`,
              value: distanceKm,
              unit: 'km',
              from: 'distance adjustment' as const,
            },
          ]
        : []),
    ],
    factors: [
      {
        symbol: 'g',
        id: factor.id,
        value: factor.factor,
        unit: 'kgCO2e/t.km',
        source: factor.source,
        dataset_release: book.release,
      },
    ],
    notes: isNothing ? ['Nothing was moved: the weight or the distance is 0.'] : [],
  }
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
    factors: [
      {
        symbol: 'f',
        id: factor.id,
        value: factor.factor,
        unit: 'kgCO2e/kg',
        source: factor.source,
        dataset_release: book.release,
      },
    ],
    notes: ['Cradle to gate; the end of life of the packaging is not in it.'],
  }
}
