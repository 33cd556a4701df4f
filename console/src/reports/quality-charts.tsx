// Three sides of quality as bars: what devices are charged by, how old sources are, whether the country is told.
import { BarChart } from '../charts/bar-chart.tsx'
import type { Bar } from '../charts/bars.ts'
import type { Series } from '../charts/theme.ts'
import type { Why } from '../components/explanation.ts'
import { useMessages } from '../i18n/language.tsx'
import { explainQuality } from './explain-quality.ts'
import de from './messages.de.json'
import en from './messages.en.json'
import { useEstimateSeries } from '../emissions/parts.ts'
import type { QualityData } from './quality-data.ts'
import { KG } from '../emissions/kilograms.ts'

type Word = keyof typeof en

/** Levels at which nothing stands in for anything: of the others, Matching has the products. */
const KNOWN: ReadonlySet<string> = new Set(['model', 'packaging', 'transportation'])

export function QualityCharts({ quality }: { readonly quality: QualityData }) {
  const t = useMessages({ en, de })
  const types = useEstimateSeries()
  const single: readonly Series[] = [{ key: 'all', label: t('emission'), look: 'total' }]
  const levels = Map.groupBy(quality.by_level, ({ level }) => level)
  const bars = {
    level: [...levels].map(([level, rows]) => ({
      key: level,
      label: t(`level_${level}` as Word),
      values: Object.fromEntries(rows.map(({ type, total_emission: emission }) => [type, emission])),
    })),
    age: quality.by_source_age.map(({ age_years: age, total_emission: all }) => ({
      key: age,
      label: t(`age_${age}`),
      values: { all },
    })),
    country: quality.by_country.map(({ country, use_emission: all }) => ({
      key: country,
      label: t(`country_${country}`),
      values: { all },
    })),
  }
  const chart = (name: 'byLevel' | 'byAge' | 'byCountry', series: readonly Series[], drawn: readonly Bar[]) => (
    <BarChart
      title={t(name)}
      summary={t('qualitySummary', { count: drawn.length })}
      unit={KG}
      series={series}
      bars={drawn}
      whyOf={(bar, piece): Why => explainQuality(quality, bar, piece, name === 'byCountry', t)}
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
