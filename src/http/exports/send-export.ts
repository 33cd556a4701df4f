// A table as the answer: in the format that was asked for, streamed, as a file to be kept.
import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { EXPORT_FORMATS, EXPORT_TYPES, exportFile, type ExportFormat } from '../../exports/export-file.ts'
import type { ExportTable } from '../../exports/export-table.ts'
import { oneOfWithDefault, type Parameter, type Query } from '../requests/query.ts'

/** The media types of formats, as an operation names them. */
export const mediaTypesOf = (formats: readonly ExportFormat[]): readonly string[] =>
  formats.map((format) => EXPORT_TYPES[format].replace(/;.*/, ''))

/** The parameter `format`. */
export const formatParameter = (usual: ExportFormat): Parameter =>
  oneOfWithDefault(`csv, xlsx or json; without it, ${usual}.`, EXPORT_FORMATS, usual)

export const formatOf = (query: Query, usual: ExportFormat): ExportFormat =>
  (query['format']?.[0] as ExportFormat | undefined) ?? usual

export const EXPORT_HEADERS = {
  'Content-Disposition': 'What to call the file.',
  'Dataset-Release': 'Releases of the datasets that the figures were made with.',
}

/** A table as a file, with what is told of it before its first piece. */
export function exportResponse<Row>(table: ExportTable<Row>, format: ExportFormat) {
  const { name, type, pieces } = exportFile(table, format)
  const headers = {
    'content-disposition': `attachment; filename="${name}"`,
    'dataset-release': table.about.releases.join(', '),
    'content-type': type,
  }
  return { headers, pieces }
}

/** The table is read no faster than the client takes it, and no longer than it is there. */
export function sendExport<Row>(reply: FastifyReply, table: ExportTable<Row>, format: ExportFormat): FastifyReply {
  const { headers, pieces } = exportResponse(table, format)
  return reply.headers(headers).send(Readable.from(pieces, { objectMode: false }))
}
