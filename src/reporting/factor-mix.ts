// The factors of an order's packaging and transport. Every fact stores the mix, because its share has the same mix.
import type { DistanceBasis, ReferenceData } from '../engine/reference/reference-data.ts'
import { toMilligrams, type Milligrams } from '../engine/numbers/emission.ts'
import { packagingProduction } from '../engine/packaging.ts'
import { rationalOfNumber } from '../engine/numbers/rational.ts'
import { distanceOnFactorBasis, transportEmission } from '../engine/transport.ts'

/** A factor and the milligrams of the lines that use it; null if it is the only factor of its kind. */
export type FactorShare = readonly [factorId: string, milligrams: string | null]

export interface FactorMix {
  /** The release that contains the factors. */
  readonly releaseId: number
  readonly packaging: readonly FactorShare[]
  readonly transportation: readonly FactorShare[]
}

/** An item as stored in orders (src/ledger/codec.ts explains the letters). */
interface StoredItem {
  readonly g?: string
  readonly r?: string
  readonly a?: DistanceBasis
  readonly w: number
  readonly k?: number
}

/**
 * The mix of an order as text; equal for orders with the same mix.
 * @param items as stored in the order, JSON
 * @param referenceData of the order's release
 */
export function encodeFactorMix(items: string, releaseId: number, referenceData: ReferenceData): string {
  const stored = JSON.parse(items) as readonly StoredItem[]
  const packaging = partsOf(stored, 'g', (item) => packagingOf(item, referenceData))
  const transportation = partsOf(stored, 'r', (item) => transportationOf(item, referenceData))
  return JSON.stringify([releaseId, packaging, transportation])
}

export function decodeFactorMix(text: string): FactorMix {
  const [releaseId, packaging, transportation] = JSON.parse(text) as [number, FactorShare[], FactorShare[]]
  return { releaseId, packaging, transportation }
}

/** Most orders have one packaging and one transport factor, for which the emission is not needed. */
function partsOf(
  items: readonly StoredItem[],
  letter: 'g' | 'r',
  emissionOf: (item: StoredItem) => Milligrams,
): FactorShare[] {
  const byFactor = Map.groupBy(
    items.filter((item) => item[letter] !== undefined),
    (item) => item[letter]!,
  )
  if (byFactor.size < 2) return [...byFactor.keys()].map((id) => [id, null])
  return [...byFactor].map(([id, those]) => [id, String(those.map(emissionOf).reduce((sum, one) => sum + one, 0n))])
}

const packagingOf = ({ g, w }: StoredItem, referenceData: ReferenceData): Milligrams =>
  toMilligrams(packagingProduction(rationalOfNumber(w), referenceData.packagings.get(g!)!.factor))

function transportationOf({ r, a, w, k }: StoredItem, referenceData: ReferenceData): Milligrams {
  const factor = referenceData.transports.get(r!)!
  const adjustment = referenceData.distanceAdjustments[factor.mode]
  const distanceKm = distanceOnFactorBasis(rationalOfNumber(k!), a ?? null, factor.distanceBasis, adjustment)
  return toMilligrams(transportEmission(rationalOfNumber(w), distanceKm, factor))
}
