// The quality report: how many kilograms are known at which quality, and which products to correct first.
import { FALLBACK_LEVELS } from '../engine/reference/reference-data.ts'
import type { LineType, Milligrams } from '../engine/numbers/emission.ts'
import type { Resumable } from '../engine/numbers/steps.ts'
import { intervalAround } from '../engine/uncertainty/uncertainty.ts'
import {
  createQualityAggregator,
  type QualityAggregator,
  type QualityQuery,
  type QualityTrait,
} from './quality-counts.ts'
import { decodeProduct } from './fact.ts'
import type { ReportPart } from './classification.ts'
import { scanFacts, type ChunkSource } from './scan.ts'
import { createErrorPropagator } from '../engine/uncertainty/error-propagation.ts'
import { SPILL_LANES } from './exact-sums.ts'

/**
 * `model` is the model's own data sheet, followed by the fallbacks; packaging and transport have factors of their own.
 */
export const LEVELS: readonly string[] = ['model', ...FALLBACK_LEVELS, 'weight', 'packaging', 'transportation']

/** Age bands in years; at the start of each band the score of a source gets worse. METHODOLOGY.md#uncertainty */
export const AGE_BANDS = ['0-2', '3-5', '6-9', '10-14', '15+'] as const
const BAND_ENDS = [2, 5, 9, 14]

export interface QualityShare {
  readonly emission: Milligrams
}
export interface LevelShare extends QualityShare {
  readonly level: string
  readonly type: LineType
}
export interface AgeShare extends QualityShare {
  readonly age: (typeof AGE_BANDS)[number] | 'unknown'
}
export interface CountryShare extends QualityShare {
  readonly isStated: boolean
}

export const IMPROVEMENTS = ['map_product_id', 'confirm_model', 'state_country'] as const
export type Improvement = (typeof IMPROVEMENTS)[number]

/** A product id whose figures are not those of a model named by the account. */
export interface ProductToImprove {
  readonly productId: string
  readonly matchMethod: string
  readonly chargedBy: readonly string[]
  readonly emission: Milligrams
  readonly low: Milligrams
  readonly high: Milligrams
  /** The part of its use emission that was posted without a country, though a country would change it. */
  readonly withoutCountry: Milligrams
  readonly advice: readonly Improvement[]
}

export interface QualityReport {
  readonly total: Milligrams
  readonly levels: readonly LevelShare[]
  readonly ages: readonly AgeShare[]
  readonly countries: readonly CountryShare[]
  /** Widest interval first. */
  readonly toMend: readonly ProductToImprove[]
  readonly releases: readonly string[]
}

/**
 * @param most maximum number of products to correct
 * @param inTurn runs work in steps without blocking other work
 */
export function reportQuality(
  source: ChunkSource,
  query: QualityQuery,
  most: number,
  inTurn: <Result>(steps: Resumable<Result>) => Promise<Result>,
): Promise<QualityReport> {
  const { accountId, from, to } = query
  return scanFacts(source, { accountId, bases: ['order'], from, to }, async (chunks) => {
    const counter = createQualityAggregator(query, source.referenceDataOf)
    for await (const chunk of chunks) await counter.take(chunk)
    return inTurn(collectBoard(counter, most))
  })
}

/** The sum of one part over facts with the same traits. */
interface Sum {
  readonly trait: QualityTrait
  readonly part: ReportPart
  readonly emission: Milligrams
}

function* sumsOf({ tally, traits, partsAt }: QualityAggregator): Generator<Sum> {
  for (let at = 0; at < tally.size(); at += 1) {
    for (const [no, part] of partsAt(tally.secondOf(at)).entries()) {
      const emission = BigInt(tally.sum(at, no)) + (tally.aside()?.get(at * SPILL_LANES + no) ?? 0n)
      if (part !== null && emission !== 0n) yield { trait: traits[tally.firstOf(at)]!, part, emission }
    }
  }
}

