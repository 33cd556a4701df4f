// Reads an account's own figures, as they are stored, into the form in which they are laid over a dataset release.
import { multiply, rationalOfNumber, type Rational } from '../numbers/rational.ts'
import { ownModelId } from './own-figures.ts'
import { regionFactorOf } from './region-factor.ts'
import {
  aliasKey,
  type DeviceModel,
  type DeviceType,
  type DistanceBasis,
  type GridFactor,
  type OwnFigures,
  type PackagingFactor,
  type ReferenceData,
  type Source,
  type TransportFactor,
  type TransportMode,
} from './reference-data.ts'

export type OwnFigureKind = 'device-model' | 'transportation' | 'packaging' | 'lifetime' | 'grid-factor'

/** The members of every own figure that say where it is from. Their names are those of the catalogue's columns. */
export interface OwnSource {
  readonly year?: number
  readonly source_title: string
  readonly source_publisher: string
  readonly source_url?: string
  readonly licence?: string
  readonly document_sha256?: string
  readonly verified_by?: string
}

/** kg CO2e per device over its lifetime; use as a figure or as a share of the total. */
export interface OwnModelBody extends OwnSource {
  readonly name: string
  readonly brand: string
  readonly type: DeviceType
  readonly total_kg_co2e?: number
  readonly production_kg_co2e?: number
  readonly transportation_kg_co2e?: number
  readonly use_kg_co2e?: number
  readonly use_share?: number
  readonly end_of_life_kg_co2e?: number
  readonly lifetime_months?: number
  readonly weight_kg?: number
  readonly screen_inches?: number
  readonly yearly_energy_kwh?: number
  readonly use_region?: string
  readonly uncertainty_ratio?: number
  readonly aliases?: readonly string[]
}

export interface OwnTransportBody extends OwnSource {
  readonly name: string
  readonly mode: TransportMode
  readonly vehicle?: string
  readonly factor_kg_co2e_per_tonne_km: number
  readonly ttw_kg_co2e_per_tonne_km?: number
  readonly distance_basis: DistanceBasis
  readonly region?: string
}

export interface OwnPackagingBody extends OwnSource {
  readonly name: string
  readonly material: string
  readonly recycled_content_percent?: number
  readonly factor_kg_co2e_per_kg: number
}

export interface OwnLifetimeBody extends OwnSource {
  readonly lifetime_months: number
}

export interface OwnGridBody extends Omit<OwnSource, 'year'> {
  readonly factor_kg_co2e_per_kwh: number
}

/** The series of grid factors that an account chose; it has one of these, or none. */
export const GRID_SERIES_CHOICE = { kind: 'grid-series', id: 'location' } as const

interface Row<Kind extends OwnFigureKind | typeof GRID_SERIES_CHOICE.kind, Body> {
  readonly kind: Kind
  readonly id: string
  readonly version: number
  readonly body: Body
}

export type OwnFigureRow =
  | Row<'device-model', OwnModelBody>
  | Row<'transportation', OwnTransportBody>
  | Row<'packaging', OwnPackagingBody>
  /** Its id is the type of device. */
  | Row<'lifetime', OwnLifetimeBody>
  /** Its id is the country and the year, such as `DE-2024`. */
  | Row<'grid-factor', OwnGridBody>
  | Row<typeof GRID_SERIES_CHOICE.kind, { readonly series: string }>

/**
 * @param rows the figures that apply, each in one version
 * @param hash SHA-256 of the rows, in hexadecimal
 */
export function readOwnFigures(
  rows: readonly OwnFigureRow[],
  hash: string,
  { regions }: Pick<ReferenceData, 'regions'>,
): OwnFigures {
  const of = <Kind extends OwnFigureRow['kind']>(kind: Kind) =>
    rows.filter((row): row is Extract<OwnFigureRow, { kind: Kind }> => row.kind === kind)
  const models = of('device-model')
  return {
    hash,
    models: new Map(models.map((row) => [ownModelId(row.id, row.version), toModel(row, regions)])),
    aliases: aliasesOf(models),
    lifetimes: new Map(
      of('lifetime').map((row) => [row.id as DeviceType, { months: row.body.lifetime_months, source: sourceOf(row) }]),
    ),
    transports: new Map(of('transportation').map((row) => [row.id, toTransport(row)])),
    packagings: new Map(of('packaging').map((row) => [row.id, toPackaging(row)])),
    grid: gridOf(of('grid-factor')),
    gridSeries: of(GRID_SERIES_CHOICE.kind)[0]?.body.series ?? null,
  }
}

