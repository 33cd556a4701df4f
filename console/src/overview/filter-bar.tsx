// What the overview is of: the time, whose devices, and by which rules it is counted.
import { ChoiceFilter, FilterBar } from '../components/filter-bar.tsx'
import { useFilters } from '../components/filters.ts'
import { useFormat } from '../i18n/format.ts'
import { useMessages } from '../i18n/language.tsx'
import { TYPES, useLabelNames } from '../emissions/label-names.ts'
import type { Group } from '../emissions/report-query.ts'
import { RuleFilter } from '../emissions/boundary-filter.tsx'
import { REPORTING_ENTITIES, basesOf } from '../emissions/inventory-boundary.ts'
import { ValueFilter } from '../emissions/value-filter.tsx'
import { useSession } from '../session/session.tsx'
import de from './messages.de.json'
import en from './messages.en.json'
import { ALL_TIME, LAST_12_MONTHS, today } from './time.ts'
import { FILTERS } from './filters.ts'

/** @param groups all that was ever posted, by year and country */
export function OverviewFilters({ groups }: { readonly groups: readonly Group[] }) {
  const t = useMessages({ en, de })
  const nameOf = useLabelNames()
  const { country: countryName } = useFormat()
  const { filters, setFilters } = useFilters(FILTERS)
  const session = useSession()
  const isSet = FILTERS.some((name) => filters[name] !== '')
  const clear = () => setFilters(Object.fromEntries(FILTERS.map((name) => [name, ''])))
  const countries = labelsAt(groups, 1).map((value) => ({ value, label: countryName(value) }))
  return (
    <div className="overview-filters">
      <FilterBar onClear={isSet ? clear : null}>
        <ChoiceFilter
          label={t('time')}
          value={filters.time}
          usual={t('yearSoFar', { year: today().slice(0, 4) })}
          choices={useTimes(groups)}
          onChange={(time) => setFilters({ time })}
        />
        <ValueFilter
          dimension="customer"
          label={t('customer')}
          value={filters.customer}
          onChange={(customer) => setFilters({ customer })}
        />
        <ChoiceFilter
          label={t('type')}
          value={filters.type}
          choices={TYPES.map((value) => ({ value, label: nameOf('type', value) }))}
          onChange={(type) => setFilters({ type })}
        />
        <ChoiceFilter
          label={t('country')}
          value={filters.country}
          choices={countries.toSorted((a, b) => a.label.localeCompare(b.label))}
          onChange={(country) => setFilters({ country })}
        />
        <RuleFilter
          name="date_basis"
          words={basesOf(session)}
          value={filters.date_basis}
          onChange={(basis) => setFilters({ date_basis: basis })}
        />
        <RuleFilter
          name="reporting_entity"
          words={REPORTING_ENTITIES}
          value={filters.reporting_entity}
          onChange={(entity) => setFilters({ reporting_entity: entity })}
        />
      </FilterBar>
    </div>
  )
}

const labelsAt = (groups: readonly Group[], at: number): readonly string[] =>
  [...new Set(groups.map(({ labels }) => labels[at]!))].filter((label) => label !== null)

/** Years that are to come are in "all": what is posted for them may still change. */
function useTimes(groups: readonly Group[]) {
  const t = useMessages({ en, de })
  const thisYear = today().slice(0, 4)
  const years = labelsAt(groups, 0).filter((year) => year <= thisYear)
  return [
    { value: LAST_12_MONTHS, label: t('last12Months') },
    ...years.toSorted((a, b) => (a < b ? 1 : -1)).map((value) => ({ value, label: value })),
    { value: ALL_TIME, label: t('allTime') },
  ]
}
