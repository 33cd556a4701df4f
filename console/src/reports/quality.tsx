// The quality board: of how many kilograms it is known how well, and what to mend first.
import { lazy, Suspense } from 'react'
import { FilterBar, TextFilter } from '../components/filter-bar.tsx'
import { useFilters } from '../components/filters.ts'
import { Empty, Loaded, Loading } from '../components/loading-and-error.tsx'
import { useMessages } from '../i18n/language.tsx'
import { FILTERS, useQuality } from './quality-data.ts'
import { Downloads } from './downloads.tsx'
import { ImprovementsTable } from './improvements-table.tsx'
import de from './messages.de.json'
import en from './messages.en.json'
import { ValueFilter } from '../emissions/value-filter.tsx'

const QualityCharts = lazy(async () => ({ default: (await import('./quality-charts.tsx')).QualityCharts }))

export function Quality() {
  const t = useMessages({ en, de })
  const { filters, setFilters } = useFilters(FILTERS)
  const quality = useQuality(filters)
  const isSet = FILTERS.some((name) => filters[name] !== '')
  return (
    <div className="stack">
      <FilterBar onClear={isSet ? () => setFilters({ customer: '', from: '', to: '' }) : null}>
        <ValueFilter
          dimension="customer"
          label={t('customer')}
          value={filters.customer}
          onChange={(customer) => setFilters({ customer })}
        />
        <TextFilter label={t('from')} type="date" value={filters.from} onChange={(from) => setFilters({ from })} />
        <TextFilter label={t('to')} type="date" value={filters.to} onChange={(to) => setFilters({ to })} />
      </FilterBar>
      <Loaded query={quality}>
        {(data) =>
          data.by_level.length === 0 ? (
            <Empty title={t('nothing')}>
              <p>{t('nothingHelp')}</p>
            </Empty>
          ) : (
            <>
              <ImprovementsTable quality={data} />
              <Suspense fallback={<Loading />}>
                <QualityCharts quality={data} />
              </Suspense>
              <Downloads
                title={t('quality')}
                hrefOf={(format) => `${data.call}${data.call.includes('?') ? '&' : '?'}format=${format}`}
              />
            </>
          )
        }
      </Loaded>
    </div>
  )
}