export const sourceOf = ({ version, body }: { readonly version: number; readonly body: OwnSource }): Source => ({
  title: body.source_title,
  publisher: body.source_publisher,
  year: body.year ?? null,
  url: body.source_url ?? '',
  licence: body.licence ?? '',
  origin: 'account',
  version,
  ...(body.document_sha256 !== undefined && { document_sha256: body.document_sha256 }),
  ...(body.verified_by !== undefined && { verified_by: body.verified_by }),
})

const exact = (value: number | undefined): Rational | null => (value === undefined ? null : rationalOfNumber(value))

function toModel(row: Extract<OwnFigureRow, { kind: 'device-model' }>, regions: ReferenceData['regions']): DeviceModel {
  const { id, version, body } = row
  const [total, share] = [exact(body.total_kg_co2e), exact(body.use_share)]
  return {
    id: ownModelId(id, version),
    name: body.name,
    brand: body.brand,
    type: body.type,
    total,
    production: exact(body.production_kg_co2e),
    transportation: exact(body.transportation_kg_co2e),
    productUse: exact(body.use_kg_co2e) ?? (total && share && multiply(total, share)),
    endOfLife: exact(body.end_of_life_kg_co2e),
    lifetimeMonths: body.lifetime_months ?? null,
    weightKg: exact(body.weight_kg),
    screenInches: exact(body.screen_inches),
    yearlyEnergyKwh: exact(body.yearly_energy_kwh),
    useRegion: regionFactorOf(regions?.get(body.use_region ?? '') ?? [], body.year ?? null),
    uncertaintyRatio: exact(body.uncertainty_ratio),
    source: sourceOf(row),
    quotedVia: null,
  }
}

/** By id, by name with and without the brand, and by each alias. A text of several models identifies none. */
function aliasesOf(rows: readonly Extract<OwnFigureRow, { kind: 'device-model' }>[]): OwnFigures['aliases'] {
  const aliases = new Map<string, Set<string>>()
  for (const { id, version, body } of rows) {
    for (const text of [id, body.name, `${body.brand} ${body.name}`, ...(body.aliases ?? [])]) {
      const key = aliasKey(text)
      aliases.set(key, (aliases.get(key) ?? new Set()).add(ownModelId(id, version)))
    }
  }
  return new Map([...aliases].map(([key, ids]) => [key, [...ids]]))
}

const toTransport = (row: Extract<OwnFigureRow, { kind: 'transportation' }>): TransportFactor => ({
  id: row.id,
  name: row.body.name,
  mode: row.body.mode,
  vehicle: row.body.vehicle ?? row.body.name,
  factor: rationalOfNumber(row.body.factor_kg_co2e_per_tonne_km),
  factorTankToWheel: rationalOfNumber(row.body.ttw_kg_co2e_per_tonne_km ?? 0),
  distanceBasis: row.body.distance_basis,
  region: row.body.region ?? '',
  source: sourceOf(row),
})

const toPackaging = (row: Extract<OwnFigureRow, { kind: 'packaging' }>): PackagingFactor => ({
  id: row.id,
  name: row.body.name,
  material: row.body.material,
  recycledContentPercent: row.body.recycled_content_percent ?? null,
  factor: rationalOfNumber(row.body.factor_kg_co2e_per_kg),
  endOfLife: { landfill: null, incineration: null, recycling: null },
  standsIn: false,
  source: sourceOf(row),
})

function gridOf(rows: readonly Extract<OwnFigureRow, { kind: 'grid-factor' }>[]): OwnFigures['grid'] {
  const byCountry = Map.groupBy(rows, ({ id }) => id.slice(0, 2))
  return new Map(
    [...byCountry].map(([country, factors]) => [country, factors.map(toGridFactor).sort((a, b) => a.year - b.year)]),
  )
}

function toGridFactor(row: Extract<OwnFigureRow, { kind: 'grid-factor' }>): GridFactor {
  const year = Number(row.id.slice(3))
  const source = { ...sourceOf(row), year }
  return { year, latestYear: year, factor: rationalOfNumber(row.body.factor_kg_co2e_per_kwh), source }
}
