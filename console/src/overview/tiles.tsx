// Four figures, each with its months and the same period of the year before: total, intensity, volume, and certainty.
import type { ReactNode } from 'react'
import { Figure } from '../components/figure.tsx'
import { Tile } from '../components/tile.tsx'
import type { Why } from '../components/explanation.ts'
import { useFormat } from '../i18n/format.ts'
import { useMessages } from '../i18n/language.tsx'
import { useExplainFigure } from '../emissions/explain-figure.ts'
import { plain } from '../emissions/kilograms.ts'
import { useLabelNames } from '../emissions/label-names.ts'
import { massUnit } from '../emissions/mass.ts'
import { sumBy, type Report } from '../emissions/report-query.ts'
import { intensityOf } from './answer-values.ts'
import { changeOf } from './change.ts'
import type { View } from './filters.ts'
import de from './messages.de.json'
import en from './messages.en.json'
import { monthsOf } from './month-span.ts'
import { Sparkline } from './sparkline.tsx'

export interface TilesProps {
  readonly view: View
  /** By month and part. */
  readonly months: Report
  readonly before: Report | null
  /** By month, with what is counted; undefined until it is there, as are the next. */
  readonly counts: Report | undefined
  /** By month and type of estimate. */
  readonly estimates: Report | undefined
  readonly estimatesBefore: Report | null | undefined
}

export function Tiles(props: TilesProps) {
  const { counts, months } = props
  const hasMonths = months.device_months !== undefined
  const perMonth = (value: (group: Report['groups'][number]) => number | null) =>
    monthsOf(months, props.view.time).map((month) => {
      const group = counts?.groups.find(({ labels }) => labels[0] === month)
      return group ? value(group) : null
    })
  return (
    <div className="overview-tiles">
      <Total {...props} />
      {hasMonths && (
        <Intensity
          {...props}
          values={perMonth(({ emission, deviceMonths }) => (deviceMonths ? emission / deviceMonths : null))}
        />
      )}
      <Volume {...props} values={perMonth(({ deviceMonths, rentals }) => (hasMonths ? deviceMonths : rentals))} />
      <Specific {...props} />
    </div>
  )
}

interface FigureTileProps extends Pick<TilesProps, 'view'> {
  readonly title: string
  readonly figure: ReactNode
  readonly values: readonly (number | null)[]
  /** The same a year before, with its explanation; null where there is none. */
  readonly before: { readonly shown: number; readonly unit: string; readonly why: Why } | null
  /** In percent of it, or in percentage points. */
  readonly change: number | null
  readonly isShare?: boolean
}

function FigureTile({ view: { time }, title, figure, values, before, change, isShare = false }: FigureTileProps) {
  const t = useMessages({ en, de })
  const { short } = useFormat()
  const changed = change === null ? null : `${change > 0 ? '+' : ''}${short(change)}`
  return (
    <Tile
      title={title}
      value={
        <>
          {figure}
          <Sparkline title={title} values={values} />
        </>
      }
    >
      {before ? (
        <>
          {t('yearEarlier', { kind: time.kind, year: String(Number(time.year) - 1) })}{' '}
          <Figure value={before.shown} unit={before.unit} showsUnit why={before.why} />{' '}
          {changed !== null && <span className="unbroken">{t(isShare ? 'points' : 'percent', { changed })}</span>}
        </>
      ) : (
        t('noEarlier', { kind: time.kind })
      )}
    </Tile>
  )
}

function Total({ view, months, before }: TilesProps) {
  const t = useMessages({ en, de })
  const explainFigure = useExplainFigure()
  const nameOf = useLabelNames()
  const { total_emission: value, uncertainty } = months
  const mass = massUnit(value)
  const summands = [...sumBy(months.groups, 1)].map(([part, sum]) => ({ name: nameOf('part', part), value: sum }))
  const byPart = { ...months, query: { ...months.query, group_by: ['part'] } }
  const explain = () => explainFigure(byPart, { title: t('emitted'), value, summands, uncertainty })
  const then = before?.total_emission ?? 0
  const massThen = massUnit(then)
  const sums = sumBy(months.groups, 0)
  return (
    <FigureTile
      view={view}
      title={t('emitted')}
      figure={<Figure value={mass.of(value)} unit={mass.unit} showsUnit why={explain} />}
      values={monthsOf(months, view.time).map((month) => sums.get(month) ?? 0)}
      before={
        before && then !== 0
          ? {
              shown: massThen.of(then),
              unit: massThen.unit,
              why: () => explainFigure(before, { title: t('emitted'), value: then }),
            }
          : null
      }
      change={before && changeOf(value, then)}
    />
  )
}

