// What the overview is of, in one line: the perspective, the period, and the devices; and how it is counted.
import { lazy, Suspense, useState } from 'react'
import { ChoiceFilter } from '../components/filter-bar.tsx'
import { useFilters } from '../components/filters.ts'
import { useFormat } from '../i18n/format.ts'
import { useMessages } from '../i18n/language.tsx'
import { TYPES, useLabelNames } from '../emissions/label-names.ts'
import type { Group } from '../emissions/report-query.ts'
import { ValueFilter } from '../emissions/value-filter.tsx'
import de from './messages.de.json'
import en from './messages.en.json'
import { FILTERS, SELECTIONS } from './filters.ts'
import { ALL_TIME, LAST_12_MONTHS, today } from './time.ts'

const Counting = lazy(async () => ({ default: (await import('./counting.tsx')).Counting }))

interface GroupsProps {
  /** All that was ever posted, by year and country. */
  readonly groups: readonly Group[]
}

export function Controls({ groups }: GroupsProps) {
  const t = useMessages({ en, de })
  const { filters, setFilters } = useFilters(FILTERS)
  const [isSelecting, setSelecting] = useState(false)
  const [isCounting, setCounting] = useState<boolean | null>(null)
  return (
    <div className="overview-controls" role="group" aria-label={t('controls')}>
      <ChoiceFilter
        label={t('perspective')}
        hidesLabel
        value={filters.reporting_entity}
        usual={t('lessee')}
        choices={[{ value: 'lessor', label: t('lessor') }]}
        onChange={(entity) => setFilters({ reporting_entity: entity })}
      />
      <ChoiceFilter
        label={t('time')}
        hidesLabel
        value={filters.time}
        usual={t('yearSoFar', { year: today().slice(0, 4) })}
        choices={useTimes(groups)}
        onChange={(time) => setFilters({ time })}
      />
      <button
        className="button"
        aria-expanded={isSelecting}
        aria-controls="selections"
        onClick={() => setSelecting(!isSelecting)}
      >
        {t('filter')}
      </button>
      <Chips />
      <button className="button-link overview-counted" onClick={() => setCounting(true)}>
        {t('howCounted')}
      </button>
      <div id="selections" className="overview-selections" hidden={!isSelecting}>
        {isSelecting && <Selections groups={groups} />}
      </div>
      {isCounting !== null && (
        <Suspense>
          <Counting isOpen={isCounting} onClose={() => setCounting(false)} />
        </Suspense>
      )}
    </div>
  )
}

/** What is selected, each with the way to take it out. */
function Chips() {
  const t = useMessages({ en, de })
  const nameOf = useLabelNames()
  const { filters, setFilters } = useFilters(FILTERS)
  const all = FILTERS.filter((name) => filters[name] !== '')
  return (
    <>
      {SELECTIONS.filter((name) => filters[name] !== '').map((name) => (
        <button
          key={name}
          className="overview-chip"
          aria-label={t('removeFilter', { name: t(name), value: nameOf(name, filters[name]) })}
          onClick={() => setFilters({ [name]: '' })}
        >
          <span>{nameOf(name, filters[name])}</span> <span aria-hidden>×</span>
        </button>
      ))}
      {all.length > 0 && (
        <button className="button-link" onClick={() => setFilters(Object.fromEntries(all.map((name) => [name, ''])))}>
          {t('clear')}
        </button>
      )}
    </>
  )
}

function Selections({ groups }: GroupsProps) {
  const t = useMessages({ en, de })
  const nameOf = useLabelNames()
  const { country: countryName } = useFormat()
  const { filters, setFilters } = useFilters(FILTERS)
  const countries = labelsAt(groups, 1).map((value) => ({ value, label: countryName(value) }))
  return (
    <>
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
    </>
  )
}

const labelsAt = (groups: readonly Group[], at: number): readonly string[] =>
  [...new Set(groups.map(({ labels }) => labels[at]!))].filter((label) => label !== null)

function useTimes(groups: readonly Group[]) {
  const t = useMessages({ en, de })
  const thisYear = today().slice(0, 4)
  const years = labelsAt(groups, 0).filter((year) => year < thisYear)
  return [
    { value: LAST_12_MONTHS, label: t('last12Months') },
    ...years.toSorted((a, b) => (a < b ? 1 : -1)).map((value) => ({ value, label: value })),
    { value: ALL_TIME, label: t('allTime') },
  ]
}
