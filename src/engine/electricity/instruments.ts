// What a customer's contracts, certificates and suppliers cover of its electricity, month by month.
import { compareCodePoints } from '../device-timeline.ts'
import { monthText } from '../numbers/calendar.ts'
import { multiply, roundHalfAway, whole, type Rational } from '../numbers/rational.ts'
import type { Source } from '../reference/reference-data.ts'
import type { MilliwattHours } from './energy.ts'

export const INSTRUMENT_KINDS = ['contract', 'certificate', 'supplier'] as const
export type InstrumentKind = (typeof INSTRUMENT_KINDS)[number]

/** Electricity that a customer buys under stated terms, with the factor that follows from these. */
export interface Instrument {
  readonly id: string
  readonly version: number
  readonly kind: InstrumentKind
  /** First and last month, YYYY-MM, both included. */
  readonly from: string
  readonly to: string
  /** All that it covers in its months, used from the first month on; or the share that it covers of each month. */
  readonly covers: { readonly energy: MilliwattHours } | { readonly share: Rational }
  /** kg CO2e per kWh, 0 or more. */
  readonly factor: Rational
  readonly source: Source
}

/** What an instrument covers of one month. */
export interface Covered {
  readonly instrument: Instrument
  /** 0 for January. */
  readonly month: number
  readonly energy: MilliwattHours
}

/** A supplier's rate is of what contracts and certificates leave. */
const RANKS: Readonly<Record<InstrumentKind, number>> = { contract: 0, certificate: 0, supplier: 1 }

const inTurn = (a: Instrument, b: Instrument): number => RANKS[a.kind] - RANKS[b.kind] || compareCodePoints(a.id, b.id)

/**
 * Lets instruments cover the electricity of one customer in one country: contracts and certificates before suppliers,
 * of one rank by id. None covers what another one has covered, so together they never cover more than there is.
 * METHODOLOGY.md#market-based-electricity
 * @param energy of the twelve months of the year
 */
export function coverEnergy(
  energy: readonly MilliwattHours[],
  instruments: readonly Instrument[],
  year: number,
): readonly Covered[] {
  const left = [...energy]
  return instruments.toSorted(inTurn).flatMap((instrument) => {
    const { from, to, covers } = instrument
    let available = 'energy' in covers ? covers.energy : null
    return energy.flatMap((whole, month): readonly Covered[] => {
      const name = monthText(12 * year + month)
      if (name < from || name > to) return []
      const wanted = 'share' in covers ? shareOf(whole, covers.share) : available!
      const taken = wanted < left[month]! ? wanted : left[month]!
      if (taken <= 0n) return []
      left[month]! -= taken
      if (available !== null) available -= taken
      return [{ instrument, month, energy: taken }]
    })
  })
}

const shareOf = (energy: MilliwattHours, share: Rational): MilliwattHours =>
  roundHalfAway(multiply(whole(energy), share))
