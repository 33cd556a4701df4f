// The charts of a statement as shapes: bars that start at zero, axes with round steps, and colours with patterns.
import type { Shape, TextShape } from './layout.ts'
import { breakLines, layoutSingleLine } from './text.ts'
import { ASCENT, BODY_WIDTH, COLOURS, LINE_HEIGHT, PLAIN_FILL, SIZES, type Fill } from './theme.ts'

interface Scale {
  readonly from: number
  readonly to: number
  readonly ticks: readonly number[]
  /** The relative position of a value: 0 at `from`, 1 at `to`. */
  at(value: number): number
}

const STEPS_WANTED = 5

/** A scale that covers zero and all values, in steps of 1, 2 or 5 times a power of ten. */
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

export interface Chart {
  readonly height: number
  readonly shapes: readonly Shape[]
}

export interface Series {
  readonly name: string
  readonly fill: Fill
  /** One value for each label. */
  readonly values: readonly number[]
}

export interface StackedBars {
  readonly labels: readonly string[]
  readonly series: readonly Series[]
  /** The unit of the axis, such as `kg CO₂e`. */
  readonly unit: string
  /** Returns the number format of the axis for the given steps. */
  readonly ticks: (steps: readonly number[]) => (value: number) => string
  /** Formats the label above a bar. */
  readonly format: (value: number) => string
}

export interface Bar {
  readonly name: string
  readonly value: number
  /** The label behind the bar. */
  readonly label: string
}

export interface HorizontalBars {
  readonly bars: readonly Bar[]
  readonly fill: Fill
  readonly unit: string
  readonly ticks: (steps: readonly number[]) => (value: number) => string
}

const SIZE = SIZES.small
const LINE = SIZE * LINE_HEIGHT
const PLOT_HEIGHT = 170
const BAR_SHARE = 0.66
const ROW_HEIGHT = 23
/** Leaves room for the numbers at both ends of an axis. */
const INTERVAL_INSET = 12
const NAME_WIDTH = 168
const VALUE_WIDTH = 74

const WHITE: Fill = { color: '#ffffff', pattern: 'solid' }

type Anchor = 'start' | 'middle' | 'end'

function label(text: string, x: number, top: number, anchor: Anchor = 'start', color: string = COLOURS.text): Shape {
  const line = layoutSingleLine(text, 'regular')
  const left = x - { start: 0, middle: 0.5, end: 1 }[anchor] * line.width * SIZE
  return { kind: 'text', line, x: left, baseline: top + ASCENT * SIZE, size: SIZE, color }
}

/** Draws the label on a white box so that no grid line runs through it. */
function labelOnWhite(text: string, x: number, top: number, anchor: Anchor = 'start'): Shape[] {
  const shape = label(text, x, top, anchor) as TextShape
  const width = shape.line.width * SIZE
  const box: Shape = { kind: 'box', x: shape.x - 1.5, y: top + 1, width: width + 3, height: LINE - 1, ...WHITE }
  return [box, shape]
}

const rule = (from: readonly [number, number], to: readonly [number, number], color: string, width: number): Shape => ({
  kind: 'rule',
  from,
  to,
  color,
  width,
})

/** One bar per label with its parts stacked. Negative parts are drawn below zero. */
export function stackedBars({ labels, series, unit, ticks, format }: StackedBars): Chart {
  const sums = labels.map((_, at) => stackOf(series, at))
  const scale = scaleFor(sums.flatMap(({ below, above }) => [below, above]))
  const tick = ticks(scale.ticks)
  const legendRow = legend(series)
  const plotTop = legendRow.height + 2 * LINE
  const left = 8 + Math.max(...scale.ticks.map((value) => layoutSingleLine(tick(value), 'regular').width * SIZE))
  const place: Plot = { top: plotTop, left, width: BODY_WIDTH - left, scale }
  const slot = place.width / labels.length
  return {
    height: plotTop + PLOT_HEIGHT + 1.4 * LINE,
    shapes: [
      ...legendRow.shapes,
      label(unit, 0, legendRow.height + 0.2 * LINE, 'start', COLOURS.quiet),
      ...gridLines(place, tick),
      ...labels.flatMap((text, at) => stack(place, series, at, left + slot * at, slot, format(sums[at]!.total), text)),
      rule([left, yOf(place, 0)], [BODY_WIDTH, yOf(place, 0)], COLOURS.text, 0.8),
    ],
  }
}

interface Plot {
  readonly top: number
  readonly left: number
  readonly width: number
  readonly scale: Scale
}

const yOf = ({ top, scale }: Plot, value: number): number => top + PLOT_HEIGHT * (1 - scale.at(value))

function stackOf(series: readonly Series[], at: number): { below: number; above: number; total: number } {
  const values = series.map(({ values: one }) => one[at]!)
  const sum = (some: readonly number[]) => some.reduce((total, value) => total + value, 0)
  const above = sum(values.filter((value) => value > 0))
  const below = sum(values.filter((value) => value < 0))
  return { below, above, total: sum(values) }
}

function gridLines(plot: Plot, tick: (value: number) => string): Shape[] {
  return plot.scale.ticks.flatMap((value) => {
    const y = yOf(plot, value)
    return [
      rule([plot.left, y], [plot.left + plot.width, y], COLOURS.faint, 0.5),
      label(tick(value), plot.left - 5, y - 0.62 * LINE, 'end', COLOURS.quiet),
    ]
  })
}

