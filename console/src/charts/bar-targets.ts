// What the bars of a chart open: each by itself, or neighbours together where one alone is too thin to be pressed.
import { plain } from '../emissions/kilograms.ts'
import { useFormat } from '../i18n/format.ts'
import { sumOf, type Bar } from './bars.ts'
import { TARGET_PIXELS, type Target } from './chart-targets.tsx'
import type { Series } from './theme.ts'

/** Where what is behind bars is shown, from the first to the last of them; null where that is nowhere. */
export type HrefOfBars = (first: Bar, last: Bar) => string | null

export interface BarTargets {
  readonly unit: string
  readonly series: readonly Series[]
  readonly hrefOf: HrefOfBars | undefined
}

type TargetsOf = (bars: readonly Bar[], place: Target['place']) => readonly Target[]

/** @returns the target of bars that stand side by side, or none */
export function useTargetsOf({ unit, series, hrefOf }: BarTargets): TargetsOf {
  const { full } = useFormat()
  return (bars, place) => {
    const [first, last] = [bars[0]!, bars.at(-1)!]
    const href = hrefOf?.(first, last) ?? null
    if (href === null) return []
    const label = first === last ? first.label : `${first.label} – ${last.label}`
    const told = (name: string, value: number) => `${name}: ${full(value)} ${unit}`
    const sums = series.map((one) => ({ ...one, sum: sumBy(bars, ({ values }) => values[one.key] ?? 0) }))
    const details = sums.filter(({ sum }) => sum !== 0).map((one) => told(one.label, one.sum))
    const name = told(label, sumBy(bars, sumOf))
    return [{ key: first.key, name, details: series.length > 1 ? details : [], href, place }]
  }
}

const sumBy = (bars: readonly Bar[], valueOf: (bar: Bar) => number): number =>
  plain(bars.reduce((sum, bar) => sum + valueOf(bar), 0))

/** @param step pixels from one bar to the next */
export function pressable(bars: readonly Bar[], step: number): readonly (readonly Bar[])[] {
  const count = Math.max(1, Math.ceil(TARGET_PIXELS / step))
  return Array.from({ length: Math.ceil(bars.length / count) }, (_, at) => bars.slice(at * count, (at + 1) * count))
}
