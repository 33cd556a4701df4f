// What the milligrams of a fact rest on: under which label each part stands, and which errors it shares with others.
import { bookingOf, refurbishmentIn, type View } from '../engine/books.ts'
import type { LineType, Part } from '../engine/line.ts'
import type { ErrorSource } from '../engine/lognormal.ts'
import type { Score } from '../engine/pedigree.ts'
import {
  embodiedErrors,
  freightErrors,
  packagingErrors,
  useByGridErrors,
  useByShareErrors,
} from '../engine/uncertainty.ts'
import type { ReportedDevice, ReportedDevices } from './devices.ts'
import { KINDS, gridScoreOf } from './fact.ts'
import { readMix, type MixPart } from './mix.ts'
import type { Place } from './periods.ts'

/** Where a report puts milligrams, apart from time and order. */
export interface LineLabel {
  readonly part: Part
  readonly scope: string
  readonly category: string
  readonly estimate_type: LineType
}

/** One part of a fact, or the indicative part of a packaging of which another part is estimated. */
export interface Lane {
  readonly label: LineLabel
  /** By source, what share of it is off by its errors; null where that is not known any more. */
  readonly sources: readonly SourceShare[] | null
}

export interface SourceShare {
  readonly source: number
  readonly share: number
}

/** The lanes of a tally: the parts, and packaging that stands in for another where both occur in one order. */
export const LANE = { embodied: 0, use: 1, packaging: 2, transportation: 3, otherPackaging: 4 } as const

export interface Footing {
  readonly lanes: readonly (Lane | null)[]
  /** How much of the packaging is `otherPackaging`; null for none. */
  readonly otherPackaging: Place | null
}

export interface Footings {
  readonly of: (device: string, country: string, kind: number, mix: string) => number
  /** One that says the same but for errors. */
  readonly coarse: (footing: number) => number
  readonly at: (footing: number) => Footing
  /** By source: its errors. */
  readonly errors: () => readonly (readonly ErrorSource[])[]
}

export function createFootings(view: View, devices: ReportedDevices): Footings {
  const footings = createNumbered<Footing>()
  const coarse = createNumbered<number>()
  const sources = createNumbered<readonly ErrorSource[]>()
  const sourceOf = (label: LineLabel, errors: readonly ErrorSource[]): number => {
    const names = errors.map(({ factor, logSd }) => `${factor}\0${logSd}`)
    return sources.of([label.part, label.estimate_type, ...names].join('\0'), () => errors)
  }
  const toFooting = (device: string, country: string, kind: number, mix: string): Footing => {
    const charged = devices.of(device)
    const packaging = mix === '' ? null : packagingIn(readMix(mix), view, devices, sourceOf)
    return {
      lanes: [
        charged && embodiedLane(charged, kind, view, sourceOf),
        charged && useLane(charged, country, kind, view, sourceOf),
        packaging?.lanes[0] ?? null,
        mix === '' ? null : transportLane(readMix(mix).transportation, view, sourceOf),
        packaging?.lanes[1] ?? null,
      ],
      otherPackaging: packaging?.other ?? null,
    }
  }
  return {
    of: (...parts) => footings.of(parts.join('\0'), () => toFooting(...parts)),
    coarse: (footing) => {
      const { lanes } = footings.at(footing)
      const text = lanes.map((lane) => (lane === null ? '' : Object.values(lane.label).join('\0'))).join('\0\0')
      const no = coarse.of(text, () =>
        footings.of(`coarse\0${text}`, () => ({
          lanes: lanes.map((lane) => lane && { ...lane, sources: null }),
          otherPackaging: null,
        })),
      )
      return coarse.at(no)
    },
    at: footings.at,
    errors: sources.all,
  }
}

