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
  readonly messages: Messages
  readonly numbers: Numbers
}

export function* coverBlocks({ digest, messages, numbers }: RenderContext): Generator<Block> {
  const { customer_id: customer, year, issuer, issued, summary } = digest
  const unit = unitFor(summary.total_emission)
  yield bar()
  yield paragraph(messages.documentKind, { color: COLOURS.quiet, gap: 12, size: 11 })
  yield paragraph(messages.heading(year), { size: SIZES.title, weight: 'bold', color: COLOURS.accent, gap: 2 }, 'H1')
  yield* person(messages.customer, customer, 18)
  yield* person(messages.issuer, issuer.account, 11.5)
  yield paragraph(
    `${messages.madeAt} ${numbers.moment(issued.at)}. ${messages.knownAt} ${numbers.moment(issued.known_at)}.`,
    {
      color: COLOURS.quiet,
      gap: 12,
    },
  )
  if (digest.is_preliminary) yield paragraph(messages.preliminary(year), { weight: 'bold', gap: 10 })
  const { low, high } = summary.uncertainty
  yield paragraph(numbers.mass(summary.total_emission, unit), { size: SIZES.total, weight: 'bold', gap: 14 })
  yield paragraph(messages.interval(numbers.mass(low, unit), numbers.mass(high, unit)), { size: 13, gap: 0 })
  yield paragraph(messages.meaning(year), { gap: 6 })
  yield interval({ digest, messages, numbers })
  yield section(messages.keyFigures, 'H2')
  const columns = [
    { title: messages.figure, share: 0.5 },
    { title: messages.value, share: 0.5, isNumber: true },
  ]
  yield* tableBlocks({ title: messages.keyFigures, columns }, keyFigures({ digest, messages, numbers }))
}

function interval({ digest: { summary }, messages, numbers }: RenderContext): Block {
  const unit = unitFor(summary.total_emission)
  const { low, high } = summary.uncertainty
  const [text, lowText, highText] = [summary.total_emission, low, high].map((value) => numbers.mass(value, unit))
  const chart = intervalBar({
    low: low / unit.kilograms,
    value: summary.total_emission / unit.kilograms,
    high: high / unit.kilograms,
    label: messages.intervalLabel,
    unit: unit.name,
    ticks: numbers.exact.bind(numbers),
  })
  return figure(chart, messages.intervalChart(text!, lowText!, highText!))
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

function keyFigures({
  digest: { summary, year, inventory_boundary: boundary },
  messages,
  numbers,
}: RenderContext): Row[] {
  const amounts: [string, number][] = [
    [messages.total(year), summary.total_emission],
    [messages.totalCertain, summary.total_emission_excluding_indicative],
    [messages.corrections, summary.corrections_emission],
    [messages.opening(year), summary.opening_emission],
    [messages.closing(year), summary.closing_emission],
    [messages.later(year), summary.posted_later_emission],
  ]
  const exact = numbers.exact(amounts.map(([, amount]) => amount))
  const others: [string, string][] = [
    [messages.orders, numbers.count(summary.number_of_orders)],
    [messages.devices, numbers.count(summary.number_of_devices)],
    [messages.heldAtOpening(year), numbers.count(summary.devices_held_at_opening)],
    [messages.heldAtClosing(year), numbers.count(summary.devices_held_at_closing)],
    [messages.primaryShare, numbers.percent(summary.primary_data_share)],
    [messages.rating, summary.data_quality_rating === null ? '–' : numbers.count(summary.data_quality_rating)],
    [messages.view, messages.viewValue(messages.approaches[boundary.consolidation_approach])],
  ]
  const rows = [...amounts.map(([name, amount]) => [name, exact(amount)] as const), ...others]
  return rows.map((cells) => ({ cells }))
}

/** The name of a model; for a fallback its basis, which distinguishes it from similar fallbacks. */
export const modelName = ({ id, name, isStandIn }: ModelLine, messages: Messages): string =>
  isStandIn ? messages.standIn(id.replace(/^[^:]*:/, '')) : name

/**
 * A sentence of the statement, translated into the language of the PDF, or in the signed English text if there is none.
 */
export function withSign(sentence: string, messages: Messages, gap?: number): Block {
  const translated = messages.translated(sentence)
  return paragraph(translated ?? sentence, {
    language: translated === undefined ? 'en' : undefined,
    ...(gap !== undefined && { gap }),
  })
}
