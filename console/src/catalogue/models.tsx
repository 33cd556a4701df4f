// Device models: found by filters, each with its stages, up to four beside one another.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { api, read, readPage } from '../api/client.ts'
import { useCursorPages } from '../api/cursor-pages.ts'
import { ChoiceFilter, FilterBar, TextFilter } from '../components/filter-bar.tsx'
import { useFilters } from '../components/filters.ts'
import { Empty, Loaded, Loading } from '../components/loading-and-error.tsx'
import { TYPES, useTypeName } from '../emissions/label-names.ts'
import { useMessages } from '../i18n/language.tsx'
import de from './messages.de.json'
import en from './messages.en.json'
import { ModelTable } from './model-table.tsx'

const Comparison = lazy(async () => ({ default: (await import('./comparison.tsx')).Comparison }))

const PAGE_ROWS = 25
const COMPARED_MAX = 4

type Type = (typeof TYPES)[number]
type Sort = 'product_footprint' | '-product_footprint'

const FILTERS = ['q', 'type', 'brand', 'sort', 'compare'] as const

export function Models() {
  const t = useMessages({ en, de })
  const { filters, setFilters } = useFilters(FILTERS)
  const { cursor, pagingTo } = useCursorPages()
  const models = useModels(filters, cursor)
  const compared = filters.compare === '' ? [] : filters.compare.split(',').slice(0, COMPARED_MAX)
  const toggle = (id: string) => {
    const next = compared.includes(id) ? compared.filter((one) => one !== id) : [...compared, id]
    setFilters({ compare: next.join(',') }, { keepsPage: true })
  }
  return (
    <div className="stack">
      <ModelFilters />
      {compared.length > 0 && (
        <Suspense fallback={<Loading />}>
          <Comparison ids={compared} onClear={() => setFilters({ compare: '' }, { keepsPage: true })} />
        </Suspense>
      )}
      <Loaded query={models}>
        {({ data, next }) =>
          data.length === 0 ? (
            <Empty title={t('none')}>
              <p>{t('noneHelp')}</p>
            </Empty>
          ) : (
            <ModelTable
              models={data}
              compared={compared}
              comparedMax={COMPARED_MAX}
              onToggle={toggle}
              sort={filters.sort}
              onSort={(sort) => setFilters({ sort })}
              paging={pagingTo(next)}
            />
          )
        }
      </Loaded>
    </div>
  )
}

type Filters = Readonly<Record<(typeof FILTERS)[number], string>>

/** A page of them; the one before stays until it is there. */
function useModels({ q, type, brand, sort }: Filters, cursor: string | undefined) {
  const query = {
    include: ['evidence' as const],
    limit: PAGE_ROWS,
    ...(q !== '' && { q }),
    ...(type !== '' && { type: [type as Type] }),
    ...(brand !== '' && { brand: [brand] }),
    ...(sort !== '' && { sort: sort as Sort }),
    ...(cursor !== undefined && { cursor }),
  }
  return useQuery({
    queryKey: ['models', query],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => readPage(api.GET('/api/device-model-emissions', { params: { query }, signal })),
  })
}

function ModelFilters() {
  const t = useMessages({ en, de })
  const { filters, setFilters } = useFilters(FILTERS)
  const { q, type, brand } = filters
  const brands = useBrands()
  const typeName = useTypeName()
  const clear = () => setFilters({ q: '', type: '', brand: '' })
  return (
    <FilterBar onClear={q + type + brand === '' ? null : clear}>
      <TextFilter
        label={t('search')}
        value={q}
        placeholder={t('searchExample')}
        onChange={(value) => setFilters({ q: value }, { replace: true })}
      />
      <ChoiceFilter
        label={t('type')}
        value={type}
        choices={TYPES.map((value) => ({ value, label: typeName(value) }))}
        onChange={(value) => setFilters({ type: value })}
      />
      <ChoiceFilter
        label={t('brand')}
        value={brand}
        choices={brands.map((value) => ({ value, label: value }))}
        onChange={(value) => setFilters({ brand: value })}
      />
    </FilterBar>
  )
}

/** The catalogue is small, and the same until the program is started again: its brands are read off it once. */
function useBrands(): readonly string[] {
  const { data = [] } = useQuery({
    queryKey: ['brands'],
    staleTime: Infinity,
    queryFn: async ({ signal }) => {
      const models = await read(api.GET('/api/device-model-emissions', { signal }))
      return [...new Set(models.map(({ brand }) => brand))].sort((a, b) => a.localeCompare(b))
    },
  })
  return data
}
