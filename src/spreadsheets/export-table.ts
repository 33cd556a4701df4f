// A table to be exported: typed columns, rows page by page, and metadata about their origin.
import type { InventoryBoundary } from '../engine/inventory-boundary.ts'
import { EMISSION_UNIT, toKilograms, type Milligrams } from '../engine/numbers/emission.ts'

/** A column and the function that reads its cell from a row; null leaves the cell empty. */
export type Column<Row> = { readonly name: string } & (
  | { readonly kind: 'text'; readonly of: (row: Row) => string | null }
  | { readonly kind: 'kilograms'; readonly of: (row: Row) => Milligrams | null }
  /** A string is an exact decimal. */
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

/** Metadata included in every export, so that the file describes itself. */
export interface ExportMetadata {
  /** The content of the export; also used for the names of the file and the sheet. */
  readonly title: string
  /** The account's name. */
  readonly account: string
  /** The inventory boundary of its figures. */
  readonly view: InventoryBoundary
  readonly exportedAt: Date
  /** Names of the dataset releases used for the figures. */
  readonly releases: readonly string[]
  readonly methodVersion: string
  /** The filters of the request; empty if everything was requested. */
  readonly filters: Readonly<Record<string, readonly string[]>>
}

export interface ExportTable<Row> {
  readonly about: ExportMetadata
  readonly columns: readonly Column<Row>[]
  /** Each page is written, and other work can run, before the next page is requested. */
  readonly pages: AsyncIterable<readonly Row[]> | Iterable<readonly Row[]>
}

/** The metadata in JSON exports. */
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

/** The metadata in sheets and CSV, for readers. */
export function metadataAsRows(about: ExportMetadata): readonly (readonly [name: string, value: string])[] {
  const { filters, dataset_releases, ...others } = metadataAsJson(about)
  return [
    ...Object.entries(others),
    ['dataset_releases', dataset_releases.join(', ')],
    ...Object.entries(filters).map(([name, values]) => [`filter ${name}`, values.join(', ')] as const),
    ['time zone', 'UTC'],
  ]
}

/** A number, day or time as text that needs no escaping or quoting; null if the cell is empty. */
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

/** @throws RangeError for a number that cannot be written to a file */
function numberText(value: number | string | null): string | null {
  if (typeof value === 'number' && !Number.isFinite(value)) throw new RangeError(`${value} cannot be exported`)
  return value === null ? null : String(value)
}
