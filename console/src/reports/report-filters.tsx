// How a report is grouped, what is kept of it, and by which rules it is counted.
import { ChoiceFilter, FilterBar, TextFilter } from '../components/filter-bar.tsx'
import { useMessages } from '../i18n/language.tsx'
import { DIMENSIONS, FILTERS, useBuild } from './report-query.ts'
import { CATEGORIES, SCOPES, TYPES, useLabelNames } from '../emissions/label-names.ts'
import de from './messages.de.json'
import en from './messages.en.json'
import { ESTIMATE_TYPES, PARTS } from '../emissions/parts.ts'
import { RuleFilter } from '../emissions/boundary-filter.tsx'
import {
  CONSOLIDATION_APPROACHES,
  DATE_BASES,
  REPORTING_ENTITIES,
  LEASE_TYPES,
} from '../emissions/inventory-boundary.ts'
import { ValueFilter } from '../emissions/value-filter.tsx'

export function BuildFilters() {
  const t = useMessages({ en, de })
  const { filters, setFilters } = useBuild()
  const isSet = FILTERS.some((name) => filters[name] !== '')
  const clear = () => setFilters(Object.fromEntries(FILTERS.map((name) => [name, ''])))
  return (
    <div className="card stack reports-filters">
      <FilterBar onClear={null}>
        <Grouping />
        <TextFilter label={t('from')} type="date" value={filters.from} onChange={(from) => setFilters({ from })} />
        <TextFilter label={t('to')} type="date" value={filters.to} onChange={(to) => setFilters({ to })} />
      </FilterBar>
      <FilterBar onClear={isSet ? clear : null}>
        <Suggested name="customer" />
        <Suggested name="model" />
        <Suggested name="brand" />
        <Suggested name="country" />
        <Chosen name="type" values={TYPES} />
        <Chosen name="part" values={PARTS} />
        <Chosen name="scope" values={SCOPES} />
        <Chosen name="category" values={CATEGORIES} />
        <Chosen name="estimate_type" values={ESTIMATE_TYPES} />
      </FilterBar>
      <FilterBar onClear={null}>
        <Rules />
      </FilterBar>
    </div>
  )
}

function Grouping() {
  const t = useMessages({ en, de })
  const { filters, setFilters, query } = useBuild()
  const [first, second = ''] = query.group_by ?? []
  const own = filters.member === '' ? [] : [`metadata.${filters.member}`]
  const all = [...DIMENSIONS.map((value) => ({ value, label: t(value) })), ...own.map(memberChoice)]
  const group = (names: readonly string[]) => setFilters({ group_by: names.filter((name) => name !== '').join(',') })
  const others = (taken: string) => all.filter(({ value }) => value !== taken)
  return (
    <>
      <ChoiceFilter
        label={t('groupBy')}
        value={first === 'month' ? '' : (first ?? '')}
        usual={t('month')}
        choices={others(second).filter(({ value }) => value !== 'month')}
        onChange={(name) => group([name === '' ? 'month' : name, name === second ? '' : second])}
      />
      <ChoiceFilter
        label={t('thenBy')}
        value={second}
        usual={t('nothingElse')}
        choices={others(first ?? '')}
        onChange={(name) => group([first ?? 'month', name])}
      />
      <TextFilter
        label={t('member')}
        value={filters.member}
        placeholder={t('memberExample')}
        onChange={(member) => setFilters({ member, group_by: member === '' ? '' : `metadata.${member}` })}
      />
    </>
  )
}

const memberChoice = (value: string) => ({ value, label: value })

function Suggested({ name }: { readonly name: 'customer' | 'model' | 'brand' | 'country' }) {
  const t = useMessages({ en, de })
  const { filters, setFilters } = useBuild()
  return (
    <ValueFilter
      dimension={name}
      label={t(name)}
      value={filters[name]}
      onChange={(value) => setFilters({ [name]: value })}
    />
  )
}

interface ChosenProps {
  readonly name: 'type' | 'part' | 'scope' | 'category' | 'estimate_type'
  readonly values: readonly string[]
}

function Chosen({ name, values }: ChosenProps) {
  const t = useMessages({ en, de })
  const nameOf = useLabelNames()
  const { filters, setFilters } = useBuild()
  return (
    <ChoiceFilter
      label={t(name)}
      value={filters[name]}
      choices={values.map((value) => ({ value, label: nameOf(name, value) }))}
      onChange={(value) => setFilters({ [name]: value })}
    />
  )
}

function Rules() {
  const { filters, setFilters } = useBuild()
  const { date_basis: basis, reporting_entity: entity, consolidation_approach: approach, lease_type: lease } = filters
  return (
    <>
      <RuleFilter
        name="date_basis"
        words={DATE_BASES}
        value={basis}
        onChange={(value) => setFilters({ date_basis: value })}
      />
      <RuleFilter
        name="reporting_entity"
        words={REPORTING_ENTITIES}
        value={entity}
        onChange={(value) => setFilters({ reporting_entity: value })}
      />
      <RuleFilter
        name="consolidation_approach"
        words={CONSOLIDATION_APPROACHES}
        value={approach}
        onChange={(value) => setFilters({ consolidation_approach: value })}
      />
      <RuleFilter
        name="lease_type"
        words={LEASE_TYPES}
        value={lease}
        onChange={(value) => setFilters({ lease_type: value })}
      />
    </>
  )
}
