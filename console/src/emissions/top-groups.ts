// Those that weigh most, and all others together.
import { plain } from './kilograms.ts'

export interface Weighed {
  readonly label: string | null
  readonly emission: number
}

export interface TopGroups {
  readonly ranked: readonly Weighed[]
  /** How many there are besides, and their sum. */
  readonly others: { readonly count: number; readonly emission: number }
}

/** @param most how many are told one by one */
export function topGroups(sums: ReadonlyMap<string | null, number>, most: number): TopGroups {
  const all = [...sums].map(([label, emission]) => ({ label, emission })).toSorted((a, b) => b.emission - a.emission)
  const rest = all.slice(most)
  const emission = plain(rest.reduce((sum, one) => sum + one.emission, 0))
  return { ranked: all.slice(0, most), others: { count: rest.length, emission } }
}
