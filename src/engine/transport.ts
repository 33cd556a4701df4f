// Transport: tonne-kilometres times a well-to-wheel factor, for one leg.
import {
  TRANSPORT_MODES,
  type DistanceAdjustment,
  type DistanceBasis,
  type TransportFactor,
  type TransportMode,
} from './reference/reference-data.ts'
import { ONE, ZERO, add, compare, divide, max, multiply, subtract, whole, type Rational } from './numbers/rational.ts'

const KILOGRAMS_PER_TONNE = whole(1000)

/** The distance bases valid for a mode; great-circle distances do not apply to roads. METHODOLOGY.md#distance */
export const distanceBases = (mode: TransportMode): readonly DistanceBasis[] =>
  mode === 'air' ? ['actual', 'great_circle'] : ['actual', 'shortest_feasible']

/** That of a mode for which a release states none: a planned distance is the distance driven. No source states it. */
export const NO_ADJUSTMENT: DistanceAdjustment = {
  multiplier: ONE,
  addedKm: ZERO,
  source: { title: '', publisher: '', year: null, url: '', licence: '' },
}

/** The adjustments that are stated, and NO_ADJUSTMENT for every other mode. METHODOLOGY.md#distance */
export const adjustmentsByMode = (
  stated: readonly (readonly [TransportMode, DistanceAdjustment])[],
): Record<TransportMode, DistanceAdjustment> => {
  const rows = [...TRANSPORT_MODES.map((mode) => [mode, NO_ADJUSTMENT] as const), ...stated]
  return Object.fromEntries(rows) as Record<TransportMode, DistanceAdjustment>
}

/** T = m ÷ 1000 × d, in tonne-kilometres. METHODOLOGY.md#transport */
export const tonneKm = (massKg: Rational, distanceKm: Rational): Rational =>
  divide(multiply(massKg, distanceKm), KILOGRAMS_PER_TONNE)

/**
 * Converts a distance to the factor's own basis, in kilometres. A distance without a stated basis is used as given (δ =
 * 1). METHODOLOGY.md#distance
 * @param distanceKm 0 or more
 * @throws RangeError when the two bases do not belong to one mode
 */
export function distanceOnFactorBasis(
  distanceKm: Rational,
  stated: DistanceBasis | null,
  factorBasis: DistanceBasis,
  adjustment: DistanceAdjustment,
): Rational {
  if (stated === null || stated === factorBasis || compare(distanceKm, ZERO) === 0) return distanceKm
  const { multiplier, addedKm } = adjustment
  if (factorBasis === 'actual') return add(multiply(distanceKm, multiplier), addedKm)
  if (stated === 'actual') return max(ZERO, divide(subtract(distanceKm, addedKm), multiplier))
  throw new RangeError(`A ${stated} distance cannot be turned into a ${factorBasis} one`)
}

/**
 * The part of a transport factor that running the vehicle emits, in kg CO2e per tonne-kilometre. Sources may count the
 * generation of electricity there, but nothing is emitted by a vehicle that runs on it. METHODOLOGY.md#transport
 */
export const tankToWheelOf = ({ factorTankToWheel, energyCarrier }: TransportFactor): Rational =>
  energyCarrier && compare(energyCarrier.tankToWheel, ZERO) === 0 ? ZERO : factorTankToWheel

/**
 * Emission of one leg: e = m ÷ 1000 × d × δ × g, in kg CO2e. METHODOLOGY.md#transport
 * @param massKg the goods including their transport packaging, 0 or more
 * @param distanceKm on the factor's basis (see distanceOnFactorBasis), 0 or more
 */
export const transportEmission = (
  massKg: Rational,
  distanceKm: Rational,
  { factor }: Pick<TransportFactor, 'factor'>,
): Rational => multiply(tonneKm(massKg, distanceKm), factor)
