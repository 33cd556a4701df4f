// A statement as a workbook with sheets to sort and sum; the signed form is the JSON.
import { number, text, time, type ExportMetadata, type Column } from '../../spreadsheets/export-table.ts'
import { sheetRows, sheetsFile, type SheetRows } from '../../spreadsheets/write-workbook.ts'
import { PARTS } from '../../engine/numbers/emission.ts'
import { boundaryOf, type Amounts, type Statement, type StatementDevice } from '../../statements/statement.ts'

/** @returns the bytes, in pieces */
export function statementWorkbook(statement: Statement): AsyncGenerator<Buffer> {
  const { issued, issuer, releases, customer_id: customer, year, inventory_boundary: boundary } = statement
  const about: ExportMetadata = {
    title: `Statement ${year}`,
    account: issuer.account,
    view: boundaryOf(boundary),
    exportedAt: new Date(issued.at),
    releases: releases.map(({ name }) => name),
    methodVersion: issued.method,
    filters: {
      customer_id: [customer],
      year: [String(year)],
      known_at: [issued.known_at],
      signed_hash: [statement.hash.value],
      key_fingerprint: [statement.signed_by.fingerprint],
    },
  }
  return sheetsFile(about, [
    summarySheet(statement),
    categorySheet(statement),
    monthSheet(statement),
    earlierYearSheet(statement),
    deviceSheet(statement),
    entrySheet(statement),
    factorSheet(statement),
  ])
}

type Named = readonly [name: string, value: number | string | null]

function summarySheet({ summary, basis, exclusions, notes, is_preliminary: isPreliminary }: Statement): SheetRows {
  const { uncertainty, ...figures } = summary
  const rows: readonly Named[] = [
    ...(isPreliminary ? [['preliminary', 'Not all of the year was closed when this was issued.'] as const] : []),
    ...Object.entries(figures).map(([name, value]): Named => [
      /_emission(_|$)/.test(name) ? `${name}_kg` : name,
      value,
    ]),
    ['uncertainty_low_kg', uncertainty.low],
    ['uncertainty_high_kg', uncertainty.high],
    ...basis.map((sentence): Named => ['basis', sentence]),
    ...exclusions.map((sentence): Named => ['not counted', sentence]),
    ...notes.map((sentence): Named => ['note', sentence]),
  ]
  return sheetRows<Named>('Summary', {
    columns: [
      text('name', ([name]) => name),
      number('value', ([, value]) => (typeof value === 'number' ? value : null)),
      text('text', ([, value]) => (typeof value === 'string' ? value : null)),
    ],
    pages: [rows],
  })
}

function categorySheet(statement: Statement): SheetRows {
  const { by_category, by_part, by_type, by_match_level, by_data_quality } = statement
  const rows = [
    ...by_category.map((line) => ({ ...line, by: 'category', name: line.ghg_category })),
    ...by_part.map((line) => ({ ...line, by: 'part', name: line.part })),
    ...Object.entries({ type: by_type, match_level: by_match_level, data_quality: by_data_quality }).flatMap(
      ([by, lines]) => lines.map((line) => ({ ...line, by, ghg_scope: null, ghg_category: null })),
    ),
  ]
  return sheetRows<(typeof rows)[number]>('By category', {
    columns: [
      text('by', ({ by }) => by),
      text('name', ({ name }) => name),
      text('ghg_scope', (line) => line.ghg_scope),
      text('ghg_category', (line) => line.ghg_category),
      number('emission_kg', ({ emission }) => emission),
      number('share_percent', (line) => line.share_percent),
    ],
    pages: [rows],
  })
}

/** A column for each part and their sum. */
const amountColumns = <Row>(prefix: string, of: (row: Row) => Amounts): readonly Column<Row>[] =>
  [...PARTS, 'total_emission' as const].map((part) => number<Row>(`${prefix}${part}_kg`, (row) => of(row)[part]))

const monthSheet = ({ by_month: months }: Statement): SheetRows =>
  sheetRows<(typeof months)[number]>('By month', {
    columns: [text('month', ({ month }) => month), ...amountColumns<(typeof months)[number]>('', (month) => month)],
    pages: [months],
  })

