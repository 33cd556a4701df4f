// From values to pixels. Round ends and ticks are d3's; a chart needs no more of its scales, which bring colours,
// formats and interpolation with them.
import { nice, ticks } from 'd3-array'
import { utcTicks } from 'd3-time'

type Ends = readonly [number, number]

export interface LinearScale {
  /** The pixel of a value. */
  (value: number): number
  /** About so many round values within the scale. */
  readonly ticks: (count: number) => readonly number[]
}

/** From the lowest and the highest value, both moved out to round ones, to their pixels. */
export function linearScale([low, high]: Ends, range: Ends): LinearScale {
  const [start, end] = nice(low, high, ROUND_TICKS)
  return Object.assign(pixelsOf([start, end], range), { ticks: (count: number) => ticks(start, end, count) })
}

/** The ends are as round as ticks are, when there are so many. */
const ROUND_TICKS = 10

export interface TimeScale {
  /** The pixel of a time in milliseconds since 1970. */
  (time: number): number
  readonly ends: Ends
  /** About so many days, months or years, at which they begin in UTC. */
  readonly ticks: (count: number) => readonly Date[]
}

/** From the first and the last time to their pixels. */
export function timeScale(ends: Ends, range: Ends): TimeScale {
  const [start, end] = ends
  const ticksOf = (count: number): readonly Date[] => utcTicks(new Date(start), new Date(end), count)
  return Object.assign(pixelsOf(ends, range), { ends, ticks: ticksOf })
}

/** All values are one where there is one only: it stands in the middle. */
const pixelsOf =
  ([low, high]: Ends, [from, to]: Ends) =>
  (value: number): number =>
    low === high ? (from + to) / 2 : from + ((value - low) / (high - low)) * (to - from)

export interface Bands {
  /** From the start of a band to the start of the next, in pixels. */
  readonly step: number
  readonly width: number
  /** Where the band of an index starts. */
  readonly startOf: (index: number) => number
}

/** Bands of one width beside each other, a quarter of a step apart and from either end. */
export function bandsOf(count: number, [from, to]: Ends): Bands {
  const step = (to - from) / Math.max(1, count + ROOM)
  return { step, width: step * (1 - ROOM), startOf: (index) => from + (index + ROOM) * step }
}

const ROOM = 0.25
