// Up to four models beside one another, with the intervals of their footprints, and what these do not let one say.
import { useQuery } from '@tanstack/react-query'
import { api, read } from '../api/client.ts'
import { BarChart } from '../charts/bar-chart.tsx'
import { Loaded } from '../components/states.tsx'
import { useMessages } from '../language/language.tsx'
import de from './messages.de.json'
import en from './messages.en.json'
import { useStageSeries } from './model-table.tsx'
import { KG, barOf, indistinguishable, type Model } from './stages.ts'

export interface ComparisonProps {
  readonly ids: readonly string[]
  readonly onClear: () => void
}

export function Comparison({ ids, onClear }: ComparisonProps) {
  const say = useMessages({ en, de })
  const series = useStageSeries()
  const models = useQuery({
    queryKey: ['compared models', ids],
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
  return (
    <section aria-label={say('comparison')}>
      <Loaded query={models}>
        {(compared) => (
          <BarChart
            title={say('comparison')}
            summary={say('comparisonSummary', { count: compared.length })}
            unit={KG}
            series={series}
            bars={compared.map(barOf)}
            note={<Verdicts models={compared} onClear={onClear} />}
          />
        )}
      </Loaded>
    </section>
  )
}

const nameOf = ({ brand, name }: Model): string => `${brand} ${name}`

function Verdicts({ models, onClear }: { readonly models: readonly Model[]; readonly onClear: () => void }) {
  const say = useMessages({ en, de })
  return (
    <>
      <p className="muted">{say('whiskers')}</p>
      <ul>
        {indistinguishable(models).map(([one, other]) => (
          <li key={`${one.id} ${other.id}`}>{say('notDistinguishable', { one: nameOf(one), other: nameOf(other) })}</li>
        ))}
      </ul>
      <button className="button" onClick={onClear}>
        {say('endComparison')}
      </button>
    </>
  )
}
