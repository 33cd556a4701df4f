// Bars and what they are made of: where each piece begins and ends, and how far the axis has to reach.
import { plain } from '../emissions/kilograms.ts'
import type { Series } from './theme.ts'

export interface Bar {
  readonly key: string
  readonly label: string
  /** By the key of a series; a series without a value has no piece. */
  readonly values: Readonly<Record<string, number | null>>
  /** The 95 % interval of the sum, where it is known. */
  readonly low?: number
  readonly high?: number
  /** Still going on: what is drawn of it is what there is so far. */
  readonly isRunning?: boolean
  /** Contracted for a time to come: in no total. */
  readonly isAhead?: boolean
}

export interface Piece {
  readonly series: Series
  readonly value: number
  readonly from: number
  readonly to: number
}

/** What is above 0 and what is below are each laid end to end: a correction must not hide in its neighbour. */
export function piecesOf({ values }: Bar, series: readonly Series[]): readonly Piece[] {
  const end = { above: 0, below: 0 }
  return series.flatMap((one) => {
    const value = values[one.key] ?? 0
    if (value === 0) return []
    const side = value > 0 ? 'above' : 'below'
    const from = end[side]
    end[side] += value
    return [{ series: one, value, from, to: end[side] }]
  })
}

export const sumOf = ({ values }: Bar): number =>
  plain(Object.values(values).reduce<number>((sum, value) => sum + (value ?? 0), 0))

/** From 0, always: a bar that begins elsewhere misleads. */
export function domainOf(bars: readonly Bar[], series: readonly Series[]): [number, number] {
  const ends = bars.flatMap((bar) => [...piecesOf(bar, series).map(({ to }) => to), bar.low ?? 0, bar.high ?? 0])
  return [Math.min(0, ...ends), Math.max(0, ...ends) || 1]
}

export const hasInterval = (bar: Bar): bar is Bar & { readonly low: number; readonly high: number } =>
  bar.low !== undefined && bar.high !== undefined
