// The factor book of the worked examples, built from the plain figures in cases/*.json.
import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  aliasKey,
  type DeviceModel,
  type DeviceType,
  type DistanceBasis,
  type ReferenceData,
  type Source,
  type TransportMode,
} from '../src/engine/reference/reference-data.ts'
import { parseDecimal, type Rational } from '../src/engine/numbers/rational.ts'
import { adjustmentsByMode } from '../src/engine/transport.ts'
import { shippedReferenceData } from './shipped-book.ts'

/** Figures are decimals in quotes, so that they are read as they are written. */
type Decimal = string

interface BookFile {
  readonly release: string
  readonly sources: Readonly<Record<string, Source>>
  readonly models: readonly ModelRow[]
  readonly type_defaults: readonly {
    readonly type: DeviceType | 'any'
    readonly embodied?: Decimal
    readonly use_share: Decimal
    readonly lifetime_months: number
    readonly yearly_energy_kwh?: Decimal
    readonly assumed?: boolean
    readonly source: string
  }[]
  readonly refurbishments?: readonly {
    readonly type: DeviceType
    readonly emission: Decimal
    readonly low: Decimal
    readonly high: Decimal
    readonly assumed: boolean
    readonly source: string
  }[]
  readonly it_equipment: { readonly factor: Decimal; readonly source: string }
  readonly transports: readonly {
    readonly id: string
    readonly name: string
    readonly mode: TransportMode
    readonly distance_basis: DistanceBasis
    readonly factor: Decimal
    readonly source: string
  }[]
  readonly distance_adjustments: readonly {
    readonly mode: TransportMode
    readonly multiplier: Decimal
    readonly added_km: Decimal
    readonly source: string
  }[]
  readonly packagings: readonly {
    readonly id: string
    readonly name: string
    readonly material: string
    readonly recycled_content_percent?: number
    readonly factor: Decimal
    readonly source: string
  }[]
  readonly grid: Readonly<
    Record<string, readonly { readonly year: number; readonly factor: Decimal; readonly source: string }[]>
  >
}

interface ModelRow {
  readonly id: string
  readonly name: string
  readonly brand: string
  readonly type: DeviceType
  readonly total?: Decimal
  readonly production?: Decimal
  readonly transportation?: Decimal
  readonly use?: Decimal
  readonly end_of_life?: Decimal
  readonly lifetime_months?: number
  readonly weight_kg?: Decimal
  readonly yearly_energy_kwh?: Decimal
  readonly use_region?: { readonly region: string; readonly year: number; readonly factor: Decimal }
  readonly source: string
  readonly aliases?: readonly string[]
}

/** @param file a path under cases/ */
export function readCaseBook(file: string): ReferenceData {
  const text = readFileSync(join(import.meta.dirname, '..', 'cases', file), 'utf8')
  return createCaseBook(JSON.parse(text) as BookFile, hash('sha256', text))
}

/** @throws Error when a figure names a source that the file does not have */
function createCaseBook(file: BookFile, contentHash: string): ReferenceData {
  const sourceOf = (id: string): Source => {
    const source = file.sources[id]
    if (!source) throw new Error(`The case book has no source "${id}"`)
    return source
  }
  return {
    release: `${file.release}-${contentHash.slice(0, 8)}`,
    hash: contentHash,
    models: new Map(file.models.map((row) => [row.id, toModel(row, sourceOf(row.source))])),
    aliases: toAliases(file.models),
    codes: new Set(),
    knownDevices: new Map(),
    gridSeries: new Map(),
    gridLosses: new Map(),
    typeDefaults: new Map(
      file.type_defaults.map((row) => [
        row.type,
        {
          type: row.type,
          embodied: ratioOrNull(row.embodied),
          embodiedSheets: 0,
          useShare: parseDecimal(row.use_share),
          lifetimeMonths: row.lifetime_months,
          yearlyEnergyKwh: ratioOrNull(row.yearly_energy_kwh),
          weightKg: null,
          assumed: row.assumed ?? false,
          source: sourceOf(row.source),
        },
      ]),
    ),
    refurbishments: new Map(
      (file.refurbishments ?? []).map(({ type, emission, low, high, assumed, source }) => [
        type,
        {
          type,
          emission: parseDecimal(emission),
          low: parseDecimal(low),
          high: parseDecimal(high),
          assumed,
          source: sourceOf(source),
        },
      ]),
    ),
    fallbacks: new Map(),
    itEquipment: { factor: parseDecimal(file.it_equipment.factor), source: sourceOf(file.it_equipment.source) },
    transports: new Map(
      file.transports.map(({ id, name, mode, distance_basis, factor, source }) => [
        id,
        {
          id,
          name,
          mode,
          vehicle: name,
          factor: parseDecimal(factor),
          factorTankToWheel: parseDecimal(factor),
          distanceBasis: distance_basis,
          region: 'XA',
          source: sourceOf(source),
        },
      ]),
    ),
    distanceAdjustments: adjustmentsByMode(
      file.distance_adjustments.map(({ mode, multiplier, added_km, source }) => [
        mode,
        { multiplier: parseDecimal(multiplier), addedKm: parseDecimal(added_km), source: sourceOf(source) },
      ]),
    ),
    packagings: new Map(
      file.packagings.map(({ id, name, material, recycled_content_percent, factor, source }) => [
        id,
        {
          id,
          name,
          material,
          recycledContentPercent: recycled_content_percent ?? null,
          factor: parseDecimal(factor),
          endOfLife: { landfill: null, incineration: null, recycling: null },
          standsIn: false,
          source: sourceOf(source),
        },
      ]),
    ),
    matching: shippedReferenceData().referenceData.matching,
    grid: new Map(
      Object.entries(file.grid).map(([country, factors]) => [
        country,
        factors.map(({ year, factor, source }) => ({
          year,
          latestYear: year,
          factor: parseDecimal(factor),
          source: sourceOf(source),
        })),
      ]),
    ),
  }
}

const ratioOrNull = (text: Decimal | undefined): Rational | null => (text === undefined ? null : parseDecimal(text))

const toModel = (row: ModelRow, source: Source): DeviceModel => ({
  id: row.id,
  name: row.name,
  brand: row.brand,
  type: row.type,
  total: ratioOrNull(row.total),
  production: ratioOrNull(row.production),
  transportation: ratioOrNull(row.transportation),
  productUse: ratioOrNull(row.use),
  endOfLife: ratioOrNull(row.end_of_life),
  lifetimeMonths: row.lifetime_months ?? null,
  weightKg: ratioOrNull(row.weight_kg),
  screenInches: null,
  yearlyEnergyKwh: ratioOrNull(row.yearly_energy_kwh),
  useRegion: row.use_region ? { ...row.use_region, factor: parseDecimal(row.use_region.factor), source } : null,
  uncertaintyRatio: null,
  source,
  quotedVia: null,
})

function toAliases(rows: readonly ModelRow[]): ReadonlyMap<string, readonly string[]> {
  const pairs = rows.flatMap(({ id, name, aliases = [] }) => [name, ...aliases].map((alias) => ({ alias, id })))
  const byAlias = Map.groupBy(pairs, ({ alias }) => aliasKey(alias))
  return new Map([...byAlias].map(([alias, bearers]) => [alias, bearers.map(({ id }) => id)]))
}
