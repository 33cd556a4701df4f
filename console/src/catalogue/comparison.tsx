// Up to four models beside one another, with the intervals of their footprints, and what these do not let one say.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { api, read } from '../api/client.ts'
import { BarChart } from '../charts/bar-chart.tsx'
import type { Bar } from '../charts/bars.ts'
import type { Series } from '../charts/theme.ts'
import { Waterfall } from '../charts/waterfall.tsx'
import { Loaded } from '../components/loading-and-error.tsx'
import { KG } from '../emissions/kilograms.ts'
import { useMessages, type MessageFormatter } from '../i18n/language.tsx'
import { explainModel } from './explain-model.ts'
import de from './messages.de.json'
import en from './messages.en.json'
import { useStageSeries } from './model-table.tsx'
import { barOf, indistinguishable, stagesOf, type Model, type Stage } from './stages.ts'

export interface ComparisonProps {
  readonly ids: readonly string[]
  readonly onClear: () => void
}

export function Comparison({ ids, onClear }: ComparisonProps) {
  const t = useMessages({ en, de })
  const series = useStageSeries()
  const models = useQuery({
    queryKey: ['compared models', ids],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      Promise.all(
        ids.map((id) =>
          read(
            api.GET('/api/device-model-emissions/{id}', {
              params: { path: { id }, query: { include: ['evidence'] } },
              signal,
            }),
          ),
        ),
      ),
  })
  // An address may name a model that is not there: then, too, there is a way out.
  const end = (
    <button className="button" onClick={onClear}>
      {t('endComparison')}
    </button>
  )
  return (
    <section aria-label={t('comparison')}>
      <Loaded query={models}>
        {(compared) => {
          const frame = {
            unit: KG,
            series,
            summary: t('comparisonSummary', { count: compared.length }),
            note: (
              <>
                <Verdicts models={compared} />
                {end}
              </>
            ),
          }
          const whyOf = ({ key }: Bar) => {
            const model = compared.find(({ id }) => id === key)!
            return () => explainModel(model, t)
          }
          const [first] = compared
          return compared.length === 1 && first ? (
            <Waterfall title={nameOf(first)} {...frame} {...waterfallOf(first, series, t)} />
          ) : (
            <BarChart title={t('comparison')} {...frame} bars={compared.map(barOf)} whyOf={whyOf} />
          )
        }}
      </Loaded>
      {models.error && end}
    </section>
  )
}

/** One model alone is no comparison: its stages are shown one after the other, up to its total. */
function waterfallOf(model: Model, series: readonly Series[], t: MessageFormatter<keyof typeof en>) {
  const why = () => explainModel(model, t)
  const stages = stagesOf(model)
  const { uncertainty, product_footprint: value } = model
  const interval = uncertainty && { low: uncertainty.low, high: uncertainty.high }
  return {
    steps: series.flatMap(({ key, label, look }) => {
      const kilograms = stages[key as Stage]
      return kilograms === null ? [] : [{ key, label, look, value: kilograms, why }]
    }),
    total: { label: nameOf(model), value, why, ...interval },
  }
}

const nameOf = ({ brand, name }: Model): string => `${brand} ${name}`

function Verdicts({ models }: { readonly models: readonly Model[] }) {
  const t = useMessages({ en, de })
  const pairs = indistinguishable(models)
  return (
    <>
      <p className="muted">{t('whiskers')}</p>
      {pairs.length > 0 && (
        <ul>
          {pairs.map(([one, other]) => (
            <li key={`${one.id} ${other.id}`}>{t('notDistinguishable', { one: nameOf(one), other: nameOf(other) })}</li>
          ))}
        </ul>
      )}
    </>
  )
}
