// The axis of a chart: round steps, and always from zero.

export interface Scale {
  readonly from: number
  readonly to: number
  readonly ticks: readonly number[]
  /** Where a value lies, 0 at `from` and 1 at `to`. */
  at(value: number): number
}

const STEPS_WANTED = 5

/** Covers zero and all values by steps of 1, 2 or 5 times a power of ten. */
export function scaleFor(values: readonly number[]): Scale {
  const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)]
  const span = high - low || 1
  const step = roundStep(span / STEPS_WANTED)
  const [first, last] = [Math.floor(low / step), Math.max(Math.ceil(high / step), Math.floor(low / step) + 1)]
  const ticks = Array.from({ length: last - first + 1 }, (_, at) => (first + at) * step)
  const [from, to] = [first * step, last * step]
  return { from, to, ticks, at: (value) => (value - from) / (to - from) }
}

function roundStep(rough: number): number {
  const power = 10 ** Math.floor(Math.log10(rough))
  const round = [1, 2, 5, 10].find((one) => one * power >= rough * (1 - 1e-9)) ?? 10
  return round * power
}