/** One row for each cause and year. */
function earlierYearSheet({ corrections_of_earlier_years: earlier }: Statement): SheetRows {
  const rows = (earlier?.years ?? []).flatMap(({ year, causes }) => causes.map((cause) => ({ ...cause, year })))
  return sheetRows<(typeof rows)[number]>('Earlier years', {
    columns: [
      number('year', ({ year }) => year),
      text('event_id', (row) => row.event_id),
      text('order_id', (row) => row.order_id),
      time('recorded_at', (row) => new Date(row.recorded_at)),
      text('reasons', ({ reasons }) => reasons.join(' ')),
      number('orders', (row) => row.order_ids.length),
      number('emission_kg', ({ emission }) => emission),
    ],
    pages: slices(rows),
  })
}

const yesNo = (value: boolean): string => (value ? 'yes' : 'no')

const deviceSheet = ({ devices }: Statement): SheetRows =>
  sheetRows<StatementDevice>('Devices', {
    columns: [
      text('serial_number', (device) => device.serial_number),
      text('device_id', (device) => device.device_id),
      text('model', ({ model }) => model.name),
      text('device_type', ({ model }) => model.type),
      text('match_level', ({ model }) => model.match_level),
      text('held_at_opening', (device) => yesNo(device.is_held_at_opening)),
      text('held_at_closing', (device) => yesNo(device.is_held_at_closing)),
      number('opening_kg', ({ opening }) => opening.total_emission),
      ...amountColumns<StatementDevice>('year_', ({ year }) => year),
      number('closing_kg', ({ closing }) => closing.total_emission),
      number('posted_later_kg', ({ posted_later: later }) => later.total_emission),
    ],
    pages: slices(devices),
  })

/** Every entry that the other sheets are computed from. */
function entrySheet({ devices, orders }: Statement): SheetRows {
  const ofDevice = ({ serial_number: serial, rentals }: StatementDevice) =>
    rentals.flatMap(({ order_id, from, entries }) => entries.map((entry) => ({ ...entry, serial, order_id, from })))
  const alone = orders.flatMap(({ order_id, dispatch_date: from, entries }) =>
    entries.map((entry) => ({ ...entry, serial: null, order_id, from })),
  )
  type Row = ReturnType<typeof ofDevice>[number] | (typeof alone)[number]
  return sheetRows<Row>('Entries', {
    columns: [
      text('serial_number', ({ serial }) => serial),
      text('order_id', (row) => row.order_id),
      time('posted_at', (row) => new Date(row.posted_at)),
      text('counts_from', (row) => row.counts_from ?? null),
      text('reason', ({ reason }) => reason),
      text('event_id', (row) => row.event_id ?? null),
      text('from', ({ from }) => from),
      text('months', ({ months }) => months),
      ...amountColumns<Row>('', (row) => row),
    ],
    pages: [...slices(devices).map((page) => page.flatMap(ofDevice)), alone],
  })
}

const factorSheet = ({ factors, sources }: Statement): SheetRows =>
  sheetRows<(typeof factors)[number]>('Factors', {
    columns: [
      text('factor', ({ id }) => id),
      text('symbol', ({ symbol }) => symbol),
      number('value', ({ value }) => value),
      text('unit', ({ unit }) => unit),
      text('dataset_release', (factor) => factor.dataset_release),
      text('source', ({ source }) => sources[source - 1]!.title),
      text('publisher', ({ source }) => sources[source - 1]!.publisher),
      number('year', ({ source }) => sources[source - 1]!.year),
      text('url', ({ source }) => sources[source - 1]!.url),
      text('licence', ({ source }) => sources[source - 1]!.licence),
    ],
    pages: [factors],
  })

const PAGE = 500

/** In pages, so that other work can run between them. */
const slices = <Row>(rows: readonly Row[]): readonly (readonly Row[])[] =>
  Array.from({ length: Math.ceil(rows.length / PAGE) }, (_, at) => rows.slice(at * PAGE, (at + 1) * PAGE))
