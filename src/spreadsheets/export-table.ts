// A table on its way out: typed columns, rows page by page, and what is told of where they come from.
import type { InventoryBoundary } from '../engine/inventory-boundary.ts'
import { EMISSION_UNIT, toKilograms, type Milligrams } from '../engine/numbers/emission.ts'

/** A column, and how a row's cell is read; null leaves the cell empty. */
export type Column<Row> = { readonly name: string } & (
  | { readonly kind: 'text'; readonly of: (row: Row) => string | null }
  | { readonly kind: 'kilograms'; readonly of: (row: Row) => Milligrams | null }
  /** A text is an exact decimal. */
  | { readonly kind: 'number'; readonly of: (row: Row) => number | string | null }
  /** YYYY-MM-DD. */
  | { readonly kind: 'day'; readonly of: (row: Row) => string | null }
  | { readonly kind: 'time'; readonly of: (row: Row) => Date | null }
)

export type CellKind = Column<unknown>['kind']

export const text = <Row>(name: string, of: (row: Row) => string | null): Column<Row> => ({ name, kind: 'text', of })

/** Exact milligrams, written as exact kilograms. */
export const kilograms = <Row>(name: string, of: (row: Row) => Milligrams | null): Column<Row> => ({
  name,
  kind: 'kilograms',
  of,
})

export const number = <Row>(name: string, of: (row: Row) => number | string | null): Column<Row> => ({
  name,
  kind: 'number',
  of,
})

export const day = <Row>(name: string, of: (row: Row) => string | null): Column<Row> => ({ name, kind: 'day', of })

export const time = <Row>(name: string, of: (row: Row) => Date | null): Column<Row> => ({ name, kind: 'time', of })

/** What every export carries, so that a file tells by itself what it is. */
export interface ExportMetadata {
  /** What it is a list of; the file and the sheet are called by it. */
  readonly title: string
  /** The account's name. */
  readonly account: string
  /** Whose book its figures are of. */
  readonly view: InventoryBoundary
  readonly exportedAt: Date
  /** Names of the dataset releases that the figures were made with. */
  readonly releases: readonly string[]
  readonly methodVersion: string
  /** What was asked for; nothing where it was all. */
  readonly filters: Readonly<Record<string, readonly string[]>>
}

export interface ExportTable<Row> {
  readonly about: ExportMetadata
  readonly columns: readonly Column<Row>[]
  /** Page by page: each is written, and others have their turn, before the next is asked for. */
  readonly pages: AsyncIterable<readonly Row[]> | Iterable<readonly Row[]>
}

/** As it is told in JSON. */
export const metadataAsJson = ({
  title,
  account,
  view,
  exportedAt,
  releases,
  methodVersion,
  filters,
}: ExportMetadata) => ({
  export: title,
  account,
  reporting_entity: view.reportingEntity,
  consolidation_approach: view.consolidationApproach,
  lease_type: view.leaseType,
  exported_at: exportedAt.toISOString(),
  dataset_releases: releases,
  method_version: methodVersion,
  emission_unit: EMISSION_UNIT,
  filters,
})

/** As it is told to people: in sheets and CSV. */
export function metadataAsRows(about: ExportMetadata): readonly (readonly [name: string, value: string])[] {
  const { filters, dataset_releases, ...others } = metadataAsJson(about)
  return [
    ...Object.entries(others),
    ['dataset_releases', dataset_releases.join(', ')],
    ...Object.entries(filters).map(([name, values]) => [`filter ${name}`, values.join(', ')] as const),
    ['time zone', 'UTC'],
  ]
}

/** A cell that is no text, which nothing runs or takes apart: a number, a day or a time. Null where it is empty. */
export function toPlainCell<Row>(column: Exclude<Column<Row>, { kind: 'text' }>, row: Row): string | null {
  switch (column.kind) {
    case 'kilograms': {
      const emission = column.of(row)
      return emission === null ? null : toKilograms(emission)
    }
    case 'number':
      return numberText(column.of(row))
    case 'day':
      return column.of(row)
    case 'time':
      return column.of(row)?.toISOString() ?? null
  }
}

/** @throws RangeError for a number that no file can hold */
function numberText(value: number | string | null): string | null {
  if (typeof value === 'number' && !Number.isFinite(value)) throw new RangeError(`${value} cannot be exported`)
  return value === null ? null : String(value)
}
