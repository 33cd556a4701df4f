// The first page: customer, issuer and year, the total with its uncertainty interval, its meaning, and the key figures.
import { figure, paragraph, section } from './blocks.ts'
import { intervalBar } from './charts.ts'
import type { StatementModel, ModelLine } from './model.ts'
import { COLOURS, SIZES } from './theme.ts'
import type { Messages } from './messages-en.ts'
import { unitFor, type Numbers } from './number-format.ts'
import type { Block } from './layout.ts'
import { tableBlocks, type Row } from './table.ts'

/** The inputs of every chapter. */
export interface RenderContext {
  readonly digest: StatementModel
  readonly say: Messages
  readonly numbers: Numbers
}

export function* coverBlocks({ digest, say, numbers }: RenderContext): Generator<Block> {
  const { customer_id: customer, year, issuer, issued, summary } = digest
  const unit = unitFor(summary.total_emission)
  yield bar()
  yield paragraph(say.documentKind, { color: COLOURS.quiet, gap: 12, size: 11 })
  yield paragraph(say.heading(year), { size: SIZES.title, weight: 'bold', color: COLOURS.accent, gap: 2 }, 'H1')
  yield* person(say.customer, customer, 18)
  yield* person(say.issuer, issuer.account, 11.5)
  yield paragraph(`${say.madeAt} ${numbers.moment(issued.at)}. ${say.knownAt} ${numbers.moment(issued.known_at)}.`, {
    color: COLOURS.quiet,
    gap: 12,
  })
  if (digest.is_preliminary) yield paragraph(say.preliminary(year), { weight: 'bold', gap: 10 })
  const { low, high } = summary.uncertainty
  yield paragraph(numbers.mass(summary.total_emission, unit), { size: SIZES.total, weight: 'bold', gap: 14 })
  yield paragraph(say.interval(numbers.mass(low, unit), numbers.mass(high, unit)), { size: 13, gap: 0 })
  yield paragraph(say.meaning(year), { gap: 6 })
  yield interval({ digest, say, numbers })
  yield section(say.keyFigures, 'H2')
  const columns = [
    { title: say.figure, share: 0.5 },
    { title: say.value, share: 0.5, isNumber: true },
  ]
  yield* tableBlocks({ title: say.keyFigures, columns }, keyFigures({ digest, say, numbers }))
}

function interval({ digest: { summary }, say, numbers }: RenderContext): Block {
  const unit = unitFor(summary.total_emission)
  const { low, high } = summary.uncertainty
  const [text, lowText, highText] = [summary.total_emission, low, high].map((value) => numbers.mass(value, unit))
  const chart = intervalBar({
    low: low / unit.kilograms,
    value: summary.total_emission / unit.kilograms,
    high: high / unit.kilograms,
    label: say.intervalLabel,
    unit: unit.name,
    ticks: numbers.exact.bind(numbers),
  })
  return figure(chart, say.intervalChart(text!, lowText!, highText!))
}

/** Purely decorative. */
const bar = (): Block => ({
  height: 6,
  gap: 0,
  backdrop: [{ kind: 'box', x: 0, y: 0, width: 72, height: 6, color: COLOURS.accent, pattern: 'solid' }],
})

function* person(role: string, name: string, size: number): Generator<Block> {
  yield paragraph(role, { size: SIZES.small, color: COLOURS.quiet, gap: 12, staysWithNext: true })
  yield paragraph(name, { size, weight: 'bold', gap: 0, linesMax: 4 })
}

function keyFigures({ digest: { summary, year, inventory_boundary: boundary }, say, numbers }: RenderContext): Row[] {
  const amounts: [string, number][] = [
    [say.total(year), summary.total_emission],
    [say.totalCertain, summary.total_emission_excluding_indicative],
    [say.corrections, summary.corrections_emission],
    [say.opening(year), summary.opening_emission],
    [say.closing(year), summary.closing_emission],
    [say.later(year), summary.posted_later_emission],
  ]
  const exact = numbers.exact(amounts.map(([, amount]) => amount))
  const others: [string, string][] = [
    [say.orders, numbers.count(summary.number_of_orders)],
    [say.devices, numbers.count(summary.number_of_devices)],
    [say.heldAtOpening(year), numbers.count(summary.devices_held_at_opening)],
    [say.heldAtClosing(year), numbers.count(summary.devices_held_at_closing)],
    [say.primaryShare, numbers.percent(summary.primary_data_share)],
    [say.rating, summary.data_quality_rating === null ? '–' : numbers.count(summary.data_quality_rating)],
    [say.view, say.viewValue(say.approaches[boundary.consolidation_approach])],
  ]
  const rows = [...amounts.map(([name, amount]) => [name, exact(amount)] as const), ...others]
  return rows.map((cells) => ({ cells }))
}

/** The name of a model; for a fallback its basis, which distinguishes it from similar fallbacks. */
export const modelName = ({ id, name, isStandIn }: ModelLine, say: Messages): string =>
  isStandIn ? say.standIn(id.replace(/^[^:]*:/, '')) : name

/**
 * A sentence of the statement, translated into the language of the PDF, or in the signed English text if there is none.
 */
export function withSign(sentence: string, say: Messages, gap?: number): Block {
  const translated = say.translated(sentence)
  return paragraph(translated ?? sentence, {
    language: translated === undefined ? 'en' : undefined,
    ...(gap !== undefined && { gap }),
  })
}
