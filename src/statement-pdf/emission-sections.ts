// The chapters on emissions by category, month, earlier year, model and data quality, most with charts and tables.
import { PARTS } from '../engine/numbers/emission.ts'
import { heading, figure, paragraph, section } from './blocks.ts'
import { horizontalBars, stackedBars, type Bar } from './charts.ts'
import { modelName, withSign, type RenderContext } from './cover.ts'
import type { CorrectionCause } from '../statements/statement.ts'
import type { Messages } from './messages-en.ts'
import { kilogramsOf, milligramsOf } from './model.ts'
import { COLOURS, PART_PATTERNS, PLAIN_FILL } from './theme.ts'
import { unitFor } from './number-format.ts'
import type { Block } from './layout.ts'
import { tableBlocks, type Row } from './table.ts'

const MODELS_SHOWN = 10

/** The text alternative of a chart: its kind, then every bar. */
const inWords = (kind: string, bars: readonly Bar[]): string =>
  `${kind} ${bars.map(({ name, label }) => `${name}: ${label}`).join('; ')}.`

export function* categoryBlocks({ digest, messages, numbers }: RenderContext): Generator<Block> {
  const ticks = numbers.exact.bind(numbers)
  const { by_category: lines, by_part: parts, summary } = digest
  const unit = unitFor(Math.max(...lines.map(({ emission }) => Math.abs(emission))))
  const nameOf = (scope: string, category: string): string => `${messages.scope(scope)}, ${messages.category(category)}`
  const bars = lines.map(({ ghg_scope: scope, ghg_category: category, emission, share_percent: share }) => ({
    name: nameOf(scope, category),
    value: emission / unit.kilograms,
    label: `${numbers.short(emission / unit.kilograms)} (${numbers.percent(share)})`,
  }))
  yield heading(messages.byCategory)
  yield paragraph(messages.byCategoryText)
  const chart = horizontalBars({ bars, fill: PLAIN_FILL, unit: unit.name, ticks })
  yield figure(chart, inWords(messages.byCategoryChart(unit.name), bars))
  const columns = [
    { title: messages.part, share: 0.17 },
    { title: messages.scopeColumn, share: 0.11 },
    { title: messages.categoryColumn, share: 0.4 },
    { title: messages.kilograms, share: 0.2, isNumber: true },
    { title: messages.share, share: 0.12, isNumber: true },
  ]
  const exact = numbers.exact([...parts.map(({ emission }) => emission), summary.total_emission])
  const rows = parts.map<Row>(({ part, ghg_scope: scope, ghg_category: category, emission, share_percent: share }) => ({
    cells: [
      messages.parts[part],
      messages.scope(scope),
      messages.category(category),
      exact(emission),
      numbers.percent(share),
    ],
  }))
  const whole = summary.total_emission === 0 ? null : 100
  const total = { cells: [messages.all, '', '', exact(summary.total_emission), numbers.percent(whole)], isTotal: true }
  yield* tableBlocks({ title: messages.byCategory, columns }, [...rows, total])
  yield* reasonPieces({ digest, messages, numbers })
}

function* reasonPieces({ digest, messages }: RenderContext): Generator<Block> {
  yield section(messages.whyThere)
  if (messages.asSigned) yield paragraph(messages.asSigned, { color: COLOURS.quiet })
  for (const { part, reason } of digest.by_part) {
    yield paragraph(messages.parts[part], { weight: 'bold', staysWithNext: true })
    yield withSign(reason, messages, 0)
  }
}

export function* monthBlocks({ digest, messages, numbers }: RenderContext): Generator<Block> {
  const ticks = numbers.exact.bind(numbers)
  const { by_month: months, by_part: parts, summary } = digest
  const unit = unitFor(Math.max(...months.map((month) => Math.abs(month.total_emission))))
  const series = PARTS.map((part) => ({
    name: messages.parts[part],
    fill: PART_PATTERNS[part],
    values: months.map((month) => month[part] / unit.kilograms),
  }))
  yield heading(messages.byMonth)
  yield paragraph(messages.byMonthText)
  const chart = stackedBars({
    labels: months.map(({ month }) => numbers.month(month)),
    series,
    unit: unit.name,
    ticks,
    format: (value) => numbers.short(value),
  })
  const bars = months.map((month) => ({
    name: numbers.monthInFull(month.month),
    value: 0,
    label: numbers.short(month.total_emission / unit.kilograms),
  }))
  yield figure(chart, inWords(messages.byMonthChart(unit.name), bars))
  const columns = [
    { title: `${messages.month}, ${messages.kilograms}`, share: 0.15 },
    ...PARTS.map((part) => ({ title: messages.parts[part], share: 0.17, isNumber: true })),
    { title: messages.all, share: 0.17, isNumber: true },
  ]
  const exact = numbers.exact(months.flatMap((month) => [...PARTS.map((part) => month[part]), month.total_emission]))
  const rows = months.map<Row>((month) => ({
    cells: [numbers.monthInFull(month.month), ...PARTS.map((part) => exact(month[part])), exact(month.total_emission)],
  }))
  const sums = PARTS.map((part) => exact(parts.find((line) => line.part === part)!.emission))
  const total = { cells: [messages.all, ...sums, exact(summary.total_emission)], isTotal: true }
  yield* tableBlocks({ title: messages.byMonth, columns }, [...rows, total])
}

