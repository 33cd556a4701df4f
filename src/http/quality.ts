// GET /api/reports/quality: of how many kilograms it is known how well, and what to mend first.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { kilograms, number, text, type ExportTable } from '../exports/export-table.ts'
import { EMISSION_UNIT, sum, toKilograms, type Milligrams } from '../engine/line.ts'
import { USUAL_VIEW } from '../engine/books.ts'
import { METHOD_VERSION } from '../engine/method-version.ts'
import { FIRST_DAY, LAST_DAY } from '../reports/emissions-query.ts'
import { dayNoOf } from '../reports/fact.ts'
import { reportQuality, type QualityBoard } from '../reports/report-quality.ts'
import { callerOf } from './authenticate.ts'
import { ref } from './component.ts'
import { JSON_TYPE, rawNumber } from './exact-json.ts'
import { inSlices } from './in-slices.ts'
import type { Operation } from './operation.ts'
import { daysFromTo, identifier } from './parameters.ts'
import { EXAMPLE_QUALITY, QualityReport } from './quality-schema.ts'
import { pageLimit, readQuery, type Query } from './query.ts'
import type { ReportsContext } from './reports.ts'
import { EXPORT_HEADERS, formatOf, formatParameter, sendExport, typesOf } from './send-export.ts'

const MEND_MAX = 1000
const MEND_USUAL = 20

const parametersOf = (from: unknown) => ({
  customer_id: identifier('Orders of this customer.'),
  ...daysFromTo('order date', from),
  limit: pageLimit('Rows to mend', MEND_MAX, MEND_USUAL),
  format: formatParameter('json'),
})

export const qualityOperation = (context: ReportsContext): Operation => ({
  id: 'reportQuality',
  method: 'GET',
  path: '/api/reports/quality',
  summary: 'How well it is known, and what to mend first',
  description:
    'All that was posted to the orders of some days, by what devices are charged by, by the age of the sources, and ' +
    'by whether the country of use was told. Then the product ids that were guessed or stood in for, by the width of ' +
    'the interval of what hangs on them, each with what would narrow it.',
  tag: 'Reports',
  scope: 'orders:read',
  query: parametersOf(null),
  answer: {
    description: 'The board.',
    schema: ref(QualityReport),
    example: EXAMPLE_QUALITY,
    otherTypes: typesOf(['csv', 'xlsx']),
    headers: EXPORT_HEADERS,
  },
  failures: ['invalid_request'],
  handle: (request, reply) => answer(context, request, reply),
})

async function answer({ facts, now }: ReportsContext, request: FastifyRequest, reply: FastifyReply) {
  const { accountId, accountName } = callerOf(request)
  const sent = readQuery(request.query, parametersOf((request.query as Readonly<Record<string, unknown>>)['from']))
  const [from, to] = [sent['from']?.[0], sent['to']?.[0]]
  const query = {
    accountId,
    customerId: sent['customer_id']?.[0] ?? null,
    from: from === undefined ? FIRST_DAY : dayNoOf(from),
    to: to === undefined ? LAST_DAY : dayNoOf(to),
  }
  const board = await reportQuality(facts, query, Number(sent['limit']?.[0] ?? MEND_USUAL), inSlices)
  const about = {
    title: 'Quality',
    account: accountName,
    view: USUAL_VIEW,
    exportedAt: now(),
    releases: board.releases,
    methodVersion: METHOD_VERSION,
    filters: filtersOf(sent),
  }
  const format = formatOf(sent, 'json')
  if (format !== 'json') return sendExport(reply, { about, ...tableOf(board) }, format)
  return reply
    .header('dataset-release', board.releases.join(', '))
    .type(JSON_TYPE)
    .send(renderBoard(board, about.filters, about.exportedAt))
}

const filtersOf = (sent: Query): Query =>
  Object.fromEntries(Object.entries(sent).filter(([name]) => name !== 'format' && name !== 'limit'))

/** Percent, to a ten-thousandth of one. */
const shareOf = (part: Milligrams, whole: Milligrams): number =>
  whole === 0n ? 0 : Number(((100 * Number(part)) / Number(whole)).toFixed(4))

function renderBoard(board: QualityBoard, filters: Query, generatedAt: Date): string {
  const { total, levels, ages, countries, toMend } = board
  const exact = (emission: Milligrams) => rawNumber(toKilograms(emission))
  const shared = (emission: Milligrams) => ({
    total_emission: exact(emission),
    share_percent: shareOf(emission, total),
  })
  const use = sum(countries.map(({ emission }) => emission))
  return JSON.stringify({
    emission_unit: EMISSION_UNIT,
    total_emission: exact(total),
    by_level: levels.map(({ level, type, emission }) => ({ level, type, ...shared(emission) })),
    by_source_age: ages.map(({ age, emission }) => ({ age_years: age, ...shared(emission) })),
    by_country: countries.map(({ isTold, emission }) => ({
      country: isTold ? 'told' : 'missing',
      use_emission: exact(emission),
      share_percent: shareOf(emission, use),
    })),
    to_mend: toMend.map((one) => ({
      product_id: one.productId,
      found_by: one.found,
      charged_by: one.chargedBy,
      total_emission: exact(one.emission),
      low: exact(one.low),
      high: exact(one.high),
      width: exact(one.high - one.low),
      use_without_country: exact(one.withoutCountry),
      to_do: one.advice,
    })),
    filters,
    dataset_releases: board.releases,
    method_version: METHOD_VERSION,
    generated_at: generatedAt.toISOString(),
  })
}

interface BoardRow {
  readonly section: string
  readonly label: string
  readonly type: string | null
  readonly emission: Milligrams
  readonly share: number | null
  readonly mend: QualityBoard['toMend'][number] | null
}

/** The sections one below another. */
function tableOf({ total, levels, ages, countries, toMend }: QualityBoard): Omit<ExportTable<BoardRow>, 'about'> {
  const use = sum(countries.map(({ emission }) => emission))
  const row = (section: string, label: string, emission: Milligrams, whole: Milligrams | null): BoardRow => ({
    section,
    label,
    type: null,
    emission,
    share: whole === null ? null : shareOf(emission, whole),
    mend: null,
  })
  const rows = [
    ...levels.map(({ level, type, emission }) => ({ ...row('level', level, emission, total), type })),
    ...ages.map(({ age, emission }) => row('source_age', age, emission, total)),
    ...countries.map(({ isTold, emission }) => row('country', isTold ? 'told' : 'missing', emission, use)),
    ...toMend.map((mend) => ({ ...row('to_mend', mend.productId, mend.emission, null), type: mend.found, mend })),
  ]
  return {
    columns: [
      text('section', ({ section }) => section),
      text('label', ({ label }) => label),
      text('type', ({ type }) => type),
      kilograms('total_emission_kg', ({ emission }) => emission),
      number('share_percent', ({ share }) => share),
      text('charged_by', ({ mend }) => mend && mend.chargedBy.join(' ')),
      kilograms('low_kg', ({ mend }) => mend && mend.low),
      kilograms('high_kg', ({ mend }) => mend && mend.high),
      kilograms('width_kg', ({ mend }) => mend && mend.high - mend.low),
      kilograms('use_without_country_kg', ({ mend }) => mend && mend.withoutCountry),
      text('to_do', ({ mend }) => mend && mend.advice.join(' ')),
    ],
    pages: [rows],
  }
}
