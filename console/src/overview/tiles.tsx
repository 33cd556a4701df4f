// The figures above everything else: what was emitted, how it has changed, how sure it is, and of how many rentals.
import type { UseQueryResult } from '@tanstack/react-query'
import { Link } from 'wouter'
import { Figure } from '../components/figure.tsx'
import { Loaded, Loading } from '../components/loading-and-error.tsx'
import { Tile } from '../components/tile.tsx'
import { useFormat } from '../i18n/format.ts'
import { useMessages } from '../i18n/language.tsx'
import { topDevices } from '../devices/device-path.ts'
import { useExplainFigure } from '../emissions/explain-figure.ts'
import { KG, plain } from '../emissions/kilograms.ts'
import { useLabelNames } from '../emissions/label-names.ts'
import { sumBy, useReport, type Report } from '../emissions/report-query.ts'
import { changeOf } from './change.ts'
import de from './messages.de.json'
import en from './messages.en.json'
import type { View } from './filters.ts'

export interface TilesProps {
  readonly view: View
  /** By month and part. */
  readonly months: Report
  /** By category and type of estimate. */
  readonly categories: UseQueryResult<Report>
}

export function Tiles({ view, months, categories }: TilesProps) {
  return (
    <div className="overview-tiles">
      <Emitted report={months} />
      <Change report={months} view={view} />
      <Loaded query={categories}>{(report) => <Indicative report={report} />}</Loaded>
      <Rentals report={months} />
    </div>
  )
}

/** The days that a report is of, as a sentence has them. */
function useSpan(): (report: Pick<Report, 'from' | 'to'>) => string {
  const t = useMessages({ en, de })
  const { day } = useFormat()
  return ({ from, to }) => (from === null || to === null ? t('allTime') : `${day(from)} – ${day(to)}`)
}

function Emitted({ report }: { readonly report: Report }) {
  const t = useMessages({ en, de })
  const explainFigure = useExplainFigure()
  const nameOf = useLabelNames()
  const span = useSpan()(report)
  const { short } = useFormat()
  const { total_emission: value, uncertainty, query } = report
  const summands = [...sumBy(report.groups, 1)].map(([part, value]) => ({ name: nameOf('part', part), value }))
  const explain = () =>
    explainFigure(
      { ...report, query: { ...query, group_by: ['part'] } },
      { title: t('emittedIn', { span }), value, summands, uncertainty },
    )
  return (
    <Tile title={t('emitted')} value={<Figure value={value} unit={KG} showsUnit why={explain} />}>
      {span}
      {uncertainty && <p>{t('interval', { low: short(uncertainty.low), high: short(uncertainty.high), unit: KG })}</p>}
    </Tile>
  )
}

function Change({ report, view: { queryBefore } }: { readonly report: Report; readonly view: View }) {
  const t = useMessages({ en, de })
  const before = useReport(queryBefore ?? {}, queryBefore !== null)
  if (queryBefore === null) return <Tile title={t('change')} value="–" children={t('noBefore')} />
  // Two reports by different filters must not be held against one another.
  if (before.isPlaceholderData) return <Loading />
  return <Loaded query={before}>{(data) => <ChangeFrom before={data} report={report} />}</Loaded>
}

function ChangeFrom({ before, report }: { readonly before: Report; readonly report: Report }) {
  const t = useMessages({ en, de })
  const explainFigure = useExplainFigure()
  const span = useSpan()(before)
  const [now, then] = [report.total_emission, before.total_emission]
  const change = changeOf(now, then)
  const percent = change === null ? null : plain(change)
  const explain = () =>
    explainFigure(before, {
      title: t('changeAgainst', { span }),
      value: percent ?? 0,
      unit: '%',
      formula: `(${now} − ${then}) ÷ ${then} × 100 = ${percent}`,
      notes: [t('changeNote')],
    })
  const explainBefore = () => explainFigure(before, { title: t('emittedIn', { span }), value: then })
  return (
    <Tile
      title={t('change')}
      value={percent === null ? '–' : <Figure value={percent} unit="%" showsSign showsUnit why={explain} />}
    >
      {then === 0 ? (
        t('nothingBefore', { span })
      ) : (
        <>
          {t(percent === null ? 'littleBefore' : 'against', { span })}{' '}
          <Figure value={then} unit={KG} showsUnit why={explainBefore} />
        </>
      )}
    </Tile>
  )
}

function Indicative({ report }: { readonly report: Report }) {
  const t = useMessages({ en, de })
  const explainFigure = useExplainFigure()
  const nameOf = useLabelNames()
  const sums = sumBy(report.groups, 1)
  const [estimated, indicative] = [sums.get('estimated') ?? 0, sums.get('indicative') ?? 0]
  const percentOf = (part: number) => (report.total_emission === 0 ? 0 : plain((part / report.total_emission) * 100))
  const explain = (type: 'estimated' | 'indicative', part: number) => () =>
    explainFigure(
      report,
      {
        title: t(`${type}Share`),
        value: percentOf(part),
        unit: '%',
        formula: `${part} ÷ ${report.total_emission} × 100 = ${percentOf(part)}`,
        notes: [t('typeNote')],
      },
      { group_by: ['estimate_type'] },
    )
  return (
    <Tile
      title={t('indicativeShare')}
      value={<Figure value={percentOf(indicative)} unit="%" showsUnit why={explain('indicative', indicative)} />}
    >
      <Figure value={percentOf(estimated)} unit="%" showsUnit why={explain('estimated', estimated)} />{' '}
      {nameOf('estimate_type', 'estimated')}
      <p>
        <Link href="/reports/quality">{t('fixFirst')}</Link>
      </p>
    </Tile>
  )
}

function Rentals({ report }: { readonly report: Report }) {
  const t = useMessages({ en, de })
  const explainFigure = useExplainFigure()
  const { number_of_rentals: rentals, number_of_orders: orders, query } = report
  const total = { ...report, query: { ...query, group_by: [] } }
  const explain = (title: string, value: number, unit: string) => () =>
    explainFigure(total, { title, value, unit, formula: t('eachOnce'), notes: [t('countedNote')] })
  return (
    <Tile
      title={t('rentals')}
      value={<Figure value={rentals} unit={t('devicesUnit')} why={explain(t('rentals'), rentals, t('devicesUnit'))} />}
    >
      {t('inOrders')}{' '}
      <Figure value={orders} unit={t('ordersUnit')} showsUnit why={explain(t('orders'), orders, t('ordersUnit'))} />
      <p>
        <Link href="/orders">{t('toOrders')}</Link>
      </p>
      <p>
        <Link href={topDevices()}>{t('toDevices')}</Link>
      </p>
    </Tile>
  )
}