/** Numbers texts from 0 on, with what was made for each. */
function createNumbered<Made>() {
  const numbers = new Map<string, number>()
  const all: Made[] = []
  return {
    of: (text: string, make: () => Made): number => {
      const known = numbers.get(text)
      if (known !== undefined) return known
      const made = make()
      numbers.set(text, all.length)
      return all.push(made) - 1
    },
    at: (no: number): Made => all[no]!,
    all: (): readonly Made[] => all,
  }
}

type SourceOf = (label: LineLabel, errors: readonly ErrorSource[]) => number

function labelOf(part: Part, type: LineType, view: View): LineLabel {
  const { scope, category } = bookingOf(part, view)
  return { part, scope, category, estimate_type: type }
}

const laneOf = (label: LineLabel, errors: readonly ErrorSource[], sourceOf: SourceOf): Lane => ({
  label,
  sources: [{ source: sourceOf(label, errors), share: 1 }],
})

/** A refurbishment is taken as it was stated. */
function embodiedLane(device: ReportedDevice, kind: number, view: View, sourceOf: SourceOf): Lane | null {
  const part = 'product_embodied_emission'
  if ((kind & KINDS.refurbishment) === 0)
    return laneOf(labelOf(part, device.footprint.embodiedType, view), embodiedErrors(device), sourceOf)
  const booking = refurbishmentIn(view)
  if (booking === null) return null
  const { scope, category } = booking
  return laneOf({ part, scope, category, estimate_type: 'estimated' }, [], sourceOf)
}

function useLane(device: ReportedDevice, country: string, kind: number, view: View, sourceOf: SourceOf): Lane {
  const score = gridScoreOf(kind)
  const errors =
    score === 0
      ? useByShareErrors(device)
      : useByGridErrors({ ...device, country: country === '' ? null : country }, score as Score)
  const type = (kind & KINDS.useEstimated) === 0 ? 'indicative' : 'estimated'
  return laneOf(labelOf('product_use', type, view), errors, sourceOf)
}

const transportLane = (parts: readonly MixPart[], view: View, sourceOf: SourceOf): Lane | null =>
  mixedLane(
    labelOf('transportation', 'estimated', view),
    parts.map((part) => [part, freightErrors(part[0])]),
    sourceOf,
  )

/** Packaging of both types is told apart: what is estimated, and the rest. */
function packagingIn(
  { packaging, releaseId }: ReturnType<typeof readMix>,
  view: View,
  devices: ReportedDevices,
  sourceOf: SourceOf,
) {
  const book = devices.bookOf(releaseId)
  const factors = packaging.map((part) => ({ part, factor: book.packagings.get(part[0])! }))
  const [own, standIns] = [factors.filter((one) => !one.factor.standsIn), factors.filter((one) => one.factor.standsIn)]
  const lane = (those: typeof factors, type: LineType) =>
    mixedLane(
      labelOf('packaging', type, view),
      those.map(({ part, factor }) => [part, packagingErrors(factor)]),
      sourceOf,
    )
  if (own.length === 0 || standIns.length === 0)
    return { lanes: [own.length > 0 ? lane(own, 'estimated') : lane(standIns, 'indicative'), null], other: null }
  const [all, other] = [factors, standIns].map((those) => milligramsOf(those.map(({ part }) => part)))
  return {
    lanes: [lane(own, 'estimated'), lane(standIns, 'indicative')],
    other: { numerator: other!, denominator: Math.max(1, all!) },
  }
}

const milligramsOf = (parts: readonly MixPart[]): number => parts.reduce((sum, part) => sum + Number(part[1] ?? 1), 0)

/** What several factors came to together errs by the errors of each, by its share. */
function mixedLane(
  label: LineLabel,
  parts: readonly (readonly [part: MixPart, errors: readonly ErrorSource[]])[],
  sourceOf: SourceOf,
): Lane | null {
  if (parts.length === 0) return null
  const total = milligramsOf(parts.map(([part]) => part))
  const sources = parts.map(([part, errors]) => ({
    source: sourceOf(label, errors),
    share: total === 0 ? 1 / parts.length : milligramsOf([part]) / total,
  }))
  return { label, sources }
}
