// The models of a page in a table: what each emits, split by stages, who says so, and a box to compare it.
import type { Paging } from '../api/cursor-pages.ts'
import { sumOf } from '../charts/bars.ts'
import { MiniBar } from '../charts/mini-bar.tsx'
import type { Series } from '../charts/theme.ts'
import { LegendOfRows, useChartId } from '../charts/patterns.tsx'
import { DataTable, type Column } from '../components/data-table.tsx'
import { SourceCell } from '../components/source-line.tsx'
import { Figure } from '../components/figure.tsx'
import { KG } from '../emissions/kilograms.ts'
import { useTypeName } from '../emissions/label-names.ts'
import { useMessages, type MessageFormatter } from '../i18n/language.tsx'
import { explainModel } from './explain-model.ts'
import de from './messages.de.json'
import en from './messages.en.json'
import { OwnTag } from './own-tag.tsx'
import { LOOK_OF, STAGES, barOf, type Model } from './stages.ts'

export const useStageSeries = (): readonly Series[] => {
  const t = useMessages({ en, de })
  return STAGES.map((key) => ({ key, label: t(key), look: LOOK_OF[key] }))
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
  const t = useMessages({ en, de })
  const chart = useChartId()
  const series = useStageSeries()
  const typeName = useTypeName()
  const most = Math.max(...models.map((model) => sumOf(barOf(model))))
  const columns: readonly Column<Model>[] = [
    compareColumn(t, props),
    { key: 'model', header: t('model'), isName: true, cell: (one) => <ModelName {...one} /> },
    {
      key: 'footprint',
      header: `${t('footprint')} (${KG})`,
      isNumber: true,
      sorts: { up: 'product_footprint', down: '-product_footprint' },
      cell: (model) => <Figure value={model.product_footprint} unit={KG} why={() => explainModel(model, t)} />,
    },
    {
      key: 'stages',
      header: t('stages'),
      cell: (model) => <MiniBar chart={chart} bar={barOf(model)} series={series} unit={KG} max={most} />,
    },
    { key: 'type', header: t('type'), cell: ({ type }) => typeName(type) },
    { key: 'source', header: t('source'), cell: ({ source }) => source && <SourceCell {...source} /> },
  ]
  return (
    <>
      <LegendOfRows series={series} chart={chart} />
      <DataTable
        caption={t('models')}
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

const ModelName = ({ brand, name, origin }: Model) => (
  <>
    {brand} {name} <OwnTag origin={origin} />
  </>
)

/** Where as many are compared as can be told apart, another takes that one of them is left out first. */
function compareColumn(
  t: MessageFormatter<keyof typeof en>,
  { compared, comparedMax, onToggle }: Pick<ModelTableProps, 'compared' | 'comparedMax' | 'onToggle'>,
): Column<Model> {
  return {
    key: 'compare',
    header: t('compare', { max: comparedMax }),
    cell: ({ id, brand, name }) => (
      <input
        type="checkbox"
        aria-label={t('compareModel', { model: `${brand} ${name}` })}
        checked={compared.includes(id)}
        disabled={compared.length >= comparedMax && !compared.includes(id)}
        onChange={() => onToggle(id)}
      />
    ),
  }
}
