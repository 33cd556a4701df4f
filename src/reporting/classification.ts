// Classifies the milligrams of a fact: the report label of each part, and the errors it shares with other facts.
import { classify, classifyRefurbishment, type GhgLabel, type InventoryBoundary } from '../engine/inventory-boundary.ts'
import type { LineType, Part } from '../engine/numbers/emission.ts'
import type { ErrorSource } from '../engine/uncertainty/lognormal.ts'
import type { Score } from '../engine/uncertainty/pedigree.ts'
import {
  embodiedErrors,
  freightErrors,
  packagingErrors,
  refurbishmentErrors,
  useByGridErrors,
  useByShareErrors,
} from '../engine/uncertainty/uncertainty.ts'
import type { DeviceDimensionRow, DeviceDimension } from './device-dimension.ts'
import { ENTRY_KINDS, gridScoreOf, gridSpreadOf } from './fact.ts'
import { decodeFactorMix, type FactorMix, type FactorShare } from './factor-mix.ts'
import type { Period } from './periods.ts'

/** How a report labels milligrams, apart from time and order. */
export interface ReportLabel {
  readonly part: Part
  readonly scope: string
  readonly category: string
  readonly estimate_type: LineType
}

/** One part of a fact, or the indicative share of its packaging if another share is estimated. */
export interface ReportPart {
  /** The same object for all parts with the same label. */
  readonly label: ReportLabel
  /** The error sources, each with the share of the emission that its errors affect. */
  readonly sources: readonly ErrorShare[]
}

export interface ErrorShare {
  readonly source: number
  readonly share: number
}

/** The lanes of a classification: the parts, and packaging with a proxy factor if both kinds occur in one order. */
export const PART_INDEX = { embodied: 0, use: 1, packaging: 2, transportation: 3, otherPackaging: 4 } as const

export interface FactClassification {
  readonly parts: readonly (ReportPart | null)[]
  /** The share of the packaging that belongs to `otherPackaging`; null for none. */
  readonly otherPackaging: Period | null
}

export interface FactClassifier {
  readonly of: (device: string, country: string, kind: number, mix: string) => FactClassification
  /** The errors of each source, by its number. */
  readonly errors: () => readonly (readonly ErrorSource[])[]
}

/** Cache limit: if orders have several transports each, there may be as many classifications as orders. */
const KNOWN_MAX = 20_000

interface Making {
  readonly view: InventoryBoundary
  readonly devices: DeviceDimension
  readonly labelOf: (part: Part, type: LineType, booking: GhgLabel) => ReportLabel
  readonly sourceOf: (label: ReportLabel, errors: readonly ErrorSource[]) => number
}

export function createFactClassifier(view: InventoryBoundary, devices: DeviceDimension): FactClassifier {
  const known = new Map<string, FactClassification>()
  const labels = createInterner<ReportLabel>()
  const sources = createInterner<readonly ErrorSource[]>()
  const making: Making = {
    view,
    devices,
    labelOf: (part, estimate_type, { scope, category }) =>
      labels.at(
        labels.of([part, estimate_type, scope, category].join('\0'), () => ({ part, scope, category, estimate_type })),
      ),
    sourceOf: (label, errors) => {
      const names = errors.map(({ factor, logSd }) => `${factor}\0${logSd}`)
      return sources.of([label.part, label.estimate_type, ...names].join('\0'), () => errors)
    },
  }
  return {
    of: (...parts) => {
      const text = parts.join('\0')
      const footing = known.get(text) ?? toFooting(making, ...parts)
      if (known.size >= KNOWN_MAX) known.clear()
      known.set(text, footing)
      return footing
    },
    errors: sources.all,
  }
}

