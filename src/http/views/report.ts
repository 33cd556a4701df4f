// Reports as JSON and as tables: grouped emissions, data quality, and the names of labels.
import { METHOD_VERSION } from '../../engine/explanation/calculation.ts'
import { classify, type InventoryBoundary } from '../../engine/inventory-boundary.ts'
import type { Message } from '../../engine/message.ts'
import { BOUNDARY_MESSAGES } from '../../engine/messages.ts'
import { EMISSION_UNIT, PARTS, sumMilligrams, type Milligrams } from '../../engine/numbers/emission.ts'
import { intervalAround, type Uncertainty } from '../../engine/uncertainty/uncertainty.ts'
import {
  kilograms,
  number,
  text,
  type Column,
  type ExportMetadata,
  type ExportTable,
} from '../../spreadsheets/export-table.ts'
import type { Group } from '../../reporting/group-by.ts'
import { FIRST_DAY, LAST_DAY, type DateBasis, type Dimension, type EmissionsQuery } from '../../reporting/query.ts'
import { dayOf } from '../../reporting/fact.ts'
import type { EmissionsReport } from '../../reporting/emissions-report.ts'
import type { QualityReport } from '../../reporting/quality-report.ts'
import type { EmissionTotal } from '../../reporting/totals.ts'
import type { Query } from '../parameters.ts'
import { intervalView, kilogramsView } from './emission.ts'
import { referenceView } from './message.ts'

const SCOPES: Readonly<Record<string, string>> = {
  '2': 'Scope 2: Indirect emissions from purchased electricity',
  '3': 'Scope 3: Other indirect emissions of the value chain',
}

/** The member or column with the name of an id. */
export const NAMED_BY = { model: 'model_name', scope: 'scope_name' } as const

const isNamed = (name: Dimension): name is keyof typeof NAMED_BY => Object.hasOwn(NAMED_BY, name)

/** @returns null if the report has no name for the label */
function labelName(
  dimension: keyof typeof NAMED_BY,
  label: string | null,
  { modelNames }: EmissionsReport,
): string | null {
  if (label === null) return null
  return (dimension === 'model' ? modelNames.get(label) : SCOPES[label]) ?? null
}

/** Label of the row of all other groups; another column has their number. */
const OTHERS = 'all others'

/** A group, or several groups combined. */
type Row = Group & { readonly groups?: number }

export function emissionsTable(
  report: EmissionsReport,
  { groupBy, limit, basis }: EmissionsQuery,
  about: ExportMetadata,
): ExportTable<Row> {
  const { groups, others } = report
  const uncertainty = ({ emission, logSd }: Row) => (logSd === null ? null : intervalAround(emission, logSd))
  return {
    about,
    columns: [
      ...groupBy.flatMap((name, at) => labelColumns(report, name, at)),
      kilograms('total_emission_kg', ({ emission }) => emission),
      kilograms('low_kg', (row) => uncertainty(row)?.low ?? null),
      kilograms('high_kg', (row) => uncertainty(row)?.high ?? null),
      number('gsd', (row) => gsdOf(uncertainty(row))),
      number('number_of_orders', ({ orders }) => orders),
      number('number_of_rentals', ({ rentals }) => rentals),
      number('device_months', ({ months }) => (basis === 'tenure' && months !== null ? monthsView(months) : null)),
      ...(limit === null ? [] : [number<Row>('number_of_groups', (row) => row.groups ?? 1)]),
    ],
    pages: [groups, others ? [{ ...others, labels: [OTHERS, null] }] : []],
  }
}

/** With as many decimals as in JSON reports. */
const gsdOf = (uncertainty: Uncertainty | null): number | null => uncertainty && Number(uncertainty.gsd.toFixed(6))

function labelColumns(report: EmissionsReport, name: Dimension, at: number): readonly Column<Row>[] {
  const label = text(name, ({ labels }: Row) => labels[at]!)
  if (!isNamed(name)) return [label]
  return [label, text(NAMED_BY[name], ({ labels, groups }) => (groups ? null : labelName(name, labels[at]!, report)))]
}

/** Percent, to four decimals. */
const shareOf = (part: Milligrams, whole: Milligrams): number =>
  whole === 0n ? 0 : Number(((100 * Number(part)) / Number(whole)).toFixed(4))

export function renderQuality(board: QualityReport, { filters, methodVersion, exportedAt }: ExportMetadata): string {
  const { total, levels, ages, countries, toMend } = board
  const shared = (emission: Milligrams) => ({
    total_emission: kilogramsView(emission),
    share_percent: shareOf(emission, total),
  })
  const use = sumMilligrams(countries.map(({ emission }) => emission))
  return JSON.stringify({
    emission_unit: EMISSION_UNIT,
    total_emission: kilogramsView(total),
    by_level: levels.map(({ level, type, emission }) => ({ level, type, ...shared(emission) })),
    by_source_age: ages.map(({ age, emission }) => ({ age_years: age, ...shared(emission) })),
    by_country: countries.map(({ isStated, emission }) => ({
      country: isStated ? 'given' : 'missing',
      use_emission: kilogramsView(emission),
      share_percent: shareOf(emission, use),
    })),
    to_improve: toMend.map((one) => ({
      product_id: one.productId,
      match_method: one.matchMethod,
      footprint_id: one.chargedBy,
      total_emission: kilogramsView(one.emission),
      low: kilogramsView(one.low),
      high: kilogramsView(one.high),
      width: kilogramsView(one.high - one.low),
      use_without_country: kilogramsView(one.withoutCountry),
      improvements: one.advice,
    })),
    filters,
    dataset_releases: board.releases,
    method_version: methodVersion,
    generated_at: exportedAt.toISOString(),
  })
}

