// Rebuilds reference data from the figures of a receipt: enough to recompute its own order, but no other order.
import {
  DEVICE_TYPES,
  DISTANCE_BASES,
  TRANSPORT_MODES,
  type DeviceModel,
  type ReferenceData,
  type RegionFactor,
  type GridFactor,
  type KnownDevice,
  type PackagingFactor,
  type Source,
  type TransportFactor,
  type TypeDefault,
} from '../engine/reference/reference-data.ts'
import type { MatchLexicon } from '../engine/matching/match-lexicon.ts'
import { fallbackKey } from '../engine/reference/fallback.ts'
import { ONE, ZERO, compare, type Rational } from '../engine/numbers/rational.ts'
import { adjustmentsByMode } from '../engine/transport.ts'
import { readFallback } from './reference-data.ts'
import type { Decoder } from '../strict-json/decoder.ts'

const MONTHS_MAX = 10_000
const YEAR_MAX = 9999
const ROWS_MAX = 1_000_000
const NOBODY: Source = { title: '', publisher: '', year: null, url: '', licence: '' }

type SourceOf = (figure: Decoder) => Source

/**
 * @param matching a receipt prints no words, but the brands of its products are read with them
 * @throws DecodeError at a figure that does not have the required form
 */
export function readReferenceData(release: Decoder, matching: MatchLexicon): ReferenceData {
  const sources = new Map(release.get('sources').list().map(readSource))
  const numbered = (number: Decoder): Source => {
    const source = sources.get(number.integer(ROWS_MAX))
    if (!source) throw number.fault('the number of a source')
    return source
  }
  const sourceOf: SourceOf = (figure) => numbered(figure.get('source'))
  const rows = <Row>(name: string, read: (row: Decoder, sourceOf: SourceOf) => Row): readonly Row[] =>
    release
      .get(name)
      .list()
      .map((row) => read(row, sourceOf))
  const stated = rows('type_defaults', (row) => {
    const lifetimeSource = row.get('lifetime_source').maybe(numbered)
    return { ...readTypeDefault(row, sourceOf), ...(lifetimeSource && { lifetimeSource }) }
  })
  return {
    release: release.get('name').text(),
    hash: release.get('content_hash').text(),
    models: new Map(rows('models', readModel).map((model) => [model.id, model])),
    aliases: new Map(rows('aliases', readAlias)),
    codes: new Set(),
    // Receipts issued before devices without a footprint were known have none.
    knownDevices: new Map(
      (release.get('known_devices').maybe((list) => list.list()) ?? [])
        .map((row) => readKnownDevice(row, sourceOf))
        .map((device) => [device.id, device]),
    ),
    typeDefaults: new Map([...NEUTRAL_TYPES, ...stated].map((one) => [one.type, one])),
    fallbacks: new Map(
      // Receipts issued before fallback levels existed have none.
      (release.get('fallbacks').maybe((list) => list.list()) ?? []).map((row) => {
        const one = readFallback(row, sourceOf)
        return [fallbackKey(one), one]
      }),
    ),
    itEquipment: release.get('it_equipment').maybe((row) => readWeightFactor(row, sourceOf)) ?? NEUTRAL_WEIGHT,
    transports: new Map(rows('transportations', readTransport).map((factor) => [factor.id, factor])),
    distanceAdjustments: adjustmentsByMode(rows('distance_adjustments', readAdjustment)),
    packagings: new Map(rows('packagings', readPackaging).map((factor) => [factor.id, factor])),
    grid: new Map(rows('grids', readGrid)),
    gridSeries: new Map(),
    gridLosses: new Map(),
    matching,
  }
}

/** Placeholders for figures the order does not need, because a receipt prints only the figures that it uses. */
const NEUTRAL_TYPES = [...DEVICE_TYPES, 'any' as const].map((type): TypeDefault => ({
  type,
  embodied: null,
  embodiedSheets: 0,
  useShare: ZERO,
  lifetimeMonths: 1,
  yearlyEnergyKwh: null,
  weightKg: null,
  assumed: false,
  source: NOBODY,
}))
const NEUTRAL_WEIGHT = { factor: ZERO, source: NOBODY }

const readSource = (row: Decoder): readonly [number, Source] => [
  row.get('no').integer(ROWS_MAX),
  {
    title: row.get('title').text(),
    publisher: row.get('publisher').text(),
    year: row.get('year').maybe((year) => year.integer(YEAR_MAX)),
    url: row.get('url').text(),
    licence: row.get('licence').text(),
    ...readOwnSource(row),
  },
]

/** The members that only the source of an account's own figure has. */
function readOwnSource(row: Decoder): Pick<Source, 'origin' | 'version' | 'document_sha256' | 'verified_by'> {
  const origin = row.get('origin').maybe((one) => one.oneOf(['account']))
  if (!origin) return {}
  const document_sha256 = row.get('document_sha256').maybe((one) => one.text())
  const verified_by = row.get('verified_by').maybe((one) => one.text())
  return {
    origin,
    version: row.get('version').integer(ROWS_MAX),
    ...(document_sha256 && { document_sha256 }),
    ...(verified_by && { verified_by }),
  }
}

