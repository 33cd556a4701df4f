// Explains how a line was calculated: its formula with values, its inputs, its factors and their sources.
import type { CalculationInputs, EmissionLine } from '../estimate.ts'
import type { Message } from '../message.ts'
import type { Milligrams } from '../numbers/emission.ts'
import { ZERO, compare } from '../numbers/rational.ts'
import type { ReferenceData } from '../reference/reference-data.ts'
import type { ResolvedPackaging, ResolvedTransportation } from '../resolve-order.ts'
import { formatRational, formatResult, toFactor, type Explanation, type Factor, type Input } from './explanation.ts'
import { FREIGHT_NOTE_MESSAGES as NOTES, LINE_MESSAGES } from './messages.ts'
import { explainEmbodied, explainUseByGrid, explainUseByShare } from './product.ts'

/** The published explanation of a line's calculation. */
export interface Calculation extends Omit<Explanation, 'anchor'> {
  readonly method: CalculationInputs['method']
  /** The section of METHODOLOGY.md with the formula. */
  readonly methodology: string
}

/** Explains the calculation of one line in enough detail to repeat it. */
export function explainLine({ working, emission }: EmissionLine, referenceData: ReferenceData): Calculation {
  const { anchor, ...explanation } = explain(working, emission, referenceData)
  return { method: working.method, methodology: `METHODOLOGY.md#${anchor}`, ...explanation }
}

/** The description of a line as a message: the same words. */
export function describeLine({ part, working }: Pick<EmissionLine, 'part' | 'working'>): Message {
  if (working.method === 'tonne-kilometres') return LINE_MESSAGES.line_transportation()
  if (working.method === 'mass') return LINE_MESSAGES.line_packaging()
  const { name, fallbackName: fallback } = working.item.footprint
  const isUse = part === 'product_use'
  if (fallback === null) return isUse ? LINE_MESSAGES.line_use({ name }) : LINE_MESSAGES.line_embodied({ name })
  return isUse
    ? LINE_MESSAGES.line_use_by_fallback({ fallback })
    : LINE_MESSAGES.line_embodied_by_fallback({ fallback })
}

function explain(working: CalculationInputs, emission: Milligrams, referenceData: ReferenceData): Explanation {
  switch (working.method) {
    case 'embodied-linear':
      return explainEmbodied(working, emission)
    case 'use-by-share':
      return explainUseByShare(working, emission)
    case 'use-by-grid':
      return explainUseByGrid(working, emission, referenceData)
    case 'tonne-kilometres':
      return explainTransport(working.item, emission, referenceData)
    case 'mass':
      return explainPackaging(working.item, emission, referenceData)
  }
}

function explainTransport(
  item: ResolvedTransportation,
  emission: Milligrams,
  referenceData: ReferenceData,
): Explanation {
  const { transportation, factor, distanceKm } = item
  const isAdjusted = compare(distanceKm, transportation.distanceKm) !== 0
  const mass = formatRational(transportation.weightKg)
  return {
    anchor: 'transport',
    formula:
      `m ÷ 1000 × d × g = ${mass} ÷ 1000 × ${formatRational(distanceKm)} × ` +
      `${formatRational(factor.factor)} ${formatResult(emission)}`,
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
      toFactor('g', factor.id, factor.factor, 'kgCO2e/t.km', factor.source, referenceData),
      ...(isAdjusted ? adjustmentFactors(item, referenceData) : []),
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

const adjustmentFactors = (
  { factor, adjustment }: ResolvedTransportation,
  referenceData: ReferenceData,
): readonly Factor[] => [
  toFactor('a', `distance-${factor.mode}`, adjustment.multiplier, '1', adjustment.source, referenceData),
  toFactor('b', `distance-${factor.mode}`, adjustment.addedKm, 'km', adjustment.source, referenceData),
]

function adjustmentNote({ transportation, factor, distanceKm, adjustment }: ResolvedTransportation): Message {
  const figures = {
    stated: formatRational(transportation.distanceKm),
    a: formatRational(adjustment.multiplier),
    b: formatRational(adjustment.addedKm),
    distance: formatRational(distanceKm),
  }
  return factor.distanceBasis === 'actual'
    ? NOTES.note_distance_adjusted(figures)
    : NOTES.note_distance_of_route(figures)
}

function nothingNotes(
  { transportation, distanceKm }: ResolvedTransportation,
  emission: Milligrams,
): readonly Message[] {
  if (emission !== 0n) return []
  const isUnmoved = [transportation.weightKg, transportation.distanceKm].some((one) => compare(one, ZERO) === 0)
  if (isUnmoved) return [NOTES.note_nothing_moved()]
  return compare(distanceKm, ZERO) === 0 ? [NOTES.note_distance_within_flight()] : []
}

function explainPackaging(
  { packaging, factor }: ResolvedPackaging,
  emission: Milligrams,
  referenceData: ReferenceData,
): Explanation {
  return {
    anchor: 'packaging',
    formula:
      `m × f = ${formatRational(packaging.weightKg)} × ` + `${formatRational(factor.factor)} ${formatResult(emission)}`,
    inputs: [{ symbol: 'm', name: 'weight_kg', value: packaging.weightKg, unit: 'kg', from: 'order' }],
    factors: [toFactor('f', factor.id, factor.factor, 'kgCO2e/kg', factor.source, referenceData)],
    notes: [NOTES.note_packaging_boundary(), ...(factor.standsIn ? [NOTES.note_packaging_proxy()] : [])],
  }
}

/** Shown on every receipt, so that a reader knows with which version of the method to recalculate its numbers. */
export const METHOD_VERSION = '1.3'
