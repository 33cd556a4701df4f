// GET /api/exports/…: all orders, events, devices or entries of an account as one file, streamed as requested.
import { Readable, finished } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import { filteredIds, type StoredIds } from '../../ledger/stored-ids.ts'
import { METHOD_VERSION } from '../../engine/explanation/calculation.ts'
import { DEFAULT_BOUNDARY } from '../../engine/inventory-boundary.ts'
import { STATUSES, type OrderStatus } from '../../engine/order.ts'
import type { ReferenceData } from '../../engine/reference/reference-data.ts'
import { EXPORT_FORMATS, EXPORT_TYPES, exportFile, type ExportFormat } from '../../spreadsheets/write-table.ts'
import type { ExportTable } from '../../spreadsheets/export-table.ts'
import { loadReferenceDataOf } from '../../ledger/codec.ts'
import { serialNumbersOfOrder } from '../../ledger/order-state.ts'
import type { BeginExport, ExportFilter, ExportSnapshot, ExportedOrder, Source } from '../../postgres/exports.ts'
import {
  dateRangeParameters,
  identifier,
  oneOf,
  oneOfWithDefault,
  parseQuery,
  type Parameter,
  type Parameters,
  type Query,
} from '../parameters.ts'
import { callerOf } from '../plugins/authentication.ts'
import { FILE, asFiles, type RouteDefinition } from '../route-definition.ts'
import {
  ENTRY_COLUMNS,
  EVENT_COLUMNS,
  deviceColumns,
  itemRows,
  orderColumns,
  releasesOf,
  type ItemRow,
} from '../views/export-columns.ts'

/** The media types of formats without their parameters, as operations declare them. */
export const mediaTypesOf = (formats: readonly ExportFormat[]): readonly string[] =>
  formats.map((format) => EXPORT_TYPES[format].replace(/;.*/, ''))

export const formatParameter = (usual: ExportFormat): Parameter =>
  oneOfWithDefault(`File format: csv, xlsx or json. Default: ${usual}.`, EXPORT_FORMATS, usual)

export const formatOf = (query: Query, usual: ExportFormat): ExportFormat =>
  (query['format']?.[0] as ExportFormat | undefined) ?? usual

export const EXPORT_HEADERS = {
  'Content-Disposition': 'Suggested file name.',
  'Dataset-Release': 'Releases of the datasets that the figures were calculated with.',
}

/** A table as a file, with the headers that are sent before its first piece. */
export function exportResponse<Row>(table: ExportTable<Row>, format: ExportFormat) {
  const { name, type, pieces } = exportFile(table, format)
  const headers = {
    'content-disposition': `attachment; filename="${name}"`,
    'dataset-release': table.about.releases.join(', '),
    'content-type': type,
  }
  return { headers, pieces }
}

/** The table is read only as fast as the client reads, and only while the client is connected. */
function sendExport<Row>(reply: FastifyReply, table: ExportTable<Row>, format: ExportFormat): FastifyReply {
  const { headers, pieces } = exportResponse(table, format)
  return reply.headers(headers).send(Readable.from(pieces, { objectMode: false }))
}

export interface ExportsContext {
  readonly storedIds: StoredIds
  readonly openExport: BeginExport
  readonly referenceData: ReferenceData
  readonly referenceDataOf: (releaseId: number) => Promise<ReferenceData>
  readonly now: () => Date
}

/** With more metadata members than this, the metadata are in one column as JSON. */
const LABELS_MAX = 100

/** Sends a table, with the metadata of the export added. */
type Send = <Row>(table: Omit<ExportTable<Row>, 'about'>) => FastifyReply

interface Kind {
  readonly source: Source
  readonly title: string
  readonly summary: string
  readonly description: string
  readonly parameters: (from: unknown) => Parameters
  readonly example: string
  readonly answer: (
    send: Send,
    snapshot: ExportSnapshot,
    accountId: number,
    referenceDataOf: ExportsContext['referenceDataOf'],
  ) => Promise<FastifyReply> | FastifyReply
}

