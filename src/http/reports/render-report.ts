// A report of emissions as JSON text, piece by piece: all of it at once would be many megabytes where groups are many.
import { PARTS, toKilograms } from '../../engine/numbers/emission.ts'
import { METHOD_VERSION } from '../../engine/explanation/calculation.ts'
import { classify, type InventoryBoundary } from '../../engine/inventory-boundary.ts'
import { intervalAround } from '../../engine/uncertainty/uncertainty.ts'
import type { Group } from '../../reports/collect-groups.ts'
import type { EmissionTotal } from '../../reports/totals.ts'
import { FIRST_DAY, LAST_DAY, type Dimension, type EmissionsQuery } from '../../reports/emissions-query.ts'
import { dayOf } from '../../reports/fact.ts'
import type { EmissionsReport } from '../../reports/report-emissions.ts'
import { NAMED_BY, isNamed, labelName } from './label-names.ts'
import type { Query } from '../requests/query.ts'
import { UNIT } from '../wire/render.ts'
import { intervalView } from '../wire/render-uncertainty.ts'

/** Some 30 kB. */
const GROUPS_OF_PIECE = 100

/** Sentences on what is in none of the figures of a view. */
export const excludedFrom = (view: InventoryBoundary): readonly string[] => [
  'Scope 1, losses in electricity grids (category 3), and what became of packaging (categories 5 and 12).',
  classify('product_embodied_emission', view).counting === 'whole'
    ? 'The embodied emissions that were posted: each device is counted whole, in the month of its first rental.'
    : 'What a device was not rented out for: it stays with its owner.',
]

/** @param query as it was sent, whose filters are told */
export function* renderReport(
  report: EmissionsReport,
  { groupBy, sort, limit, basis, from, to, view }: EmissionsQuery,
  query: Query,
  generatedAt: Date,
): Generator<string> {
  const { total, groups, others, releases } = report
  const labels = labelWriter(report, groupBy)
  const about = {
    book: view.book,
    approach: view.approach,
    lease: view.lease,
    basis,
    from: from === FIRST_DAY ? null : dayOf(from),
    to: to === LAST_DAY ? null : dayOf(to),
    group_by: groupBy,
    sort,
    limit,
    filters: filtersOf(query),
  }
  const note = {
    labels: PARTS.map((part) => {
      const { scope, category, reason } = classify(part, view)
      return { part, ghg_scope: scope, ghg_category: category, reason }
    }),
    excluded: excludedFrom(view),
    dataset_releases: releases,
    method_version: METHOD_VERSION,
    generated_at: generatedAt.toISOString(),
  }
  yield (
    `${JSON.stringify(about).slice(0, -1)},"emission_unit":${UNIT},${renderEmissions(total)},` +
    `"number_of_orders":${total.orders},"number_of_rentals":${total.rentals},"groups":[`
  )
  for (let at = 0; at < groups.length; at += GROUPS_OF_PIECE) {
    const piece = groups.slice(at, at + GROUPS_OF_PIECE).map((group) => `{${labels(group)}${renderSums(group)}}`)
    yield `${at === 0 ? '' : ','}${piece.join(',')}`
  }
  const rest = others && `{"number_of_groups":${others.groups},${renderSums(others)}}`
  yield `],"others":${rest},${JSON.stringify(note).slice(1)}`
}

const SETTINGS: ReadonlySet<string> = new Set([
  'group_by',
  'basis',
  'from',
  'to',
  'book',
  'approach',
  'lease',
  'sort',
  'limit',
  'format',
])

/** What was kept, by name, as it was sent. */
export const filtersOf = (query: Query): Query =>
  Object.fromEntries(Object.entries(query).filter(([name]) => !SETTINGS.has(name)))

/** Each label by what is grouped by, and what it is called where it is an id. */
function labelWriter(report: EmissionsReport, groupBy: readonly Dimension[]): (group: Group) => string {
  const members = groupBy.map((name) => {
    const member = `${JSON.stringify(name)}:`
    if (!isNamed(name)) return (label: string | null) => `${member}${JSON.stringify(label)},`
    return (label: string | null) =>
      `${member}${JSON.stringify(label)},"${NAMED_BY[name]}":${JSON.stringify(labelName(name, label, report))},`
  })
  return ({ labels }) => labels.map((label, at) => members[at]!(label)).join('')
}

function renderSums(sums: Omit<Group, 'labels'>): string {
  const { orders, rentals } = sums
  const counts = orders === null ? '' : `,"number_of_orders":${orders},"number_of_rentals":${rentals}`
  return `${renderEmissions(sums)}${counts}`
}

const renderEmissions = ({ emission, logSd }: EmissionTotal): string =>
  `"total_emission":${toKilograms(emission)},` +
  `"uncertainty":${logSd === null ? 'null' : intervalView(intervalAround(emission, logSd))}`
