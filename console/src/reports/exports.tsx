// Exports: all orders, events, devices or entries as one file.
import { ChoiceFilter, FilterBar, TextFilter } from '../components/filter-bar.tsx'
import { useFilters } from '../components/filters.ts'
import { useMessages } from '../i18n/language.tsx'
import { Downloads } from './downloads.tsx'
import de from './messages.de.json'
import en from './messages.en.json'
import { ValueFilter } from '../emissions/value-filter.tsx'

const KINDS = [
  { path: '/api/exports/orders', name: 'exportOrders' },
  { path: '/api/exports/events', name: 'exportEvents' },
  { path: '/api/exports/devices', name: 'exportDevices' },
  { path: '/api/exports/entries', name: 'exportEntries' },
] as const
const STATUSES = ['created', 'amended', 'returned', 'cancelled', 'reversed'] as const
const FILTERS = ['customer', 'from', 'to', 'status'] as const

export function Exports() {
  const t = useMessages({ en, de })
  const { filters, setFilters } = useFilters(FILTERS)
  const { customer, from, to, status } = filters
  const isSet = FILTERS.some((name) => filters[name] !== '')
  const told = Object.entries({ customer_id: customer, from, to }).filter(([, value]) => value !== '')
  const hrefOf = (path: (typeof KINDS)[number]['path'], format: string) => {
    const search = new URLSearchParams([...told, ['format', format]])
    if (path === '/api/exports/orders' && status !== '') search.set('status', status)
    return `${path}?${search.toString()}`
  }
  return (
    <div className="stack">
      <FilterBar onClear={isSet ? () => setFilters({ customer: '', from: '', to: '', status: '' }) : null}>
        <ValueFilter
          dimension="customer"
          label={t('customer')}
          value={customer}
          onChange={(value) => setFilters({ customer: value })}
        />
        <TextFilter label={t('from')} type="date" value={from} onChange={(day) => setFilters({ from: day })} />
        <TextFilter label={t('to')} type="date" value={to} onChange={(day) => setFilters({ to: day })} />
        <ChoiceFilter
          label={t('status')}
          value={status}
          choices={STATUSES.map((value) => ({ value, label: t(value) }))}
          onChange={(value) => setFilters({ status: value })}
        />
      </FilterBar>
      <div className="reports-cards">
        {KINDS.map(({ path, name }) => (
          <section key={path} className="card">
            <h2>{t(name)}</h2>
            <p>{t(`${name}Help`)}</p>
            <Downloads title={t(name)} hrefOf={(format) => hrefOf(path, format)} />
          </section>
        ))}
      </div>
    </div>
  )
}