const KINDS: readonly Kind[] = [
  {
    source: 'orders',
    title: 'Orders',
    summary: 'Export orders with their items',
    description:
      'One row per item, by order id, customer id, then in the sequence in which the items were sent. What was ' +
      'posted to an order is in the rows of the devices that it was posted to. The CSV file can be imported again; ' +
      'the columns that begin with `export.` are ignored then.',
    parameters: (from) => ({
      customer_id: identifier('Only orders of this customer.'),
      status: oneOf('Only orders with these statuses, comma-separated or repeated.', STATUSES),
      ...dateRangeParameters('order date', from),
    }),
    example: 'customer_id,order_id,order_date,tenure_start_date,country,type,product_id,serial_number\r\n',
    answer: async (send, snapshot, _, referenceDataOf) =>
      send({
        columns: orderColumns(await snapshot.labels(LABELS_MAX)),
        pages: rowsOf(snapshot.orders(serialNumbersOfOrder), referenceDataOf),
      }),
  },
  {
    source: 'events',
    title: 'Events',
    summary: 'Export events',
    description:
      'One row per event of an order or device that counts, in the order in which they were recorded. Events that ' +
      'were withdrawn are left out, and so are those of orders that were undone. The CSV file can be imported after ' +
      'the orders, with `kind=events`.',
    parameters: (from) => ({
      customer_id: identifier('Only events of orders of this customer.'),
      ...dateRangeParameters('day of recording, UTC', from),
    }),
    example: 'event_id,customer_id,order_id,serial_number,type,date,tenure_months,new_serial_number\r\n',
    answer: (send, snapshot) => send({ columns: EVENT_COLUMNS, pages: snapshot.events() }),
  },
  {
    source: 'devices',
    title: 'Devices',
    summary: 'Export devices with their balances',
    description:
      'One row per device, by serial number: its footprint, the total posted to it, and its remaining embodied ' +
      'emission. The filters select devices to which something was posted for that customer on those days.',
    parameters: (from) => ({
      customer_id: identifier('Only devices to which something was posted for this customer.'),
      ...dateRangeParameters('day of posting, UTC', from),
    }),
    example: 'serial_number,device_id,footprint_id,product_id,match_method,amortisation,number_of_orders\r\n',
    answer: (send, snapshot, accountId) => send({ columns: deviceColumns(accountId), pages: snapshot.devices() }),
  },
  {
    source: 'entries',
    title: 'Entries',
    summary: 'Export ledger entries',
    description:
      'Every entry that was ever posted, by serial number, customer id, order id, then entry number. Entries of an ' +
      'order without devices have no serial number; entries of a device alone have no order. counts_from is the ' +
      'first open day when the books were closed; an entry without it counts in the months that it concerns.',
    parameters: (from) => ({
      customer_id: identifier('Only entries of this customer.'),
      ...dateRangeParameters('day of posting, UTC', from),
    }),
    example: 'serial_number,customer_id,order_id,entry_no,posted_at,counts_from,reason,tenure_start_date\r\n',
    answer: (send, snapshot) => send({ columns: ENTRY_COLUMNS, pages: snapshot.entries() }),
  },
]

const USUAL = 'csv'
const [USUAL_TYPE] = mediaTypesOf([USUAL])

const EXPORTED_JSON = Type.Object({
  about: Type.Object(
    {
      export: Type.String(),
      account: Type.String(),
      reporting_entity: Type.String(),
      consolidation_approach: Type.String(),
      lease_type: Type.String(),
      exported_at: Type.String({ format: 'date-time' }),
      dataset_releases: Type.Array(Type.String()),
      method_version: Type.String(),
      emission_unit: Type.String(),
      filters: Type.Record(Type.String(), Type.Array(Type.String())),
    },
    { description: 'What the file contains, and the time of its data.' },
  ),
  rows: Type.Array(Type.Record(Type.String(), Type.Unknown()), {
    description: 'The columns of the CSV file as members. Unknown values are omitted.',
  }),
})

const parametersOf = (kind: Kind, from: unknown): Parameters => ({
  ...kind.parameters(from),
  format: formatParameter(USUAL),
})

export const exportOperations = (context: ExportsContext): readonly RouteDefinition[] =>
  KINDS.map((kind) => ({
    id: `export${kind.title}`,
    method: 'GET',
    path: `/api/exports/${kind.source}`,
    summary: kind.summary,
    description: `${kind.description} The file is a consistent snapshot, streamed as fast as the client reads it.`,
    tag: 'Exports',
    scope: 'orders:read',
    query: parametersOf(kind, null),
    answer: {
      mediaType: USUAL_TYPE!,
      otherTypes: { ...asFiles(mediaTypesOf(['xlsx'])), 'application/json': EXPORTED_JSON },
      description: 'The file. Its column `export.about`, sheet `about` or member `about` describes it.',
      schema: FILE,
      example: kind.example,
      headers: EXPORT_HEADERS,
    },
    failures: ['invalid_request'],
    handle: (request, reply) => answer(context, kind, request, reply),
  }))

async function answer(context: ExportsContext, kind: Kind, request: FastifyRequest, reply: FastifyReply) {
  const { accountId, accountName } = callerOf(request)
  const { from } = request.query as Readonly<Record<string, unknown>>
  const query = parseQuery(request.query, parametersOf(kind, from))
  const snapshot = await context.openExport(accountId, {
    ...filterOf(query),
    ...(await filteredIds(context.storedIds, accountId, query)),
  })
  // However the answer ends: complete, aborted, or rejected below.
  finished(reply.raw, () => void snapshot.close())
  const releases = await snapshot.releases(kind.source)
  const about = {
    title: kind.title,
    account: accountName,
    // Exports have what was posted, which is what customers report.
    view: DEFAULT_BOUNDARY,
    exportedAt: context.now(),
    releases: releases.length > 0 ? releases : [context.referenceData.release],
    methodVersion: METHOD_VERSION,
    filters: Object.fromEntries(Object.entries(query).filter(([name]) => name !== 'format')),
  }
  const send: Send = (table) => sendExport(reply, { about, ...table }, formatOf(query, USUAL))
  return kind.answer(send, snapshot, accountId, context.referenceDataOf)
}

const filterOf = (query: Query): Omit<ExportFilter, 'customerId'> => ({
  statuses: (query['status'] as readonly OrderStatus[] | undefined) ?? null,
  from: query['from']?.[0] ?? null,
  to: query['to']?.[0] ?? null,
})

async function* rowsOf(
  pages: AsyncGenerator<readonly ExportedOrder[]>,
  referenceDataOf: ExportsContext['referenceDataOf'],
): AsyncGenerator<readonly ItemRow[]> {
  for await (const orders of pages) {
    const referenceDataById = await loadReferenceDataOf(new Map(), releasesOf(orders), referenceDataOf)
    yield orders.flatMap((order) => itemRows(order, referenceDataById))
  }
}