const months = (node: Decoder): number => {
  const number = node.integer(MONTHS_MAX)
  if (number === 0) throw node.fault('1 month or more')
  return number
}

const readModel = (row: Decoder, sourceOf: SourceOf): DeviceModel => ({
  id: row.get('id').text(),
  name: row.get('name').text(),
  brand: row.get('brand').text(),
  type: row.get('type').oneOf(DEVICE_TYPES),
  total: row.get('total').maybe((total) => total.exact()),
  production: row.get('production').maybe((production) => production.exact()),
  transportation: null,
  productUse: row.get('product_use').maybe((use) => use.exact()),
  endOfLife: null,
  lifetimeMonths: row.get('lifetime_months').maybe(months),
  weightKg: null,
  screenInches: null,
  yearlyEnergyKwh: row.get('yearly_energy_kwh').maybe((energy) => energy.exact()),
  useRegion: row.get('use_region').maybe((region) => readRegion(region, sourceOf)) ?? null,
  source: sourceOf(row),
  uncertaintyRatio: null,
  quotedVia: row.get('quoted_via').maybe((via) => via.text()),
})

/** A factor of 0 would leave no electricity to compute. */
function readRegion(row: Decoder, sourceOf: SourceOf): RegionFactor {
  const factor = row.get('factor').exact()
  if (compare(factor, ZERO) <= 0) throw row.get('factor').fault('more than 0')
  return { region: row.get('region').text(), year: row.get('year').integer(YEAR_MAX), factor, source: sourceOf(row) }
}

const readKnownDevice = (row: Decoder, sourceOf: SourceOf): KnownDevice => ({
  id: row.get('id').text(),
  name: row.get('name').text(),
  brand: row.get('brand').text(),
  type: row.get('type').oneOf(DEVICE_TYPES),
  codes: [],
  yearlyEnergyKwh: row.get('yearly_energy_kwh').maybe((energy) => energy.exact()),
  screenInches: null,
  source: sourceOf(row),
})

const readAlias = (row: Decoder): readonly [string, readonly string[]] => [
  row.get('text').text(),
  row
    .get('model_ids')
    .list()
    .map((id) => id.text()),
]

function share(node: Decoder): Rational {
  const value = node.exact()
  if (compare(value, ZERO) < 0 || compare(value, ONE) >= 0) throw node.fault('a share from 0 to below 1')
  return value
}

const readTypeDefault = (row: Decoder, sourceOf: SourceOf): TypeDefault => ({
  type: row.get('type').oneOf([...DEVICE_TYPES, 'any']),
  embodied: row.get('embodied').maybe((embodied) => embodied.exact()),
  embodiedSheets: 0,
  useShare: row.get('use_share').maybe(share) ?? ZERO,
  lifetimeMonths: row.get('lifetime_months').maybe(months) ?? 1,
  yearlyEnergyKwh: row.get('yearly_energy_kwh').maybe((energy) => energy.exact()),
  weightKg: null,
  assumed: row.get('assumed').flag(),
  source: sourceOf(row),
})

const readWeightFactor = (row: Decoder, sourceOf: SourceOf) => ({
  factor: row.get('factor').exact(),
  source: sourceOf(row),
})

function readTransport(row: Decoder, sourceOf: SourceOf): TransportFactor {
  const id = row.get('id').text()
  return {
    id,
    name: id,
    mode: row.get('mode').oneOf(TRANSPORT_MODES),
    vehicle: '',
    factor: row.get('factor').exact(),
    factorTankToWheel: ZERO,
    distanceBasis: row.get('distance_basis').oneOf(DISTANCE_BASES),
    region: '',
    source: sourceOf(row),
  }
}

const readAdjustment = (row: Decoder, sourceOf: SourceOf) =>
  [
    row.get('mode').oneOf(TRANSPORT_MODES),
    { multiplier: row.get('multiplier').exact(), addedKm: row.get('added_km').exact(), source: sourceOf(row) },
  ] as const

function readPackaging(row: Decoder, sourceOf: SourceOf): PackagingFactor {
  const id = row.get('id').text()
  return {
    id,
    name: id,
    material: '',
    recycledContentPercent: null,
    factor: row.get('factor').exact(),
    endOfLife: { landfill: null, incineration: null, recycling: null },
    standsIn: row.get('stands_in').flag(),
    source: sourceOf(row),
  }
}

const readGrid = (row: Decoder, sourceOf: SourceOf): readonly [string, readonly GridFactor[]] => [
  row.get('country').text(),
  row
    .get('factors')
    .list()
    .map((one): GridFactor => {
      const year = one.get('year').integer(YEAR_MAX)
      const latestYear = one.get('latest_year').maybe((latest) => latest.integer(YEAR_MAX)) ?? year
      return { year, latestYear, factor: one.get('factor').exact(), source: sourceOf(one) }
    }),
]
