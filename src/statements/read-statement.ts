// Reads the data of a statement from its text, member by member. Sums in the text are not read.
import { REVISIONS_MAX } from '../engine/order-revision.ts'
import { CONSOLIDATION_APPROACHES } from '../engine/inventory-boundary.ts'
import { ENTRY_REASONS } from '../engine/ledger-history.ts'
import { PARTS, type Part } from '../engine/numbers/emission.ts'
import { MATCH_LEVELS } from '../engine/uncertainty/data-quality.ts'
import type { Score } from '../engine/uncertainty/pedigree.ts'
import { multiply, toFractionText, whole } from '../engine/numbers/rational.ts'
import type { JsonNumber } from '../strict-json/exact-tree.ts'
import type { Decoder } from '../strict-json/decoder.ts'
import {
  STATEMENT_FORMATS,
  statementBoundary,
  type DeviceData,
  type CalculationBasisData,
  type Kilograms,
  type StatementEntry,
  type StatementData,
  type StatementOrder,
  type StatementRental,
  type StatementRecorder,
  type StatementShare,
  type StatementSource,
} from './statement.ts'

const YEAR_MAX = 2199
const NO_MAX = 10_000_000
const MONTHS_MAX = 2_600
const MG_PER_KG = whole(1_000_000)

/** @throws DecodeError at the first value that does not have the required form */
export function readStatementData(statement: Decoder): StatementData {
  const boundary = statement.get('inventory_boundary')
  boundary.get('reporting_entity').is('lessee')
  boundary.get('lease_type').is('operating')
  return {
    media_type: statement.get('media_type').oneOf(STATEMENT_FORMATS),
    issued: readIssued(statement.get('issued')),
    issuer: { account: statement.get('issuer').get('account').text() },
    customer_id: statement.get('customer_id').text(),
    year: statement.get('year').integer(YEAR_MAX),
    inventory_boundary: statementBoundary(boundary.get('consolidation_approach').oneOf(CONSOLIDATION_APPROACHES)),
    devices: statement.get('devices').list().map(readDevice),
    orders: statement.get('orders').list().map(readOrder),
    calculation_bases: statement.get('calculation_bases').list().map(readCalculationBasis),
    lists_earlier_years: statement.has('corrections_of_earlier_years'),
    ...readFigures(statement),
    texts: {
      basis: readTexts(statement.get('basis')),
      exclusions: readTexts(statement.get('exclusions')),
      notes: readTexts(statement.get('notes')),
    },
    reasons: readReasons(statement.get('by_part')),
  }
}

const readTexts = (list: Decoder): readonly string[] => list.list().map((one) => one.text())

function readIssued(issued: Decoder): StatementData['issued'] {
  issued.get('by').is('cradle')
  return {
    by: 'cradle',
    version: issued.get('version').text(),
    method: issued.get('method').text(),
    at: timeOf(issued.get('at')),
    known_at: timeOf(issued.get('known_at')),
    ...(issued.has('books_closed_until') && {
      books_closed_until: issued.get('books_closed_until').maybe((day) => day.takenDay()),
    }),
  }
}

/** Requires UTC in the form the service writes, because year and month are taken from the first characters. */
function timeOf(node: Decoder): string {
  const written = new Date(node.time()).toISOString()
  node.is(written)
  return written
}

function readReasons(lines: Decoder): StatementData['reasons'] {
  const places = lines.list()
  if (places.length !== PARTS.length) throw lines.fault(`a line for each of ${PARTS.join(', ')}`)
  return Object.fromEntries(
    PARTS.map((part, at) => {
      places[at]!.get('part').is(part)
      return [part, places[at]!.get('reason').text()]
    }),
  ) as Record<Part, string>
}

function readDevice(device: Decoder): DeviceData {
  const model = device.get('model')
  return {
    device_id: device.get('device_id').text(),
    serial_number: device.get('serial_number').text(),
    model: {
      name: model.get('name').text(),
      brand: model.get('brand').maybe((brand) => brand.text()),
      type: model.get('type').text(),
      id: model.get('id').text(),
      match_level: model.get('match_level').oneOf(MATCH_LEVELS),
      dataset_release: model.get('dataset_release').text(),
    },
    rentals: device.get('rentals').list().map(readRental),
  }
}

const readReference = (node: Decoder) => ({
  order_id: node.get('order_id').text(),
  ...(node.has('revision') && { revision: node.get('revision').integer(REVISIONS_MAX) }),
})

function readRental(rental: Decoder): StatementRental {
  return {
    ...readReference(rental),
    from: rental.get('from').takenDay(),
    until: rental.get('until').day(),
    embodied_basis: rental.get('embodied_basis').integer(NO_MAX),
    shares: rental.get('shares').list().map(readShare),
    entries: rental
      .get('entries')
      .list()
      .map((entry) => readEntry(entry, toFractionText(entry.get('months').exactAmount(MONTHS_MAX)))),
  }
}

const readShare = (share: Decoder): StatementShare => ({
  calculation_basis: share.get('calculation_basis').integer(NO_MAX),
  emission: kilograms(share.get('emission')),
})

