// Why a figure of a report is what it is: what was added up, by which rules, and where to see it one by one.
import type { Explanation } from '../components/explanation.ts'
import { useFormat, type Format } from '../i18n/format.ts'
import { useMessages, type MessageFormatter } from '../i18n/language.tsx'
import { topDevices } from '../devices/device-path.ts'
import { useLabelNames } from './label-names.ts'
import { KG, plain, sumAsText } from './kilograms.ts'
import de from './messages.de.json'
import en from './messages.en.json'
import { callOf, reportPage, type Report, type ReportQuery } from './report-query.ts'

interface TextFunctions {
  readonly t: MessageFormatter<keyof typeof en>
  readonly told: Format['told']
  readonly nameOf: ReturnType<typeof useLabelNames>
}

export interface FigureOf {
  readonly title: string
  readonly value: number
  readonly unit?: string
  /** What was added up to it, in the sequence of the formula. */
  readonly summands?: readonly { readonly name: string; readonly value: number }[]
  /** Where it is no sum. */
  readonly formula?: string
  readonly uncertainty?: Explanation['uncertainty'] | null
  readonly notes?: readonly string[]
}

/** @param narrowed filters on top of those of the report, by which the API answers just this figure */
export type ExplainFigure = (report: Report, figure: FigureOf, narrowed?: ReportQuery) => Explanation

export function useExplainFigure(): ExplainFigure {
  const t = useMessages({ en, de })
  const { told } = useFormat()
  const nameOf = useLabelNames()
  return (report, figure, narrowed = {}) => explain(report, figure, narrowed, { t, told, nameOf })
}

function explain(report: Report, figure: FigureOf, narrowed: ReportQuery, words: TextFunctions): Explanation {
  const { t } = words
  const query = { ...report.query, ...narrowed }
  const { title, value, unit = KG, summands = [], uncertainty, notes = [] } = figure
  const formula = figure.formula ?? (summands.length > 1 ? sumOf(summands, value) : t('sumOfEntries'))
  return {
    title,
    value,
    unit,
    formula,
    inputs: summands.map((one) => ({ symbol: '', ...one, unit, from: t('fromReport') })),
    ...(uncertainty && { uncertainty }),
    notes: [...notes, ...rulesOf(report, words)],
    methodology: 'METHODOLOGY.md#reporting-periods',
    release: report.dataset_releases.join(', '),
    links: [
      { path: reportPage(query), label: t('toReport') },
      { path: ordersPage(query), label: t('toOrders') },
      ...devicesPages(query).map((path) => ({ path, label: t('toDevices') })),
    ],
    call: callOf(query),
  }
}

const sumOf = (summands: NonNullable<FigureOf['summands']>, value: number): string =>
  sumAsText(
    summands.map((one) => plain(one.value)),
    plain(value),
  )

/** In sentences: by which days, of which book, and what is in none of the figures. */
const rulesOf = (
  { date_basis: basis, reporting_entity: entity, excluded, excluded_messages: messages, labels }: Report,
  { t, told, nameOf }: TextFunctions,
): readonly string[] => [
  t(`${basis}Rule`),
  t(`${entity}Rule`),
  ...new Set(
    labels.map(
      ({ part, ghg_category: category, reason: message, reason_message: reason }) =>
        `${t(part)}: ${nameOf('category', category)}. ${told({ message, ...reason })}`,
    ),
  ),
  ...excluded.map((message, at) => t('excluded', { sentence: told({ message, ...messages[at] }) })),
]

/** A list of orders knows one customer and the day of the order alone. */
function ordersPage({ customer = [], date_basis: basis, from, to }: ReportQuery): string {
  const days = basis === 'order' ? { from, to } : {}
  const told = { ...(customer.length === 1 && { customer_id: customer[0]! }), ...days }
  const search = new URLSearchParams(Object.entries(told).flatMap(([name, day]) => (day ? [[name, day]] : [])))
  return search.size === 0 ? '/orders' : `/orders?${search.toString()}`
}

/** A list of devices knows one customer and one model; of neither it would be of all there are. */
function devicesPages({ customer = [], model = [] }: ReportQuery): readonly string[] {
  const only = ([one, ...others]: readonly string[]) => (one && others.length === 0 ? one : undefined)
  const [ofCustomer, ofModel] = [only(customer), only(model)]
  if (ofCustomer === undefined && ofModel === undefined) return []
  return [topDevices({ ...(ofCustomer && { customer: ofCustomer }), ...(ofModel && { model: ofModel }) })]
}
