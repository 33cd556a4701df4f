// Three sides of quality as bars: what devices are charged by, how old sources are, whether the country is told.
import { BarChart } from '../charts/bar-chart.tsx'
import type { Bar } from '../charts/bars.ts'
import type { Series } from '../charts/theme.ts'
import type { Why } from '../components/explanation.ts'
import { useMessages } from '../i18n/language.tsx'
import { explainBoard } from './explain-quality.ts'
import de from './messages.de.json'
import en from './messages.en.json'
import { useEstimateSeries } from '../emissions/parts.ts'
import type { Board } from './quality-data.ts'
import { KG } from '../emissions/kilograms.ts'

type Word = keyof typeof en

/** Levels at which nothing stands in for anything: of the others, Matching has the products. */
const KNOWN: ReadonlySet<string> = new Set(['model', 'packaging', 'transportation'])

export function QualityCharts({ board }: { readonly board: Board }) {
  const say = useMessages({ en, de })
  const types = useEstimateSeries()
  const single: readonly Series[] = [{ key: 'all', label: say('emission'), look: 'total' }]
  const levels = Map.groupBy(board.by_level, ({ level }) => level)
  const bars = {
    level: [...levels].map(([level, rows]) => ({
      key: level,
      label: say(`level_${level}` as Word),
      values: Object.fromEntries(rows.map(({ type, total_emission: emission }) => [type, emission])),
    })),
    age: board.by_source_age.map(({ age_years: age, total_emission: all }) => ({
      key: age,
      label: say(`age_${age}`),
      values: { all },
    })),
    country: board.by_country.map(({ country, use_emission: all }) => ({
      key: country,
      label: say(`country_${country}`),
      values: { all },
    })),
  }
  const chart = (name: 'byLevel' | 'byAge' | 'byCountry', series: readonly Series[], drawn: readonly Bar[]) => (
    <BarChart
      title={say(name)}
      summary={say('boardSummary', { count: drawn.length })}
      unit={KG}
      series={series}
      bars={drawn}
      whyOf={(bar, piece): Why => explainBoard(board, bar, piece, name === 'byCountry', say)}
      hrefOf={({ key }) => (name === 'byLevel' && !KNOWN.has(key) ? '/matching' : null)}
    />
  )
  return (
    <>
      {chart('byLevel', types, bars.level)}
      <div className="pair">
        {chart('byAge', single, bars.age)}
        {chart('byCountry', single, bars.country)}
      </div>
    </>
  )
}