function* collectBoard(counter: QualityAggregator, most: number): Resumable<QualityReport> {
  const levels = createSums<Omit<LevelShare, 'emission'>>()
  const ages = createSums<Omit<AgeShare, 'emission'>>()
  const countries = createSums<Omit<CountryShare, 'emission'>>()
  const products = new Map<string, Sum[]>()
  let total = 0n
  for (const sum of sumsOf(counter)) {
    const { trait, part: lane, emission } = sum
    const { part, estimate_type: type } = lane.label
    total += emission
    levels.add({ level: levelOf(sum, counter), type }, emission)
    ages.add({ age: bandOf(ageOf(sum)) }, emission)
    if (part === 'product_use') countries.add({ isStated: trait.isCountryStated }, emission)
    if (trait.product !== '' && isOfProduct(sum)) {
      const those = products.get(trait.product)
      if (those) those.push(sum)
      else products.set(trait.product, [sum])
    }
    yield
  }
  const spreadOf = createErrorPropagator(counter.footings.errors())
  const toMend: ProductToImprove[] = []
  for (const [text, sums] of products) {
    toMend.push(...mendable(text, sums, counter, spreadOf))
    yield
  }
  return {
    total,
    levels: levels
      .all()
      .toSorted((a, b) => LEVELS.indexOf(a.level) - LEVELS.indexOf(b.level) || (a.type < b.type ? -1 : 1)),
    ages: ages.all().toSorted((a, b) => rankOfAge(a) - rankOfAge(b)),
    countries: countries.all().toSorted((a, b) => Number(b.isStated) - Number(a.isStated)),
    toMend: toMend
      .toSorted((a, b) => compare(widthOf(b), widthOf(a)) || (a.productId < b.productId ? -1 : 1))
      .slice(0, most),
    releases: counter.devices.releases(),
  }
}

function createSums<Label extends object>() {
  const sums = new Map<string, { readonly label: Label; emission: Milligrams }>()
  return {
    add: (label: Label, emission: Milligrams): void => {
      const key = JSON.stringify(label)
      const sum = sums.get(key) ?? { label, emission: 0n }
      sum.emission += emission
      sums.set(key, sum)
    },
    all: () => [...sums.values()].map(({ label, emission }) => ({ ...label, emission })),
  }
}

const isOfProduct = ({ part: { label } }: Sum): boolean =>
  label.part === 'product_embodied_emission' || label.part === 'product_use'

const levelOf = (sum: Sum, { devices }: QualityAggregator): string =>
  isOfProduct(sum) ? devices.of(sum.trait.device)!.footprint.level : sum.part.label.part

function ageOf({ trait, part }: Sum): number | null {
  if (part.label.part === 'packaging') return trait.packagingAge
  return part.label.part === 'transportation' ? trait.transportationAge : trait.deviceAge
}

function bandOf(age: number | null): AgeShare['age'] {
  if (age === null) return 'unknown'
  const band = BAND_ENDS.findIndex((end) => age <= end)
  return AGE_BANDS[band === -1 ? BAND_ENDS.length : band]!
}

const rankOfAge = ({ age }: AgeShare): number => (age === 'unknown' ? AGE_BANDS.length : AGE_BANDS.indexOf(age))
const widthOf = ({ low, high }: ProductToImprove): Milligrams => high - low
const compare = (a: bigint, b: bigint): number => (a < b ? -1 : a > b ? 1 : 0)

/** Returns nothing if neither a mapping, nor a confirmation, nor a country would change a figure. */
function mendable(
  text: string,
  sums: readonly Sum[],
  counter: QualityAggregator,
  spreadOf: ReturnType<typeof createErrorPropagator>,
): readonly ProductToImprove[] {
  const { productId, matchMethod } = decodeProduct(text)!
  // Nothing can be said about a product that a swap names without an id.
  if (productId === '') return []
  const charged = new Map(sums.map(({ trait }) => [trait.device, counter.devices.of(trait.device)!]))
  const usesCountry = (device: string): boolean => charged.get(device)!.footprint.yearlyEnergyKwh !== null
  const withoutCountry = sums
    .filter(
      ({ trait, part }) => part.label.part === 'product_use' && !trait.isCountryStated && usesCountry(trait.device),
    )
    .reduce((sum, { emission }) => sum + emission, 0n)
  const isStandIn = [...charged.values()].some(({ footprint }) => footprint.model === null)
  const advice: readonly Improvement[] = [
    ...(isStandIn ? (['map_product_id'] as const) : []),
    ...(!isStandIn && (matchMethod === 'name' || matchMethod === 'variant') ? (['confirm_model'] as const) : []),
    ...(withoutCountry > 0n ? (['state_country'] as const) : []),
  ]
  if (advice.length === 0) return []
  const shares = sums.flatMap(({ part, emission }) =>
    part.sources.map(({ source, share }) => ({ source, mean: Number(emission) * share })),
  )
  const bySource = new Map<number, number>()
  for (const { source, mean } of shares) bySource.set(source, (bySource.get(source) ?? 0) + mean)
  const emission = sums.reduce((sum, one) => sum + one.emission, 0n)
  const { low, high } = intervalAround(emission, spreadOf([...bySource.keys()], [...bySource.values()], bySource.size))
  const chargedBy = [...new Set([...charged.values()].map(({ footprintId }) => footprintId))].toSorted()
  return [{ productId, matchMethod, chargedBy, emission, low, high, withoutCountry, advice }]
}
