// The groups of a report as a table, each number with why.
import { DataTable, type Column } from '../components/data-table.tsx'
import { Figure } from '../components/figure.tsx'
import { useLocalPages } from '../components/local-pages.ts'
import { useMessages } from '../i18n/language.tsx'
import { useBuild } from './report-query.ts'
import { useDimensionName } from './dimension-name.ts'
import { useExplainFigure } from '../emissions/explain-figure.ts'
import { KG } from '../emissions/kilograms.ts'
import { useLabelNames } from '../emissions/label-names.ts'
import de from './messages.de.json'
import en from './messages.en.json'
import { callOf, type Group, type Report, type ReportQuery } from '../emissions/report-query.ts'

const PAGE_ROWS = 25

export function GroupTable({ report }: { readonly report: Report }) {
  const t = useMessages({ en, de })
  const { filters, setFilters } = useBuild()
  const of = `${callOf(report.query)} ${filters.sort}`
  const [rows, paging] = useLocalPages(sorted(report.groups, filters.sort), PAGE_ROWS, of)
  const columns = useColumns(report, rows)
  return (
    <DataTable
      caption={t('groups')}
      columns={columns}
      rows={rows}
      keyOf={({ labels }) => JSON.stringify(labels)}
      sort={filters.sort}
      onSort={(sort) => setFilters({ sort })}
      paging={paging}
    />
  )
}

function sorted(groups: readonly Group[], sort: string): readonly Group[] {
  if (sort === '') return groups
  const sign = sort === 'emission' ? 1 : -1
  return groups.toSorted((a, b) => sign * (a.emission - b.emission))
}

function useColumns(report: Report, rows: readonly Group[]): readonly Column<Group>[] {
  const t = useMessages({ en, de })
  const dimensionName = useDimensionName()
  const explainFigure = useExplainFigure()
  const { group_by: names } = report
  const modelAt = names.indexOf('model')
  const models = modelAt === -1 ? [] : rows.flatMap(({ labels }) => labels[modelAt] ?? [])
  const nameOf = useLabelNames(models)
  const titleOf = ({ labels }: Group) => labels.map((label, at) => nameOf(names[at]!, label)).join(' · ')
  const why = (group: Group, title: string, value: number, unit: string, formula?: string) => () =>
    explainFigure(
      report,
      {
        title: `${titleOf(group)}: ${title}`,
        value,
        unit,
        uncertainty: group.uncertainty,
        ...(formula && { formula }),
      },
      narrowedTo(names, group),
    )
  const end = (name: 'low' | 'high'): Column<Group> => ({
    key: name,
    header: `${t(name)} (${KG})`,
    isNumber: true,
    cell: (group) =>
      group.uncertainty && (
        <Figure
          value={group.uncertainty[name]}
          unit={KG}
          why={why(group, t(name), group.uncertainty[name], KG, t('intervalFormula'))}
        />
      ),
  })
  const counted = (name: 'orders' | 'rentals'): Column<Group> => ({
    key: name,
    header: t(name),
    isNumber: true,
    cell: (group) => (
      <Figure
        value={group[name]}
        unit={t(`${name}Unit`)}
        why={why(group, t(name), group[name] ?? 0, t(`${name}Unit`), t('counted'))}
      />
    ),
  })
  return [
    ...names.map((name, at): Column<Group> => ({
      key: name,
      header: dimensionName(name),
      isName: at === 0,
      cell: ({ labels }) => nameOf(name, labels[at]!),
    })),
    {
      key: 'emission',
      header: `${t('emission')} (${KG})`,
      isNumber: true,
      sorts: { up: 'emission', down: '-emission' },
      cell: (group) => <Figure value={group.emission} unit={KG} why={why(group, t('emission'), group.emission, KG)} />,
    },
    end('low'),
    end('high'),
    ...(report.groups.some(({ orders }) => orders !== null) ? [counted('orders'), counted('rentals')] : []),
  ]
}

/** By these filters the API answers the group alone. */
const narrowedTo = (names: readonly string[], { labels }: Group): ReportQuery => ({
  ...(Object.fromEntries(names.map((name, at) => [name, [labels[at] ?? '']])) as ReportQuery),
  group_by: [],
})
