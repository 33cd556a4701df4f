// The models of a page in a table: what each emits, split by stages, who says so, and a box to compare it.
import { useId } from 'react'
import type { Paging } from '../api/cursor-pages.ts'
import { sumOf } from '../charts/bars.ts'
import { MiniBar } from '../charts/mini-bar.tsx'
import type { Series } from '../charts/looks.ts'
import { Legend, Patterns } from '../charts/patterns.tsx'
import { DataTable, type Column } from '../components/data-table.tsx'
import { SourceCell } from '../components/source-line.tsx'
import { Figure } from '../components/figure.tsx'
import { useMessages, type Say } from '../language/language.tsx'
import { explainModel } from './explain-model.ts'
import de from './messages.de.json'
import en from './messages.en.json'
import { KG, LOOK_OF, STAGES, barOf, type Model } from './stages.ts'

export const useStageSeries = (): readonly Series[] => {
  const say = useMessages({ en, de })
  return STAGES.map((key) => ({ key, label: say(key), look: LOOK_OF[key] }))
}

export interface ModelTableProps {
  readonly models: readonly Model[]
  readonly compared: readonly string[]
  readonly comparedMax: number
  readonly onToggle: (id: string) => void
  readonly sort: string
  readonly onSort: (sort: string) => void
  readonly paging: Paging
}

export function ModelTable(props: ModelTableProps) {
  const { models, sort, onSort, paging } = props
  const say = useMessages({ en, de })
  const chart = `stages${useId().replace(/\W/g, '')}`
  const series = useStageSeries()
  const most = Math.max(...models.map((model) => sumOf(barOf(model))))
  const columns: readonly Column<Model>[] = [
    compareColumn(say, props),
    { key: 'model', header: say('model'), isName: true, cell: ({ brand, name }) => `${brand} ${name}` },
    { key: 'type', header: say('type'), cell: ({ type }) => say(type) },
    {
      key: 'footprint',
      header: `${say('footprint')} (${KG})`,
      isNumber: true,
      sorts: { up: 'product_footprint', down: '-product_footprint' },
      cell: (model) => <Figure value={model.product_footprint} unit={KG} why={() => explainModel(model, say)} />,
    },
    {
      key: 'stages',
      header: say('stages'),
      cell: (model) => <MiniBar chart={chart} bar={barOf(model)} series={series} unit={KG} max={most} />,
    },
    { key: 'source', header: say('source'), cell: ({ source }) => source && <SourceCell {...source} /> },
  ]
  return (
    <>
      <div>
        <svg width="0" height="0" className="hidden-visually" aria-hidden>
          <Patterns chart={chart} />
        </svg>
        <Legend series={series} chart={chart} />
      </div>
      <DataTable
        caption={say('models')}
        columns={columns}
        rows={models}
        keyOf={({ id }) => id}
        sort={sort}
        onSort={onSort}
        paging={paging}
      />
    </>
  )
}

/** Where as many are compared as can be told apart, another takes that one of them is left out first. */
function compareColumn(
  say: Say<keyof typeof en>,
  { compared, comparedMax, onToggle }: Pick<ModelTableProps, 'compared' | 'comparedMax' | 'onToggle'>,
): Column<Model> {
  return {
    key: 'compare',
    header: say('compare', { max: comparedMax }),
    cell: ({ id, brand, name }) => (
      <input
        type="checkbox"
        aria-label={say('compareModel', { model: `${brand} ${name}` })}
        checked={compared.includes(id)}
        disabled={compared.length >= comparedMax && !compared.includes(id)}
        onChange={() => onToggle(id)}
      />
    ),
  }
}
