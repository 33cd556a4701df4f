// The estimate and its alternatives: bars beside one another with their intervals, and every number with its reasons.
import { lazy, Suspense } from 'react'
import type { Bar } from '../charts/bars.ts'
import type { Series } from '../charts/theme.ts'
import { DataTable, type Column } from '../components/data-table.tsx'
import { Figure } from '../components/figure.tsx'
import { Loading } from '../components/loading-and-error.tsx'
import { KG } from '../emissions/kilograms.ts'
import { PARTS, usePartSeries, type Part } from '../emissions/parts.ts'
import { useFormat } from '../i18n/format.ts'
import { useMessages } from '../i18n/language.tsx'
import de from './messages.de.json'
import en from './messages.en.json'
import {
  barOf,
  emissionOf,
  explainDifference,
  explainPart,
  explainTotal,
  indistinguishable,
  waysOf,
  type Estimate,
  type Way,
} from './result-bars.ts'

const BarChart = lazy(async () => ({ default: (await import('../charts/bar-chart.tsx')).BarChart }))

export function Result({ estimate }: { readonly estimate: Estimate }) {
  const t = useMessages({ en, de })
  const ways = waysOf(estimate, t('yourOrder'))
  const series = usePartSeries()
  const whyOf = ({ key }: Bar, piece: Series | null) => {
    const way = ways.find(({ name }) => name === key)!
    return () => (piece ? explainPart(way, piece.key as Part, t) : explainTotal(way, t))
  }
  return (
    <>
      <Headline way={ways[0]!} />
      <Suspense fallback={<Loading />}>
        <BarChart
          title={t('comparison')}
          summary={t('summary', { count: ways.length })}
          unit={KG}
          series={series}
          bars={ways.map(barOf)}
          whyOf={whyOf}
          note={<Verdicts ways={ways} />}
        />
      </Suspense>
      <WayTable ways={ways} />
    </>
  )
}

function Headline({ way }: { readonly way: Way }) {
  const t = useMessages({ en, de })
  const { short, percent } = useFormat()
  const { total, interval } = way
  return (
    <div className="card estimate-headline" aria-live="polite">
      <h2>{t('yourOrder')}</h2>
      <p className="estimate-total">
        <Figure value={total} unit={KG} showsUnit why={() => explainTotal(way, t)} />
      </p>
      {interval && (
        <p className="muted">
          {t('between', { low: short(interval.low), high: short(interval.high), percent: percent(interval.level) })}
        </p>
      )}
    </div>
  )
}

function Verdicts({ ways }: { readonly ways: readonly Way[] }) {
  const t = useMessages({ en, de })
  const close = indistinguishable(ways)
  return (
    <>
      <p className="muted">{t('whiskers')}</p>
      {close.length > 0 && (
        <>
          <ul>
            {close.map(({ name }) => (
              <li key={name}>{t('notDistinguishable', { name })}</li>
            ))}
          </ul>
          <p className="muted">{t('sharedErrors')}</p>
        </>
      )}
    </>
  )
}

function WayTable({ ways }: { readonly ways: readonly Way[] }) {
  const t = useMessages({ en, de })
  const { percent } = useFormat()
  const columns: readonly Column<Way>[] = [
    { key: 'name', header: t('alternative'), isName: true, cell: ({ name }) => name },
    {
      key: 'total',
      header: t('total'),
      isNumber: true,
      cell: (way) => <Figure value={way.total} unit={KG} why={() => explainTotal(way, t)} />,
    },
    {
      key: 'difference',
      header: t('difference'),
      isNumber: true,
      cell: (way) =>
        way.difference && (
          <>
            <Figure value={way.difference.emission} unit={KG} why={() => explainDifference(ways[0]!, way, t)} />
            {way.difference.percent !== null && <span className="muted"> {percent(way.difference.percent / 100)}</span>}
          </>
        ),
    },
    ...PARTS.map((part) => ({
      key: part,
      header: t(part),
      isNumber: true,
      cell: (way: Way) => (
        <Figure value={emissionOf(way.lines[part])} unit={KG} why={() => explainPart(way, part, t)} />
      ),
    })),
  ]
  return (
    <div className="estimate-ways">
      <p className="muted">{t('allIn', { unit: KG })}</p>
      <DataTable caption={t('comparison')} columns={columns} rows={ways} keyOf={({ name }) => name} />
    </div>
  )
}
