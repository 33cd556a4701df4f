// A report that is grouped by two things as bars: the first makes the bars, the second the pieces of each.
import type { Bar } from '../charts/bars.ts'
import type { Series } from '../charts/theme.ts'
import type { Why } from '../components/explanation.ts'
import { useMessages } from '../i18n/language.tsx'
import de from './messages.de.json'
import en from './messages.en.json'
import { useExplainFigure } from './explain-figure.ts'
import { plain } from './kilograms.ts'
import type { Group, Report, ReportQuery } from './report-query.ts'

/** The key of all others, as a bar and as a piece; no label has it, as none is longer than 200 letters. */
export const OTHERS_KEY = `others ${'·'.repeat(200)}`

/** A label that the report is not told of has the empty key. */
const keyOf = (label: string | null | undefined): string => label ?? ''

/** The pieces of all groups that are taken into one bar; what is of no series is of all others. */
function piecesOf(groups: readonly Group[], series: readonly Series[]): Readonly<Record<string, number>> {
  const pieces: Record<string, number> = {}
  for (const { labels, emission } of groups) {
    const own = keyOf(labels[1])
    const key = series.some((one) => one.key === own) ? own : OTHERS_KEY
    pieces[key] = plain((pieces[key] ?? 0) + emission)
  }
  return pieces
}

/** @param labels the bars, in their sequence */
export function barsOf(
  { groups }: Report,
  labels: readonly (string | null)[],
  series: readonly Series[],
  nameOf: (label: string | null) => string,
): readonly Bar[] {
  const byLabel = Map.groupBy(groups, (group) => group.labels[0] as string | null)
  return labels.map((label) => ({
    key: keyOf(label),
    label: nameOf(label),
    values: piecesOf(byLabel.get(label) ?? [], series),
  }))
}

/** All groups whose first label is none of these, as one bar. */
export function othersBar(
  { groups }: Report,
  labels: readonly (string | null)[],
  series: readonly Series[],
  name: string,
): Bar {
  const shown: ReadonlySet<string | null> = new Set(labels)
  const others = groups.filter((group) => !shown.has(group.labels[0] ?? null))
  return { key: OTHERS_KEY, label: name, values: piecesOf(others, series) }
}

/** Explains a piece of a bar, or all of it: with the question that the API answers with just this figure. */
export function useWhyOfBar(report: Report, barBy: string, pieceBy: string, series: readonly Series[]) {
  const explain = useExplainFigure()
  return (bar: Bar, piece: Series | null): Why => {
    const summands = series.flatMap(({ key, label: name }) => {
      const value = bar.values[key]
      return value ? [{ name, value }] : []
    })
    const value = piece ? (bar.values[piece.key] ?? 0) : plain(summands.reduce((sum, one) => sum + one.value, 0))
    const narrowed = {
      ...filteredTo(barBy, bar.key),
      ...(piece && pieceBy !== '' && filteredTo(pieceBy, piece.key)),
      group_by: [...(bar.key === OTHERS_KEY ? [barBy] : []), ...(pieceBy !== '' && isWhole(piece) ? [pieceBy] : [])],
    } as ReportQuery
    const title = piece ? `${bar.label}: ${piece.label}` : bar.label
    return () => explain(report, { title, value, ...(piece ? {} : { summands }) }, narrowed)
  }
}

/** What is of several pieces is told piece by piece. */
const isWhole = (piece: Series | null): boolean => piece === null || piece.key === OTHERS_KEY
export const filteredTo = (by: string, key: string): ReportQuery => (key === OTHERS_KEY ? {} : { [by]: [key] })

/** What the bar or the piece of all others is called. */
export function useOthersName(): (count: number) => string {
  const t = useMessages({ en, de })
  return (count) => t('others', { count })
}