function stack(
  plot: Plot,
  series: readonly Series[],
  at: number,
  left: number,
  slot: number,
  total: string,
  name: string,
): Shape[] {
  const [width, x] = [slot * BAR_SHARE, left + (slot * (1 - BAR_SHARE)) / 2]
  let [above, below] = [0, 0]
  const boxes = series.flatMap<Shape>(({ values, fill }) => {
    const value = values[at]!
    if (value === 0) return []
    const [from, to] = value > 0 ? [above, (above += value)] : [below, (below += value)]
    const [y, bottom] = [yOf(plot, Math.max(from, to)), yOf(plot, Math.min(from, to))]
    return [{ kind: 'box', x, y, width, height: bottom - y, ...fill }]
  })
  const middle = left + slot / 2
  return [
    ...boxes,
    ...labelOnWhite(total, middle, yOf(plot, above) - LINE - 1, 'middle'),
    label(name, middle, plot.top + PLOT_HEIGHT + 0.3 * LINE, 'middle'),
  ]
}

/** Explains the fills, in one or more rows. */
function legend(series: readonly Pick<Series, 'name' | 'fill'>[]): Chart {
  const [box, space] = [9, 14]
  let [x, row] = [0, 0]
  const shapes = series.flatMap<Shape>(({ name, fill }) => {
    const width = box + 5 + layoutSingleLine(name, 'regular').width * SIZE
    if (x > 0 && x + width > BODY_WIDTH) [x, row] = [0, row + 1]
    const [left, top] = [x, row * 1.3 * LINE]
    x += width + space
    return [{ kind: 'box', x: left, y: top + 1.2, width: box, height: box, ...fill }, label(name, left + box + 5, top)]
  })
  return { height: (row + 1) * 1.3 * LINE, shapes }
}

/** One bar per row, with its name before it and its value behind it. */
export function horizontalBars({ bars, fill, unit, ticks }: HorizontalBars): Chart {
  const scale = scaleFor(bars.map(({ value }) => value))
  const tick = ticks(scale.ticks)
  const width = BODY_WIDTH - NAME_WIDTH - VALUE_WIDTH
  const xOf = (value: number): number => NAME_WIDTH + width * scale.at(value)
  const bottom = bars.length * ROW_HEIGHT
  return {
    height: bottom + 2.6 * LINE,
    shapes: [
      ...scale.ticks.flatMap((value) => [
        rule([xOf(value), 0], [xOf(value), bottom + 3], COLOURS.faint, 0.5),
        label(tick(value), xOf(value), bottom + 4, 'middle', COLOURS.quiet),
      ]),
      ...bars.flatMap((bar, at) => barRow(bar, at * ROW_HEIGHT, xOf, fill)),
      rule([xOf(0), 0], [xOf(0), bottom], COLOURS.text, 0.8),
      label(unit, NAME_WIDTH + width / 2, bottom + 4 + LINE, 'middle', COLOURS.quiet),
    ],
  }
}

function barRow({ name, value, label: text }: Bar, top: number, xOf: (value: number) => number, fill: Fill): Shape[] {
  const lines = breakLines(name, 'regular', SIZE, NAME_WIDTH - 10, 2)
  const [from, to] = [xOf(Math.min(0, value)), xOf(Math.max(0, value))]
  const middle = top + ROW_HEIGHT / 2
  return [
    ...lines.map<Shape>((line, at) => ({
      kind: 'text',
      line,
      x: NAME_WIDTH - 8 - line.width * SIZE,
      baseline: middle + (at - lines.length / 2) * LINE + ASCENT * SIZE,
      size: SIZE,
      color: COLOURS.text,
    })),
    { kind: 'box', x: from, y: top + 4, width: to - from, height: ROW_HEIGHT - 8, ...fill },
    ...labelOnWhite(text, to + 5, middle - LINE / 2),
  ]
}

export interface Interval {
  readonly low: number
  readonly value: number
  readonly high: number
  readonly label: string
  readonly unit: string
  readonly ticks: (steps: readonly number[]) => (value: number) => string
}

/** A bar from zero, and above it the uncertainty interval of its value. */
export function intervalBar({ low, value, high, label: text, unit, ticks }: Interval): Chart {
  const scale = scaleFor([low, value, high])
  const tick = ticks(scale.ticks)
  const width = BODY_WIDTH - 2 * INTERVAL_INSET
  const xOf = (one: number): number => INTERVAL_INSET + width * scale.at(one)
  const [middle, top, bottom] = [LINE + 5, LINE + 12, LINE + 26]
  const [from, to] = [xOf(Math.min(0, value)), xOf(Math.max(0, value))]
  const cap = (x: number): Shape => rule([x, middle - 4], [x, middle + 4], COLOURS.text, 1.2)
  return {
    height: bottom + 2.5 * LINE,
    shapes: [
      ...scale.ticks.flatMap((one) => [
        rule([xOf(one), top - 3], [xOf(one), bottom + 3], COLOURS.faint, 0.5),
        label(tick(one), xOf(one), bottom + 4, 'middle', COLOURS.quiet),
      ]),
      { kind: 'box', x: from, y: top, width: to - from, height: bottom - top, ...PLAIN_FILL },
      rule([xOf(0), top - 3], [xOf(0), bottom + 3], COLOURS.text, 0.8),
      rule([xOf(low), middle], [xOf(high), middle], COLOURS.text, 1.2),
      cap(xOf(low)),
      cap(xOf(high)),
      label(text, (xOf(low) + xOf(high)) / 2, 0, 'middle'),
      label(unit, BODY_WIDTH / 2, bottom + 4 + 1.2 * LINE, 'middle', COLOURS.quiet),
    ],
  }
}