/** Nothing if all of the year concerns the year itself, or if an earlier version issued the statement. */
export function* earlierYearBlocks({ digest, messages, numbers }: RenderContext): Generator<Block> {
  const { year, corrections_of_earlier_years: earlier } = digest
  if (!earlier || earlier.years.length === 0) return
  yield heading(messages.earlierYears)
  yield paragraph(messages.earlierYearsText(year))
  const columns = [
    { title: messages.year, share: 0.1 },
    { title: messages.recordedAt, share: 0.2 },
    { title: messages.cause, share: 0.27 },
    { title: messages.orders, share: 0.23 },
    { title: messages.kilograms, share: 0.2, isNumber: true },
  ]
  const ofYears = earlier.years.flatMap((one) => [one.emission, ...one.causes.map(({ emission }) => emission)])
  const exact = numbers.exact([...ofYears, earlier.emission])
  const rows = earlier.years.flatMap((one): Row[] => [
    ...one.causes.map((cause) => ({
      cells: [
        String(one.year),
        numbers.moment(cause.recorded_at),
        causeName(cause, messages),
        cause.order_ids.join(', '),
        exact(cause.emission),
      ],
    })),
    { cells: [messages.allOfYear(one.year), '', '', '', exact(one.emission)], isTotal: true },
  ])
  const total = { cells: [messages.all, '', '', '', exact(earlier.emission)], isTotal: true }
  yield* tableBlocks({ title: messages.earlierYears, columns }, [...rows, total])
}

function causeName({ event_id: eventId, order_id: orderId }: CorrectionCause, messages: Messages): string {
  if (eventId !== null) return messages.causeEvent(eventId)
  return orderId === null ? messages.causeElsewhere : messages.causeOrder(orderId)
}

export function* modelBlocks({ digest, messages, numbers }: RenderContext): Generator<Block> {
  const ticks = numbers.exact.bind(numbers)
  const { models, summary, ofDevices } = digest
  const [shown, others] = [models.slice(0, MODELS_SHOWN), models.slice(MODELS_SHOWN)]
  yield heading(messages.byModel)
  if (shown.length > 0) {
    yield paragraph(messages.byModelText(shown.length, models.length))
    const unit = unitFor(kilogramsOf(Math.max(...shown.map(({ year }) => Math.abs(year)))))
    const bars = shown.map((model) => {
      const value = kilogramsOf(model.year) / unit.kilograms
      return { name: modelName(model, messages), value, label: numbers.short(value) }
    })
    const chart = horizontalBars({ bars, fill: PLAIN_FILL, unit: unit.name, ticks })
    yield figure(chart, inWords(messages.byModelChart(unit.name), bars))
  }
  const lines: [string, number | null, number][] = shown.map((model) => [
    modelName(model, messages),
    model.devices,
    model.year,
  ])
  const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
  if (others.length > 0) {
    const [devices, year] = [sum(others.map((one) => one.devices)), sum(others.map((one) => one.year))]
    lines.push([messages.otherModels(others.length), devices, year])
  }
  const rest = milligramsOf(summary.total_emission) - ofDevices.year
  if (rest !== 0) lines.push([messages.withoutDevices, null, rest])
  const columns = [
    { title: messages.model, share: 0.62 },
    { title: messages.devices, share: 0.14, isNumber: true },
    { title: messages.kilograms, share: 0.24, isNumber: true },
  ]
  const exact = numbers.exact([...lines.map(([, , year]) => kilogramsOf(year)), summary.total_emission])
  const rows = lines.map<Row>(([name, devices, year]) => ({
    cells: [name, devices === null ? '' : numbers.count(devices), exact(kilogramsOf(year))],
  }))
  const count = numbers.count(summary.number_of_devices)
  const total = { cells: [messages.all, count, exact(summary.total_emission)], isTotal: true }
  yield* tableBlocks({ title: messages.byModel, columns }, [...rows, total])
}

export function* qualityBlocks({ digest, messages, numbers }: RenderContext): Generator<Block> {
  const ticks = numbers.exact.bind(numbers)
  yield heading(messages.byQuality)
  yield paragraph(messages.byQualityText)
  const views = [
    [messages.byType, digest.by_type, messages.types],
    [messages.byLevel, digest.by_match_level, messages.levels],
    [messages.byRating, digest.by_data_quality, messages.ratings],
  ] as const
  for (const [title, lines, names] of views) {
    if (lines.length === 0) continue
    yield section(title)
    const bars = lines.map(({ name, share_percent: share }) => ({
      name: names[name] ?? name,
      value: share ?? 0,
      label: numbers.percent(share),
    }))
    const chart = horizontalBars({ bars, fill: PLAIN_FILL, unit: messages.shareAxis, ticks })
    yield figure(chart, inWords(`${title}. ${messages.qualityChart}`, bars))
    const exact = numbers.exact(lines.map(({ emission }) => emission))
    const columns = [
      { title: messages.kind, share: 0.56 },
      { title: messages.kilograms, share: 0.26, isNumber: true },
      { title: messages.share, share: 0.18, isNumber: true },
    ]
    const rows = lines.map<Row>(({ emission }, at) => ({ cells: [bars[at]!.name, exact(emission), bars[at]!.label] }))
    yield* tableBlocks({ title, columns }, rows)
  }
}
