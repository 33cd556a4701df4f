// The answer in a sentence: how much, better or worse, and why.
import { massUnit } from '../emissions/mass.ts'
import type { Report } from '../emissions/report-query.ts'
import { useFormat } from '../i18n/format.ts'
import { useMessages } from '../i18n/language.tsx'
import { answerFigures } from './answer-values.ts'
import { SELECTIONS, type View } from './filters.ts'
import de from './messages.de.json'
import en from './messages.en.json'

export interface AnswerProps {
  readonly view: View
  /** By month and part. */
  readonly months: Report
  /** Null where there is no year before. */
  readonly before: Report | null
}

export function Answer({ view: { filters, time, query }, months, before }: AnswerProps) {
  const t = useMessages({ en, de })
  const { short } = useFormat()
  const { total, interval, intensity, change, part } = answerFigures(months, before)
  const mass = massUnit(total)
  const written = (value: number | null | undefined) => short(value ?? 0)
  const percent = written(change === null ? 0 : Math.abs(change))
  const isSame = percent === written(0) || Math.abs(change ?? 0) < SAME_PERCENT
  const direction = change === null ? 'unknown' : isSame ? 'same' : change < 0 ? 'less' : 'more'
  const values = {
    selection: SELECTIONS.some((name) => filters[name] !== '') ? 'some' : 'all',
    entity: query.reporting_entity ?? 'lessee',
    kind: time.kind,
    year: time.year,
    yearBefore: String(Number(time.year) - 1),
    total: `${written(mass.of(total))}\u00a0${mass.unit}`,
    interval: interval ? 'known' : 'unknown',
    low: written(interval && mass.of(interval.low)),
    high: `${written(interval && mass.of(interval.high))}\u00a0${mass.unit.slice(0, mass.unit.indexOf(' '))}`,
    months: intensity === null ? 'unknown' : 'known',
    intensity: written(intensity),
    direction,
    percent,
    part: part?.name ?? 'none',
    share: written(part?.percent),
  }
  return <p className="overview-answer">{t('answer', values)}</p>
}

/** Less than that is told as no change. */
const SAME_PERCENT = 0.1
