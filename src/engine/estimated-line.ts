// A line of an estimate with its working: what was computed, and by which method from which inputs.
import type { AllocatedRental } from './device-run.ts'
import type { LineType, Milligrams, Part } from './numbers/line.ts'
import type { ResolvedPackaging, ResolvedProduct, ResolvedTransportation } from './resolve.ts'
import type { GridUse } from './use-phase.ts'

/** How a line came about: what calculation.ts spells out when it is asked to. */
export type CalculationInputs =
  | { readonly method: 'embodied-linear'; readonly item: ResolvedProduct; readonly run: AllocatedRental }
  | { readonly method: 'use-by-share'; readonly item: ResolvedProduct; readonly run: AllocatedRental }
  | {
      readonly method: 'use-by-grid'
      readonly item: ResolvedProduct
      readonly run: AllocatedRental
      readonly use: GridUse
    }
  | { readonly method: 'tonne-kilometres'; readonly item: ResolvedTransportation }
  | { readonly method: 'mass'; readonly item: ResolvedPackaging }

export interface EmissionLine {
  readonly part: Part
  readonly description: string
  readonly emission: Milligrams
  readonly type: LineType
  readonly working: CalculationInputs
}