type WithValues = TilesProps & Pick<FigureTileProps, 'values'>

function Intensity({ view, months, before, values }: WithValues) {
  const t = useMessages({ en, de })
  const explainFigure = useExplainFigure()
  const explain = (report: Report, value: number) => () =>
    explainFigure(
      { ...report, query: { ...report.query, group_by: [] } },
      {
        title: t('intensity'),
        value,
        unit: t('perDeviceMonth'),
        formula: `${report.total_emission} ÷ ${report.device_months} = ${value}`,
        notes: [t('monthsNote')],
      },
    )
  const rounded = (report: Report | null) => {
    const exact = report && intensityOf(report)
    return exact === null ? null : plain(exact)
  }
  const [now, then] = [rounded(months), rounded(before)]
  return (
    <FigureTile
      view={view}
      title={t('intensity')}
      figure={<Figure value={now} unit={t('perDeviceMonth')} why={now === null ? undefined : explain(months, now)} />}
      values={values}
      before={before && then !== null ? { shown: then, unit: '', why: explain(before, then) } : null}
      change={now !== null && then !== null ? changeOf(now, then) : null}
    />
  )
}

/** Device-months; by a date of the order, which says nothing of months, the rentals that began. */
function Volume({ view, months, before, values }: WithValues) {
  const t = useMessages({ en, de })
  const explainFigure = useExplainFigure()
  const isHeld = months.device_months !== undefined
  const title = t(isHeld ? 'deviceMonths' : 'rentals')
  const volumeOf = (report: Report) => report.device_months ?? report.number_of_rentals
  const explain = (report: Report) => () =>
    explainFigure(
      { ...report, query: { ...report.query, group_by: [] } },
      {
        title,
        value: volumeOf(report),
        unit: isHeld ? t('deviceMonths') : t('devicesUnit'),
        formula: t(isHeld ? 'monthsAdded' : 'eachOnce'),
        notes: [t(isHeld ? 'monthsNote' : 'countedNote')],
      },
    )
  return (
    <FigureTile
      view={view}
      title={title}
      figure={<Figure value={volumeOf(months)} unit={title} why={explain(months)} />}
      values={values}
      before={before && volumeOf(before) > 0 ? { shown: volumeOf(before), unit: '', why: explain(before) } : null}
      change={before && changeOf(volumeOf(months), volumeOf(before))}
    />
  )
}

/** In percent; null where nothing was emitted. */
const shareOf = (estimated: number, total: number): number | null =>
  total > 0 ? plain((estimated / total) * 100) : null

function Specific({ view, months, estimates, estimatesBefore }: TilesProps) {
  const t = useMessages({ en, de })
  const explainFigure = useExplainFigure()
  const estimatedOf = (report: Report, at: number) => sumBy(report.groups, at).get('estimated') ?? 0
  const explain = (report: Report, at: number, value: number) => () =>
    explainFigure(
      report,
      {
        title: t('estimatedShare'),
        value,
        unit: '%',
        formula: `${estimatedOf(report, at)} ÷ ${report.total_emission} × 100 = ${value}`,
        notes: [t('typeNote')],
      },
      { group_by: ['estimate_type'] },
    )
  const now = estimates ? shareOf(estimatedOf(estimates, 1), estimates.total_emission) : null
  const then = estimatesBefore ? shareOf(estimatedOf(estimatesBefore, 0), estimatesBefore.total_emission) : null
  const byMonth = Map.groupBy(estimates?.groups ?? [], ({ labels }) => labels[0])
  const values = monthsOf(months, view.time).map((month) => {
    const groups = byMonth.get(month) ?? []
    const sum = groups.reduce((all, { emission }) => all + emission, 0)
    return shareOf(sumBy(groups, 1).get('estimated') ?? 0, sum)
  })
  return (
    <FigureTile
      view={view}
      title={t('estimatedShare')}
      figure={
        <Figure
          value={now}
          unit="%"
          showsUnit
          why={estimates && now !== null ? explain(estimates, 1, now) : undefined}
        />
      }
      values={values}
      before={
        estimatesBefore && then !== null ? { shown: then, unit: '%', why: explain(estimatesBefore, 0, then) } : null
      }
      change={now !== null && then !== null ? plain(now - then) : null}
      isShare
    />
  )
}
