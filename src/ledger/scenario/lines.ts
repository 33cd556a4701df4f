// What the emission of a rental comes from, with its errors, on either side of a scenario.
import { orderKey, type OrderKey } from '../../engine/device-timeline.ts'
import { useMethod } from '../../engine/estimate.ts'
import type { DeviceFootprint } from '../../engine/post-entries.ts'
import type { ReferenceDataOf } from '../../engine/reference/reference-data.ts'
import type { ResolvedItem } from '../../engine/resolve-order.ts'
import { isOfType, type ElectricityChange, type UnchangedReason } from '../../engine/scenario/changes.ts'
import type { CountedEntry } from '../../engine/scenario/replay-ledger.ts'
import type { LinesByPart, UncertainLine } from '../../engine/scenario/years.ts'
import {
  embodiedErrors,
  errorSources,
  gridScore,
  gridSpread,
  useByGridErrors,
  useByShareErrors,
} from '../../engine/uncertainty/uncertainty.ts'
import { figuresOf } from '../codec.ts'
import type { StoredFootprint } from '../records.ts'
import { chargedAfter, gridIn, type ScenarioDevice } from './devices.ts'
import { sharedLinesOf } from './orders.ts'

type Terms = Pick<CountedEntry, 'terms' | 'country' | 'releaseId' | keyof OrderKey>

export interface RentalSide {
  /** Null for an order without devices. */
  readonly footprint: StoredFootprint | null
  readonly items: readonly ResolvedItem[]
  /** The last terms of the rental. */
  readonly terms: Terms
  /** The factor that the scenario states for its electricity, if any: it has no error. */
  readonly stated: ElectricityChange | null
}

/** The entry that set the last terms of a rental, or of an order without devices its last entry. */
export const lastTerms = (entries: readonly CountedEntry[], key: string): Terms => {
  const own = entries.filter((entry) => orderKey(entry) === key)
  return own.findLast(({ terms }) => terms) ?? own.at(-1)!
}

/** By part; the emissions of lines are weights, by which shares of packaging and transportation are divided again. */
export function linesOfRental(
  { footprint, items, terms, stated }: RentalSide,
  referenceDataOf: ReferenceDataOf,
): LinesByPart {
  const figures = footprint && figuresOf(footprint, referenceDataOf)
  const shared = sharedLinesOf(items).map(({ part, emission, working }) => ({
    part,
    emission,
    errors: errorSources(working),
  }))
  return {
    product_embodied_emission: figures
      ? [{ emission: 1n, errors: embodiedErrors({ footprintId: footprint.footprintId, footprint: figures.footprint }) }]
      : [],
    product_use: figures ? useLines(footprint.footprintId, figures, terms, stated) : [],
    packaging: shared.filter(({ part }) => part === 'packaging'),
    transportation: shared.filter(({ part }) => part === 'transportation'),
  }
}

function useLines(
  footprintId: string,
  { footprint, gridOf }: DeviceFootprint,
  terms: Terms,
  stated: ElectricityChange | null,
): readonly UncertainLine[] {
  if (!terms.terms) return []
  const { start, months } = terms.terms
  const used = useMethod(footprint, gridIn(gridOf(terms), stated), start, months)
  if (!used) return []
  const charged = { footprintId, footprint, country: terms.country }
  if (!used.use) return [{ emission: 1n, errors: useByShareErrors(charged) }]
  const errors = useByGridErrors(charged, gridScore(used.use), gridSpread(used.use))
  return [{ emission: 1n, errors: stated ? errors.filter(({ factor }) => !factor.startsWith('grid:')) : errors }]
}

/** Why a stated factor does not concern an order's use of a device; null if it does. */
export function electricityOfOrder(
  change: ElectricityChange,
  order: OrderKey,
  device: ScenarioDevice,
  referenceDataOf: ReferenceDataOf,
): UnchangedReason | null {
  if (!isOfType(device.type, change)) return 'other_device_type'
  const terms = lastTerms(device.entries, orderKey(order))
  const { footprint, gridOf } = figuresOf(chargedAfter(device), referenceDataOf)
  if (footprint.yearlyEnergyKwh === null || gridOf(terms).length === 0) return 'electricity_unknown'
  return change.country === null || change.country === terms.country ? null : 'other_country'
}