const readRecorder = (by: Decoder): StatementRecorder =>
  by.has('import_id')
    ? { import_id: by.get('import_id').integer(Number.MAX_SAFE_INTEGER) }
    : { key: by.get('key').text(), label: by.get('label').text() }

const readEntry = (entry: Decoder, months: StatementEntry['months']): StatementEntry => ({
  posted_at: timeOf(entry.get('posted_at')),
  ...(entry.has('counts_from') && { counts_from: entry.get('counts_from').maybe((day) => day.takenDay()) }),
  reason: entry.get('reason').oneOf(ENTRY_REASONS),
  ...(entry.has('event_id') && { event_id: entry.get('event_id').maybe((id) => id.text()) }),
  ...(entry.has('recorded_by') && { recorded_by: entry.get('recorded_by').maybe(readRecorder) }),
  ...(entry.has('caused_by') && { caused_by: entry.get('caused_by').maybe((id) => id.text()) }),
  months,
  ...(entry.has('from') && { from: entry.get('from').takenDay() }),
  use_basis: entry.get('use_basis').maybe((basis) => basis.integer(NO_MAX)),
  ...(Object.fromEntries(PARTS.map((part) => [part, kilograms(entry.get(part))])) as Record<Part, Kilograms>),
  total_emission: 0,
})

const readOrder = (order: Decoder): StatementOrder => ({
  ...readReference(order),
  order_date: order.get('order_date').day(),
  dispatch_date: order.get('dispatch_date').takenDay(),
  received_at: timeOf(order.get('received_at')),
  number_of_devices: order.get('number_of_devices').integer(NO_MAX),
  ...(order.has('content_hash') && { content_hash: order.get('content_hash').text() }),
  lines: order.get('lines').list().map(readShare),
  entries: order
    .get('entries')
    .list()
    .map((entry) => {
      entry.get('months').is(null)
      entry.get('use_basis').is(null)
      return readEntry(entry, null)
    }),
})

function readCalculationBasis(basis: Decoder): CalculationBasisData {
  const quality = basis.get('data_quality')
  return {
    no: basis.get('no').integer(NO_MAX),
    part: basis.get('part').oneOf(PARTS),
    method: basis.get('method').text(),
    type: basis.get('type').oneOf(['estimated', 'indicative']),
    match_level: basis.get('match_level').oneOf(MATCH_LEVELS),
    is_primary: basis.get('is_primary').flag(),
    data_quality: {
      technological: readScore(quality.get('technological')),
      temporal: readScore(quality.get('temporal')),
      geographical: readScore(quality.get('geographical')),
    },
    errors: basis
      .get('errors')
      .list()
      .map((error) => ({
        factor: error.get('factor').text(),
        name: error.get('name').text(),
        log_sd: numberOf(error.get('log_sd')),
      })),
    factors: basis
      .get('factors')
      .list()
      .map((factor) => factor.integer(NO_MAX)),
  }
}

function readScore(score: Decoder): Score {
  const value = score.integer(5)
  if (value === 0) throw score.fault('1 to 5')
  return value as Score
}

function readFigures(statement: Decoder): Pick<StatementData, 'factors' | 'sources' | 'releases'> {
  return {
    factors: statement
      .get('factors')
      .list()
      .map((factor) => ({
        no: factor.get('no').integer(NO_MAX),
        symbol: factor.get('symbol').text(),
        id: factor.get('id').text(),
        value: factor.get('value').text(),
        unit: factor.get('unit').text(),
        dataset_release: factor.get('dataset_release').text(),
        source: factor.get('source').integer(NO_MAX),
      })),
    sources: statement
      .get('sources')
      .list()
      .map((source) => ({
        no: source.get('no').integer(NO_MAX),
        title: source.get('title').text(),
        publisher: source.get('publisher').text(),
        year: source.get('year').maybe((year) => year.integer(YEAR_MAX)),
        url: source.get('url').text(),
        licence: source.get('licence').text(),
        ...readOwnSource(source),
      })),
    releases: statement
      .get('releases')
      .list()
      .map((release) => ({
        name: release.get('name').text(),
        content_hash: release.get('content_hash').text(),
      })),
  }
}

/** A number within the range of a double. */
function numberOf(node: Decoder): number {
  node.decimal()
  const number = Number(typeof node.value === 'string' ? node.value : (node.value as JsonNumber).text)
  if (!Number.isFinite(number)) throw node.fault('a number')
  return number
}

/** Whole milligrams. */
function kilograms(node: Decoder): Kilograms {
  const milligrams = multiply(node.decimal(), MG_PER_KG)
  if (milligrams.numerator % milligrams.denominator !== 0n) throw node.fault('a whole number of milligrams')
  return numberOf(node)
}

/** The members that only the source of an account's own figure has. */
function readOwnSource(
  source: Decoder,
): Pick<StatementSource, 'origin' | 'version' | 'document_sha256' | 'verified_by'> {
  const origin = source.get('origin').maybe((one) => one.oneOf(['account']))
  if (!origin) return {}
  const document_sha256 = source.get('document_sha256').maybe((one) => one.text())
  const verified_by = source.get('verified_by').maybe((one) => one.text())
  return {
    origin,
    version: source.get('version').integer(NO_MAX),
    ...(document_sha256 && { document_sha256 }),
    ...(verified_by && { verified_by }),
  }
}
