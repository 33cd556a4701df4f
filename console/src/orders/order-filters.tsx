// What the list of orders is searched and filtered by, and its sequence; all of it stands in the address.
import { ChoiceFilter, FilterBar, TextFilter } from '../components/filter-bar.tsx'
import { useFilters } from '../components/filters.ts'
import { useMessages } from '../i18n/language.tsx'
import de from './messages.de.json'
import en from './messages.en.json'

const STATUSES = ['created', 'amended', 'returned', 'cancelled', 'reversed'] as const

const NARROWING = ['search', 'customer_id', 'status', 'from', 'to'] as const
const FILTERS = [...NARROWING, 'sort'] as const
export type Filters = Readonly<Record<(typeof FILTERS)[number], string>>

export const useOrderFilters = () => useFilters(FILTERS)
export const areUnset = (filters: Filters): boolean => NARROWING.every((name) => filters[name] === '')

/** As the API calls them; whoever opens the list looks for what came last. */
export const USUAL_SORT = '-order_date'
const OTHER_SORTS = ['order_date', '-total_emission', 'total_emission', 'order_id', '-order_id'] as const

/** The sequence to ask for, whatever stands in the address. */
export const sortOf = ({ sort }: Filters): typeof USUAL_SORT | (typeof OTHER_SORTS)[number] =>
  OTHER_SORTS.find((one) => one === sort) ?? USUAL_SORT

export function OrderFilters() {
  const t = useMessages({ en, de })
  const { filters, setFilters } = useOrderFilters()
  const typed = (name: 'search' | 'customer_id', placeholder: string) => (
    <TextFilter
      label={t(name)}
      value={filters[name]}
      placeholder={placeholder}
      onChange={(value) => setFilters({ [name]: value }, { replace: true })}
    />
  )
  const day = (name: 'from' | 'to') => (
    <TextFilter label={t(name)} type="date" value={filters[name]} onChange={(value) => setFilters({ [name]: value })} />
  )
  const clear = () => setFilters(Object.fromEntries(NARROWING.map((name) => [name, ''])))
  return (
    <div className="orders-filters">
      <FilterBar onClear={areUnset(filters) ? null : clear}>
        {typed('search', t('beginning'))}
        {typed('customer_id', t('inFull'))}
        <ChoiceFilter
          label={t('status')}
          value={filters.status}
          choices={STATUSES.map((value) => ({ value, label: t(value) }))}
          onChange={(value) => setFilters({ status: value })}
        />
        {day('from')}
        {day('to')}
        <ChoiceFilter
          label={t('sort')}
          value={filters.sort}
          usual={t(`sort${USUAL_SORT}`)}
          choices={OTHER_SORTS.map((value) => ({ value, label: t(`sort${value}`) }))}
          onChange={(value) => setFilters({ sort: value })}
        />
      </FilterBar>
    </div>
  )
}
