// Builds the reference data from the text of the dataset files, or throws with every violation found.
import {
  aliasKey,
  type DeviceModel,
  type DeviceType,
  type DistanceAdjustment,
  type DistanceBasis,
  type EnergyCarrier,
  type EnergyCarrierKind,
  type EnergyUnit,
  type Fallback,
  type FallbackLevel,
  type FallbackRegression,
  type KnownDevice,
  type PackagingFactor,
  type ReferenceData,
  type RefurbishmentDefault,
  type RegionFactor,
  type Source,
  type TransportFactor,
  type TransportMode,
  type TypeDefault,
  type WeightFactor,
} from '../engine/reference/reference-data.ts'
import type { MatchLexicon } from '../engine/matching/match-lexicon.ts'
import { fallbackKey } from '../engine/reference/fallback.ts'
import { regionFactorOf } from '../engine/reference/region-factor.ts'
import { compare, parseDecimal, type Rational } from '../engine/numbers/rational.ts'
import { adjustmentsByMode } from '../engine/transport.ts'
import { describeViolation, type Violation } from './violations.ts'
import { comparedWithSeries, toGrid, toGridLosses, toGridSeries } from './load-grid.ts'
import { RELEASE_FILE, readTables, validateTables } from './validate-tables.ts'
import { hasMatchLexicon, toMatchLexicon } from './read-lexicon.ts'
import { hashContent, type DatasetFiles } from './files.ts'
import { rowsOf, type Row, type Tables } from './csv-table.ts'

type Cells = Row['cells']
type Sources = ReadonlyMap<string, Source>

/** The datasets are invalid; `breaches` contains all violations. */
export class DatasetError extends Error {
  readonly breaches: readonly Violation[]

  constructor(breaches: readonly Violation[]) {
    super(`The datasets break ${breaches.length} rules:\n${breaches.map(describeViolation).join('\n')}`)
    this.breaches = breaches
  }
}

/**
 * Loads and validates a release. Pure: the same files give the same reference data under the same name.
 * @throws DatasetError with all violations, if there are any.
 */
export function loadReferenceData(files: DatasetFiles): ReferenceData {
  const tables = readTables(files)
  const breaches = validateTables(tables, files)
  if (breaches.length > 0) throw new DatasetError(breaches)
  return createBook(tables, files, toMatchLexicon(tables), NO_TRANSPORTS)
}

const NO_TRANSPORTS: ReferenceData['transports'] = new Map()

/**
 * Loads a stored release as it was loaded when it was new. It is not validated again: it passed the checks of its time,
 * and current ones may require columns that it could not have. Values of such columns are taken as not stated.
 * A mode of transport that was added since has no row in its distance-adjustments.csv: no distance of it is adjusted.
 *
 * A release that was stored before lexicons were part of releases gets the shipped one. That changes no stored result:
 * products of new orders are matched with the release that is served, and a stored match is never replaced by a new one
 * (`rematchProduct`). An archived lexicon only serves to check that the brand of a product does not contradict its
 * stored fallback, and to rank the other candidates that a receipt prints. The versions that stored such a release used
 * the words in their own code for that, too, whatever the release.
 *
 * One that was stored before there were energy carriers gets those of the shipped transports with the same figures.
 * @param shipped the lexicon of the release that is shipped with the program
 * @param transports those of that release; without them, such a release has no energy carriers
 */
export function loadArchivedRelease(
  files: DatasetFiles,
  shipped: MatchLexicon,
  transports: ReferenceData['transports'] = NO_TRANSPORTS,
): ReferenceData {
  const tables = readTables(files)
  return createBook(
    tables,
    files,
    hasMatchLexicon(files) ? toMatchLexicon(tables) : shipped,
    files.has(CARRIERS_FILE) ? NO_TRANSPORTS : transports,
  )
}

const CARRIERS_FILE = 'energy-carriers.csv'

/** The hash is part of the name, so that two sets of figures never have the same name. */
export const nameOfRelease = (files: DatasetFiles, hash = hashContent(files)): string =>
  `${files.get(RELEASE_FILE)?.trim() ?? ''}-${hash.slice(0, 8)}`

