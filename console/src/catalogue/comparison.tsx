// Up to four models beside one another, with the intervals of their footprints, and what these do not let one say.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { api, read } from '../api/client.ts'
import { BarChart } from '../charts/bar-chart.tsx'
import type { Series } from '../charts/looks.ts'
import { Waterfall } from '../charts/waterfall.tsx'
import { Loaded } from '../components/states.tsx'
import { useMessages } from '../language/language.tsx'
import de from './messages.de.json'
import en from './messages.en.json'
import { useStageSeries } from './model-table.tsx'
import { KG, barOf, indistinguishable, stagesOf, type Model, type Stage } from './stages.ts'

export interface ComparisonProps {
  readonly ids: readonly string[]
  readonly onClear: () => void
}

export function Comparison({ ids, onClear }: ComparisonProps) {
  const say = useMessages({ en, de })
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
      {say('endComparison')}
    </button>
  )
  return (
    <section aria-label={say('comparison')}>
      <Loaded query={models}>
        {(compared) => {
          const frame = {
            unit: KG,
            series,
            summary: say('comparisonSummary', { count: compared.length }),
            note: (
              <>
                <Verdicts models={compared} />
                {end}
              </>
            ),
          }
          const [first] = compared
          return compared.length === 1 && first ? (
            <Waterfall title={nameOf(first)} {...frame} {...waterfallOf(first, series)} />
          ) : (
            <BarChart title={say('comparison')} {...frame} bars={compared.map(barOf)} />
          )
        }}
      </Loaded>
      {models.error && end}
    </section>
  )
}

/** One model alone is no comparison: its stages are shown one after the other, up to its total. */
function waterfallOf(model: Model, series: readonly Series[]) {
  const stages = stagesOf(model)
  const { uncertainty, product_footprint: value } = model
  const interval = uncertainty && { low: uncertainty.low, high: uncertainty.high }
  return {
    steps: series.flatMap(({ key, label, look }) => {
      const kilograms = stages[key as Stage]
      return kilograms === null ? [] : [{ key, label, look, value: kilograms }]
    }),
    total: { label: nameOf(model), value, ...interval },
  }
}

const nameOf = ({ brand, name }: Model): string => `${brand} ${name}`

function Verdicts({ models }: { readonly models: readonly Model[] }) {
  const say = useMessages({ en, de })
  const pairs = indistinguishable(models)
  return (
    <>
      <p className="muted">{say('whiskers')}</p>
      {pairs.length > 0 && (
        <ul>
          {pairs.map(([one, other]) => (
            <li key={`${one.id} ${other.id}`}>
              {say('notDistinguishable', { one: nameOf(one), other: nameOf(other) })}
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