/** Numbers texts from 0, with the value created for each. */
export function createInterner<Made>() {
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

function toFooting(making: Making, device: string, country: string, kind: number, mix: string): FactClassification {
  const charged = making.devices.of(device)
  const consistsOf = mix === '' ? null : decodeFactorMix(mix)
  const packaging = consistsOf && packagingIn(making, consistsOf)
  return {
    parts: [
      charged && embodiedPart(making, charged, kind),
      charged && usePart(making, charged, country, kind),
      packaging?.lanes[0] ?? null,
      consistsOf && transportPart(making, consistsOf.transportation),
      packaging?.lanes[1] ?? null,
    ],
    otherPackaging: packaging?.other ?? null,
  }
}

const labelIn = ({ view, labelOf }: Making, part: Part, type: LineType): ReportLabel =>
  labelOf(part, type, classify(part, view))

const partOf = ({ sourceOf }: Making, label: ReportLabel, errors: readonly ErrorSource[]): ReportPart => ({
  label,
  sources: [{ source: sourceOf(label, errors), share: 1 }],
})

/** A refurbishment counts as stated, without errors; a default in place of what was not stated has that of a type. */
function embodiedPart(making: Making, device: DeviceDimensionRow, kind: number): ReportPart | null {
  const part = 'product_embodied_emission'
  if ((kind & ENTRY_KINDS.refurbishment) === 0)
    return partOf(making, labelIn(making, part, device.footprint.embodiedType), embodiedErrors(device))
  const booking = classifyRefurbishment(making.view)
  if (!booking) return null
  if ((kind & ENTRY_KINDS.byDefault) === 0) return partOf(making, making.labelOf(part, 'estimated', booking), [])
  const errors = refurbishmentErrors(device.footprint.typeDefault.type)
  return partOf(making, making.labelOf(part, 'indicative', booking), errors)
}

function usePart(making: Making, device: DeviceDimensionRow, country: string, kind: number): ReportPart {
  const score = gridScoreOf(kind)
  const errors =
    score === 0
      ? useByShareErrors(device)
      : useByGridErrors({ ...device, country: country === '' ? null : country }, score as Score, gridSpreadOf(kind))
  const type = (kind & ENTRY_KINDS.useEstimated) === 0 ? 'indicative' : 'estimated'
  return partOf(making, labelIn(making, 'product_use', type), errors)
}

const transportPart = (making: Making, parts: readonly FactorShare[]): ReportPart | null =>
  mixedPart(
    making,
    labelIn(making, 'transportation', 'estimated'),
    parts.map((part) => [part, freightErrors(part[0])]),
  )

/** If the packaging is of both types, the estimated and the indicative share get separate lanes. */
function packagingIn(making: Making, { packaging, releaseId }: FactorMix) {
  const referenceData = making.devices.referenceDataOf(releaseId)
  const factors = packaging.map((part) => ({ part, factor: referenceData.packagings.get(part[0])! }))
  const [own, standIns] = [factors.filter((one) => !one.factor.standsIn), factors.filter((one) => one.factor.standsIn)]
  const partFrom = (those: typeof factors, type: LineType) =>
    mixedPart(
      making,
      labelIn(making, 'packaging', type),
      those.map(({ part, factor }) => [part, packagingErrors(factor)]),
    )
  if (own.length === 0 || standIns.length === 0)
    return {
      lanes: [own.length > 0 ? partFrom(own, 'estimated') : partFrom(standIns, 'indicative'), null],
      other: null,
    }
  const [all, other] = [factors, standIns].map((those) => milligramsOf(those.map(({ part }) => part)))
  return {
    lanes: [partFrom(own, 'estimated'), partFrom(standIns, 'indicative')],
    other: { numerator: other!, denominator: Math.max(1, all!) },
  }
}

const milligramsOf = (parts: readonly FactorShare[]): number =>
  parts.reduce((sum, part) => sum + Number(part[1] ?? 1), 0)

/** The combined emission of several factors has the errors of each, weighted by its share. */
function mixedPart(
  { sourceOf }: Making,
  label: ReportLabel,
  parts: readonly (readonly [part: FactorShare, errors: readonly ErrorSource[]])[],
): ReportPart | null {
  if (parts.length === 0) return null
  const total = milligramsOf(parts.map(([part]) => part))
  const sources = parts.map(([part, errors]) => ({
    source: sourceOf(label, errors),
    share: total === 0 ? 1 / parts.length : milligramsOf([part]) / total,
  }))
  return { label, sources }
}