/** @param shipped transports from which those without an energy carrier of their own take it */
function createBook(
  tables: Tables,
  files: DatasetFiles,
  matching: MatchLexicon,
  shipped: ReferenceData['transports'],
): ReferenceData {
  const hash = hashContent(files)
  const sources = new Map(rowsOf(tables, 'sources.csv').map(({ cells }) => [cells['id']!, toSource(cells)]))
  const regions = Map.groupBy(toRegions(rowsOf(tables, 'grid-regions.csv'), sources), ({ region }) => region)
  const models = byId(tables, 'devices/device-models.csv', (cells) => toModel(cells, regions))
  const grid = toGrid(rowsOf(tables, 'grid-factors.csv'), sources)
  const gridSeries = toGridSeries(tables, grid, sources)
  const carriers = byId(tables, CARRIERS_FILE, (cells) => toEnergyCarrier(cells, sources))
  return {
    release: nameOfRelease(files, hash),
    hash,
    models,
    aliases: toAliases(models, rowsOf(tables, 'devices/aliases.csv')),
    codes: toCodes(rowsOf(tables, 'devices/aliases.csv')),
    knownDevices: byId(tables, 'devices/known-devices.csv', toKnownDevice),
    typeDefaults: new Map(
      rowsOf(tables, 'devices/type-defaults.csv').map(({ cells }) => [
        cells['type'] as DeviceType | 'any',
        toTypeDefault(cells, sources),
      ]),
    ),
    refurbishments: new Map(
      rowsOf(tables, 'refurbishments.csv').map(({ cells }) => [
        cells['type'] as DeviceType,
        toRefurbishment(cells, sources),
      ]),
    ),
    fallbacks: toFallbacks(rowsOf(tables, 'devices/fallbacks.csv'), sources),
    itEquipment: toWeightFactor(rowsOf(tables, 'it-equipment.csv')[0]!.cells, sources),
    transports: byId(tables, 'transports.csv', (cells) =>
      withCarrier(toTransport(cells, sources), carriers.get(cells['energy_carrier'] ?? ''), shipped),
    ),
    distanceAdjustments: adjustmentsByMode(
      rowsOf(tables, 'distance-adjustments.csv').map(({ cells }) => [
        cells['mode'] as TransportMode,
        toDistanceAdjustment(cells, sources),
      ]),
    ),
    packagings: byId(tables, 'packagings.csv', (cells) => toPackaging(cells, sources)),
    regions,
    grid: comparedWithSeries(grid, gridSeries),
    gridSeries,
    gridLosses: toGridLosses(rowsOf(tables, 'grid-losses.csv'), sources),
    matching,
  }
}

const byId = <T>(tables: Tables, file: string, toRecord: (cells: Cells) => T): Map<string, T> =>
  new Map(rowsOf(tables, file).map(({ cells }) => [cells['id']!, toRecord(cells)]))

// Validation ensures that every required cell below is present and every number is valid.
const ratioOrNull = (text: string | undefined): Rational | null => (text ? parseDecimal(text) : null)
const wholeOrNull = (text: string | undefined): number | null => (text ? Number(text) : null)

const toSource = (cells: Cells): Source => ({
  title: cells['title']!,
  publisher: cells['publisher']!,
  year: wholeOrNull(cells['year']),
  url: cells['url']!,
  licence: cells['licence']!,
})

const toModel = (cells: Cells, regions: ReadonlyMap<string, readonly RegionFactor[]>): DeviceModel => ({
  id: cells['id']!,
  name: cells['name']!,
  brand: cells['brand']!,
  type: cells['type'] as DeviceType,
  total: ratioOrNull(cells['total_kg_co2e']),
  production: ratioOrNull(cells['production_kg_co2e']),
  transportation: ratioOrNull(cells['transportation_kg_co2e']),
  productUse: ratioOrNull(cells['use_kg_co2e']),
  endOfLife: ratioOrNull(cells['end_of_life_kg_co2e']),
  lifetimeMonths: wholeOrNull(cells['lifetime_months']),
  weightKg: ratioOrNull(cells['weight_kg']),
  screenInches: ratioOrNull(cells['screen_inches']),
  yearlyEnergyKwh: ratioOrNull(cells['yearly_energy_kwh']),
  useRegion: regionFactorOf(regions.get(cells['use_region'] ?? '') ?? [], wholeOrNull(cells['year'])),
  uncertaintyRatio: ratioOrNull(cells['uncertainty_ratio']),
  source: ownSource(cells),
  quotedVia: cells['evidence'] === 'secondary' ? cells['via']! : null,
})