interface BoardRow {
  readonly section: string
  readonly label: string
  readonly type: string | null
  readonly emission: Milligrams
  readonly share: number | null
  readonly mend: QualityReport['toMend'][number] | null
}

export function qualityTable(board: QualityReport, about: ExportMetadata): ExportTable<BoardRow> {
  const { total, levels, ages, countries, toMend } = board
  const use = sumMilligrams(countries.map(({ emission }) => emission))
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
    ...countries.map(({ isStated, emission }) => row('country', isStated ? 'given' : 'missing', emission, use)),
    ...toMend.map((mend) => ({
      ...row('to_improve', mend.productId, mend.emission, null),
      type: mend.matchMethod,
      mend,
    })),
  ]
  return {
    about,
    columns: [
      text('section', ({ section }) => section),
      text('label', ({ label }) => label),
      text('type', ({ type }) => type),
      kilograms('total_emission_kg', ({ emission }) => emission),
      number('share_percent', ({ share }) => share),
      text('footprint_id', ({ mend }) => mend && mend.chargedBy.join(' ')),
      kilograms('low_kg', ({ mend }) => mend && mend.low),
      kilograms('high_kg', ({ mend }) => mend && mend.high),
      kilograms('width_kg', ({ mend }) => mend && mend.high - mend.low),
      kilograms('use_without_country_kg', ({ mend }) => mend && mend.withoutCountry),
      text('improvements', ({ mend }) => mend && mend.advice.join(' ')),
    ],
    pages: [rows],
  }
}

/** Some 30 kB. */
const GROUPS_OF_PIECE = 100

/** What the figures of a view exclude. */
export const excludedFrom = (view: InventoryBoundary): readonly Message[] => [
  BOUNDARY_MESSAGES.excluded_scopes(),
  classify('product_embodied_emission', view).counting === 'whole'
    ? BOUNDARY_MESSAGES.excluded_posted()
    : BOUNDARY_MESSAGES.excluded_not_rented(),
]

/** @param query the query as it was sent, whose filters are included in the report */
export function* renderReport(
  report: EmissionsReport,
  { groupBy, sort, limit, basis, from, to, view }: EmissionsQuery,
  query: Query,
  generatedAt: Date,
): Generator<string> {
  const { total, groups, others, releases } = report
  const about = {
    reporting_entity: view.reportingEntity,
    consolidation_approach: view.consolidationApproach,
    lease_type: view.leaseType,
    date_basis: basis,
    from: from === FIRST_DAY ? null : dayOf(from),
    to: to === LAST_DAY ? null : dayOf(to),
    group_by: groupBy,
    sort,
    limit,
    filters: filtersOf(query),
  }
  const excluded = excludedFrom(view)
  const note = {
    labels: PARTS.map((part) => {
      const { scope, category, reason } = classify(part, view)
      return {
        part,
        ghg_scope: scope,
        ghg_category: category,
        reason: reason.message,
        reason_message: referenceView(reason),
      }
    }),
    excluded: excluded.map(({ message }) => message),
    excluded_messages: excluded.map(referenceView),
    dataset_releases: releases,
    method_version: METHOD_VERSION,
    generated_at: generatedAt.toISOString(),
  }
  const head = { ...about, emission_unit: EMISSION_UNIT, ...sumsView(total, basis) }
  yield `${JSON.stringify(head).slice(0, -1)},"groups":[`
  for (let at = 0; at < groups.length; at += GROUPS_OF_PIECE) {
    const piece = groups
      .slice(at, at + GROUPS_OF_PIECE)
      .map((group) => ({ ...labelsView(report, groupBy, group), ...sumsView(group, basis) }))
    yield `${at === 0 ? '' : ','}${JSON.stringify(piece).slice(1, -1)}`
  }
  const remainder = others && { number_of_groups: others.groups, ...sumsView(others, basis) }
  yield `],${JSON.stringify({ remainder, ...note }).slice(1)}`
}

const SETTINGS: ReadonlySet<string> = new Set([
  'group_by',
  'date_basis',
  'from',
  'to',
  'reporting_entity',
  'consolidation_approach',
  'lease_type',
  'sort',
  'limit',
  'format',
])

/** The filters, by name, as they were sent. */
export const filtersOf = (query: Query): Query =>
  Object.fromEntries(Object.entries(query).filter(([name]) => !SETTINGS.has(name)))

/** Each label under its dimension, with its name if it is an id. */
const labelsView = (report: EmissionsReport, groupBy: readonly Dimension[], { labels }: Group) =>
  Object.fromEntries(
    groupBy.flatMap((name, at) => {
      const label = labels[at]!
      const member = [name, label] as const
      return isNamed(name) ? [member, [NAMED_BY[name], labelName(name, label, report)] as const] : [member]
    }),
  )

const MILLION = 1_000_000
const monthsView = (millionths: number): number => millionths / MILLION

/** Only by tenure does a report say in which months devices are held. */
const sumsView = ({ orders, rentals, months, ...total }: Omit<Group, 'labels'>, basis: DateBasis) => ({
  ...emissionsView(total),
  ...(orders !== null && { number_of_orders: orders, number_of_rentals: rentals }),
  ...(months !== null && basis === 'tenure' && { device_months: monthsView(months) }),
})

const emissionsView = ({ emission, logSd }: EmissionTotal) => ({
  total_emission: kilogramsView(emission),
  uncertainty: logSd === null ? null : intervalView(intervalAround(emission, logSd)),
})
