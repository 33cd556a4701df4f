// Creates the response to a report request, in a separate process, from the data read there.
import type { ExportFormat } from '../spreadsheets/write-table.ts'
import type { ExportMetadata, ExportTable } from '../spreadsheets/export-table.ts'
import type { Resumable } from '../engine/numbers/steps.ts'
import type { EmissionsQuery } from './query.ts'
import type { QualityQuery } from './quality-counts.ts'
import { reportCorrectedYears, type CorrectedYearsQuery } from './corrected-years.ts'
import { reportEmissions } from './emissions-report.ts'
import { reportInventories, type InventoriesQuery } from './inventories-report.ts'
import { reportQuality } from './quality-report.ts'
import type { ChunkSource } from './scan.ts'
import type { ResponseHead } from '../http/streamed-response.ts'
import { JSON_TYPE } from '../strict-json/json-number.ts'
import { runCooperatively } from '../concurrency/cooperative.ts'
import type { Query } from '../http/parameters.ts'
import { inventoriesView } from '../http/views/inventories.ts'
import { renderClosing, renderCorrectedYears, type ClosingAhead } from '../http/views/periods.ts'
import { emissionsTable, qualityTable, renderQuality, renderReport } from '../http/views/report.ts'
import { exportResponse } from '../http/routes/exports.ts'

/** The input of the report process. */
export type ReportRequest =
  | ({
      readonly format: ExportFormat
      readonly about: Omit<ExportMetadata, 'releases'>
    } & (
      | { readonly of: 'emissions'; readonly query: EmissionsQuery; readonly sent: Query }
      | { readonly of: 'quality'; readonly query: QualityQuery; readonly rowsToMend: number }
    ))
  /** Emissions by customer and year, of the days that closing or reopening the books would concern. */
  | { readonly of: 'closing'; readonly query: EmissionsQuery; readonly closing: ClosingAhead }
  /** `at`: when it was requested. */
  | { readonly of: 'inventories'; readonly query: InventoriesQuery; readonly at: Date }
  /** `limit`: how many years of customers are listed. */
  | { readonly of: 'corrections'; readonly query: CorrectedYearsQuery; readonly limit: number }

export interface ReportResult extends ResponseHead {
  readonly pieces: Iterable<string> | AsyncIterable<string | Buffer>
}

/**
 * All data has been read when the result is returned.
 * @param signal aborts the work
 * @throws ApiError if a report has too many groups
 */
export async function runReport(all: ChunkSource, ask: ReportRequest, signal: AbortSignal): Promise<ReportResult> {
  const source = whileAsked(all, signal)
  const inTurn = <Result>(steps: Resumable<Result>) => runCooperatively(steps, signal)
  const headers = { 'content-type': JSON_TYPE }
  if (ask.of === 'closing') {
    const report = await reportEmissions(source, ask.query, inTurn)
    return { groups: 0, headers, pieces: [renderClosing(report, ask.closing)] }
  }
  if (ask.of === 'corrections') {
    const years = await reportCorrectedYears(source, ask.query, inTurn)
    return { groups: 0, headers, pieces: [renderCorrectedYears(years, ask.query, ask.limit)] }
  }
  if (ask.of === 'inventories') {
    const report = await reportInventories(source, ask.query, inTurn)
    return { groups: 0, headers, pieces: [JSON.stringify(inventoriesView(report, ask.query.year, ask.at))] }
  }
  if (ask.of === 'quality') {
    const board = await reportQuality(source, ask.query, ask.rowsToMend, inTurn)
    const about = { ...ask.about, releases: board.releases }
    return { groups: 0, ...written(ask.format, qualityTable(board, about), () => [renderQuality(board, about)]) }
  }
  const { query, sent } = ask
  const report = await reportEmissions(source, query, inTurn)
  const about = { ...ask.about, releases: report.releases }
  const toJson = () => renderReport(report, query, sent, about.exportedAt)
  return {
    groups: report.groups.length,
    ...written(ask.format, emissionsTable(report, query, about), toJson),
  }
}

/** Stops reading when the request is aborted. */
function whileAsked({ readFacts, referenceDataOf }: ChunkSource, signal: AbortSignal): ChunkSource {
  async function* only<Page>(pages: AsyncGenerator<Page>): AsyncGenerator<Page> {
    for await (const page of pages) {
      signal.throwIfAborted()
      yield page
    }
  }
  return {
    referenceDataOf,
    readFacts: (wanted, use) =>
      readFacts(wanted, ({ chunks, tail }) => use({ chunks: only(chunks), tail: only(tail) })),
  }
}

function written<Row>(
  format: ExportFormat,
  table: ExportTable<Row>,
  toJson: () => Iterable<string>,
): Omit<ReportResult, 'groups'> {
  if (format !== 'json') return exportResponse(table, format)
  const headers = { 'dataset-release': table.about.releases.join(', '), 'content-type': JSON_TYPE }
  return { headers, pieces: toJson() }
}
