// How the figures of two dataset releases differ, figure by figure.

/** The kinds of figures of a release. */
export const FIGURE_KINDS = [
  'model',
  'known_device',
  'type_default',
  'fallback',
  'transportation',
  'distance_adjustment',
  'packaging',
  'it_equipment',
  'grid_factor',
  'grid_series_factor',
  'grid_region',
  'grid_loss',
  'refurbishment',
] as const
export type FigureKind = (typeof FIGURE_KINDS)[number]

export type FigureCounts = Readonly<Record<FigureKind, number>>

export interface FigureChange {
  readonly kind: FigureKind
  /** Kind, row and column: `grid_factor/DE/2022/factor_kg_co2e_per_kwh`. */
  readonly key: string
  readonly change: 'added' | 'removed' | 'changed'
  /** As decimals; null where the release has no such figure. */
  readonly old: string | null
  readonly new: string | null
  /** New less old, in percent of the old one, with two decimals; null without an old one, or one of 0. */
  readonly percent: string | null
}

export interface ReleaseDifference {
  /** By kind, then key. */
  readonly changes: readonly FigureChange[]
  /** Files that differ in something else: in words, names, sources, or figures that others are made from. */
  readonly otherFiles: readonly string[]
}

export type ChangeCounts = Readonly<Partial<Record<FigureKind, Readonly<Record<FigureChange['change'], number>>>>>

/** By kind, without the kinds in which nothing differs. */
export function countChanges(changes: readonly FigureChange[]): ChangeCounts {
  const counts: Partial<Record<FigureKind, Record<FigureChange['change'], number>>> = {}
  for (const { kind, change } of changes) {
    counts[kind] ??= { added: 0, removed: 0, changed: 0 }
    counts[kind][change] += 1
  }
  return counts
}