/** Releases that were stored before there were factors of regions have none, so their figures stay as they were. */
const toRegions = (rows: readonly Row[], sources: Sources): readonly RegionFactor[] =>
  rows.map(({ cells }) => ({
    region: cells['region']!,
    year: Number(cells['year']),
    factor: parseDecimal(cells['factor_kg_co2e_per_kwh']!),
    source: sources.get(cells['source']!)!,
  }))

const toKnownDevice = (cells: Cells): KnownDevice => ({
  id: cells['id']!,
  name: cells['name']!,
  brand: cells['brand']!,
  type: cells['type'] as DeviceType,
  codes: cells['codes'] ? cells['codes'].split(' ') : [],
  yearlyEnergyKwh: ratioOrNull(cells['yearly_energy_kwh']),
  screenInches: ratioOrNull(cells['screen_inches']),
  source: ownSource(cells),
})

/** The source that stands in the row itself. */
const ownSource = (cells: Cells): Source => ({
  title: cells['source_title']!,
  publisher: cells['source_publisher']!,
  year: wholeOrNull(cells['year']),
  url: cells['source_url']!,
  licence: cells['licence']!,
})

/** A model's own name, with and without its brand, is also an alias; one shared by several models identifies none. */
function toAliases(models: ReadonlyMap<string, DeviceModel>, rows: readonly Row[]): Map<string, readonly string[]> {
  const aliases = new Map<string, readonly string[]>()
  const join = (alias: string, id: string) => {
    const key = aliasKey(alias)
    const ids = aliases.get(key) ?? []
    if (!ids.includes(id)) aliases.set(key, [...ids, id])
  }
  for (const { id, name, brand } of models.values()) [name, `${brand} ${name}`].forEach((alias) => join(alias, id))
  for (const { cells } of rows) join(cells['alias']!, cells['model_id']!)
  return aliases
}

const CODE_KINDS: readonly (string | undefined)[] = ['part_number', 'model_number', 'device_identifier']

const toCodes = (rows: readonly Row[]): ReadonlySet<string> =>
  new Set(rows.filter(({ cells }) => CODE_KINDS.includes(cells['kind'])).map(({ cells }) => aliasKey(cells['alias']!)))

/** Releases that were stored before there were defaults for refurbishments have none. */
const toRefurbishment = (cells: Cells, sources: Sources): RefurbishmentDefault => ({
  type: cells['type'] as DeviceType,
  emission: parseDecimal(cells['emission_kg_co2e']!),
  low: parseDecimal(cells['low_kg_co2e']!),
  high: parseDecimal(cells['high_kg_co2e']!),
  assumed: cells['assumed'] === 'yes',
  source: sources.get(cells['source']!)!,
})

const toTypeDefault = (cells: Cells, sources: Sources): TypeDefault => ({
  type: cells['type'] as DeviceType | 'any',
  embodied: ratioOrNull(cells['embodied_kg_co2e']),
  embodiedSheets: Number(cells['embodied_sheets']),
  useShare: parseDecimal(cells['use_share']!),
  lifetimeMonths: Number(cells['lifetime_months']),
  yearlyEnergyKwh: ratioOrNull(cells['yearly_energy_kwh']),
  weightKg: ratioOrNull(cells['weight_kg']),
  assumed: cells['assumed'] === 'yes',
  source: sources.get(cells['source']!)!,
})

const toFallbacks = (rows: readonly Row[], sources: Sources): Map<string, Fallback> =>
  new Map(
    rows.map(({ cells }) => {
      const fallback = toFallback(cells, sources)
      return [fallbackKey(fallback), fallback]
    }),
  )

