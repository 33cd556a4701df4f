// Figures of an account's own that only the inventory of electricity uses. They are no part of a release of figures.
import { rationalOfNumber, type Rational } from '../numbers/rational.ts'
import { sourceOf, type OwnSource } from '../reference/read-own-figures.ts'
import type { Source, YearFigure } from '../reference/reference-data.ts'
import { toMilliwattHours } from './energy.ts'
import type { Instrument, InstrumentKind } from './instruments.ts'

export const INVENTORY_FIGURE_KINDS = ['grid-month', 'residual-mix', 'grid-loss', 'instrument'] as const
export type InventoryFigureKind = (typeof INVENTORY_FIGURE_KINDS)[number]

export const isInventoryKind = (kind: string): kind is InventoryFigureKind =>
  (INVENTORY_FIGURE_KINDS as readonly string[]).includes(kind)

/** The electricity of a country in one month; its id is the country and the month, such as `DE-2025-03`. */
export interface GridMonthBody extends Omit<OwnSource, 'year'> {
  readonly factor_kg_co2e_per_kwh: number
}

/** What is left of a country's electricity in a year once all that was sold by instruments is taken out. */
export interface ResidualMixBody extends Omit<OwnSource, 'year'> {
  readonly factor_kg_co2e_per_kwh: number
}

/** Losses of transmission and distribution, as a share of what is fed in. */
export interface GridLossBody extends Omit<OwnSource, 'year'> {
  readonly share: number
}

export interface InstrumentBody extends Omit<OwnSource, 'year'> {
  readonly customer_id: string
  readonly country: string
  readonly from: string
  readonly to: string
  readonly kwh?: number
  readonly share?: number
  readonly factor_kg_co2e_per_kwh: number
  readonly kind: InstrumentKind
}

/** A figure as it is stored. */
export interface StoredBody {
  readonly id: string
  readonly version: number
  readonly body: unknown
}

export interface MonthFigure {
  readonly factor: Rational
  readonly source: Source
}

export interface InventoryFigures {
  /** By country and month, as in `DE-2025-03`. */
  readonly months: ReadonlyMap<string, MonthFigure>
  /** kg CO2e per kWh by country, years ascending. */
  readonly residualMixes: ReadonlyMap<string, readonly YearFigure[]>
  /** Shares by country, years ascending. They take the place of those of the release. */
  readonly losses: ReadonlyMap<string, readonly YearFigure[]>
  /** By customer and country, as `instrumentsKey` spells them. */
  readonly instruments: ReadonlyMap<string, readonly Instrument[]>
}

/** No id has a NUL. */
export const instrumentsKey = (customerId: string, country: string): string => `${customerId}\0${country}`

export const readInventoryFigures = ({
  months,
  residualMixes,
  losses,
  instruments,
}: Readonly<Record<keyof InventoryFigures, readonly StoredBody[]>>): InventoryFigures => ({
  months: new Map(months.map((row) => [row.id, monthFigure(row)])),
  residualMixes: byCountry(residualMixes, (body: ResidualMixBody) => body.factor_kg_co2e_per_kwh),
  losses: byCountry(losses, (body: GridLossBody) => body.share),
  instruments: instrumentsIn(instruments),
})

function monthFigure({ version, body }: StoredBody): MonthFigure {
  const month = body as GridMonthBody
  return { factor: rationalOfNumber(month.factor_kg_co2e_per_kwh), source: sourceOf({ version, body: month }) }
}

function byCountry<Body extends OwnSource>(
  rows: readonly StoredBody[],
  valueOf: (body: Body) => number,
): ReadonlyMap<string, readonly YearFigure[]> {
  const figures = rows.map(({ id, version, body }): readonly [string, YearFigure] => {
    const year = Number(id.slice(3))
    const source = { ...sourceOf({ version, body: body as Body }), year }
    return [id.slice(0, 2), { year, value: rationalOfNumber(valueOf(body as Body)), source }]
  })
  const grouped = Map.groupBy(figures, ([country]) => country)
  return new Map(
    [...grouped].map(([country, own]) => [country, own.map(([, one]) => one).sort((a, b) => a.year - b.year)]),
  )
}

function instrumentsIn(rows: readonly StoredBody[]): ReadonlyMap<string, readonly Instrument[]> {
  const grouped = Map.groupBy(rows, ({ body }) => {
    const { customer_id: customerId, country } = body as InstrumentBody
    return instrumentsKey(customerId, country)
  })
  return new Map([...grouped].map(([key, own]) => [key, own.map(toInstrument)]))
}

function toInstrument({ id, version, body }: StoredBody): Instrument {
  const stated = body as InstrumentBody
  const { kind, from, to, kwh, share } = stated
  const covers =
    kwh === undefined ? { share: rationalOfNumber(share!) } : { energy: toMilliwattHours(rationalOfNumber(kwh)) }
  const factor = rationalOfNumber(stated.factor_kg_co2e_per_kwh)
  return { id, version, kind, from, to, covers, factor, source: sourceOf({ version, body: stated }) }
}