const toFallback = (cells: Cells, sources: Sources): Fallback => ({
  level: cells['level'] as FallbackLevel,
  type: cells['type'] as DeviceType | 'any',
  brand: cells['brand'] || null,
  family: cells['family'] || null,
  embodied: ratioOrNull(cells['embodied_kg_co2e']),
  regression: cells['intercept'] ? toRegression(cells) : null,
  sheets: Number(cells['sheets']),
  intervalLogSd: parseDecimal(cells['interval_log_sd']!),
  source: sources.get(cells['source']!)!,
})

const toRegression = (cells: Cells): FallbackRegression => ({
  intercept: parseDecimal(cells['intercept']!),
  perLnWeight: parseDecimal(cells['per_ln_weight']!),
  perLnScreen: ratioOrNull(cells['per_ln_screen']),
  logSd: parseDecimal(cells['log_sd']!),
  weightKg: [parseDecimal(cells['weight_min_kg']!), parseDecimal(cells['weight_max_kg']!)],
  screenInches: cells['screen_min_inches']
    ? [parseDecimal(cells['screen_min_inches']), parseDecimal(cells['screen_max_inches']!)]
    : null,
})

const toTransport = (cells: Cells, sources: Sources): TransportFactor => ({
  id: cells['id']!,
  name: cells['name']!,
  mode: cells['mode'] as TransportMode,
  vehicle: cells['vehicle']!,
  factor: parseDecimal(cells['factor_kg_co2e_per_tonne_km']!),
  factorTankToWheel: parseDecimal(cells['ttw_kg_co2e_per_tonne_km']!),
  distanceBasis: cells['distance_basis'] as DistanceBasis,
  region: cells['region']!,
  source: sources.get(cells['source']!)!,
})

function withCarrier(
  factor: TransportFactor,
  own: EnergyCarrier | undefined,
  shipped: ReferenceData['transports'],
): TransportFactor {
  const other = shipped.get(factor.id)
  const energyCarrier = own ?? (other && haveSameFigures(factor, other) ? other.energyCarrier : undefined)
  return energyCarrier ? { ...factor, energyCarrier } : factor
}

const haveSameFigures = (a: TransportFactor, b: TransportFactor): boolean =>
  compare(a.factor, b.factor) === 0 && compare(a.factorTankToWheel, b.factorTankToWheel) === 0

const toEnergyCarrier = (cells: Cells, sources: Sources): EnergyCarrier => ({
  id: cells['id']!,
  name: cells['name']!,
  kind: cells['kind'] as EnergyCarrierKind,
  unit: cells['unit'] as EnergyUnit,
  tankToWheel: parseDecimal(cells['ttw_kg_co2e_per_unit']!),
  wellToTank: parseDecimal(cells['wtt_kg_co2e_per_unit']!),
  source: sources.get(cells['source']!)!,
})

const toDistanceAdjustment = (cells: Cells, sources: Sources): DistanceAdjustment => ({
  multiplier: parseDecimal(cells['multiplier']!),
  addedKm: parseDecimal(cells['added_km']!),
  source: sources.get(cells['source']!)!,
})

const toPackaging = (cells: Cells, sources: Sources): PackagingFactor => ({
  id: cells['id']!,
  name: cells['name']!,
  material: cells['material']!,
  recycledContentPercent: wholeOrNull(cells['recycled_content_percent']),
  factor: parseDecimal(cells['factor_kg_co2e_per_kg']!),
  endOfLife: {
    landfill: ratioOrNull(cells['landfill_kg_co2e_per_kg']),
    incineration: ratioOrNull(cells['incineration_kg_co2e_per_kg']),
    recycling: ratioOrNull(cells['recycling_kg_co2e_per_kg']),
  },
  standsIn: cells['stand_in'] === 'yes',
  source: sources.get(cells['source']!)!,
})

const toWeightFactor = (cells: Cells, sources: Sources): WeightFactor => ({
  factor: parseDecimal(cells['factor_kg_co2e_per_kg']!),
  source: sources.get(cells['source']!)!,
})
