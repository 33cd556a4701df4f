// Matching: product ids that were guessed, heaviest first, each to be mapped by one press; and those that are mapped.
import { useRef, useState } from 'react'
import { useCursorPages } from '../api/cursor-pages.ts'
import { Pager } from '../components/data-table.tsx'
import { ChoiceFilter, FilterBar } from '../components/filter-bar.tsx'
import { useFilters } from '../components/filters.ts'
import { Empty, Loaded, ProblemNotice } from '../components/loading-and-error.tsx'
import { Tabs } from '../components/tabs.tsx'
import { Page } from '../layout/page.tsx'
import { useMessages } from '../i18n/language.tsx'
import { useSession } from '../session/session.tsx'
import { RestateProduct } from './restate-product.tsx'
import { useMapProduct } from './map-product.ts'
import de from './messages.de.json'
import en from './messages.en.json'
import { ProductCard } from './product-card.tsx'
import { OPEN_STATES, postedOn, useProducts, useSums, type State } from './products.ts'
import { Progress } from './progress.tsx'
import './matching.css'

export function Matching() {
  const t = useMessages({ en, de })
  const { filters, setFilters } = useFilters(['state'])
  const isMapped = filters.state === 'mapped'
  return (
    <Page title={t('matching')} lead={t('matchingLead')}>
      <div className="stack">
        <p className="note note-warning">{t('note')}</p>
        <Progress />
        <Tabs
          name={t('views')}
          tabs={[
            { path: '/matching', label: t('open'), isHere: !isMapped },
            { path: '/matching?state=mapped', label: t('mapped'), isHere: isMapped },
          ]}
        />
        {!isMapped && (
          <FilterBar onClear={filters.state === '' ? null : () => setFilters({ state: '' })}>
            <ChoiceFilter
              label={t('matchMethod')}
              value={filters.state}
              choices={OPEN_STATES.map((value) => ({ value, label: t(value) }))}
              onChange={(state) => setFilters({ state })}
            />
          </FilterBar>
        )}
        <Products states={filters.state === '' ? OPEN_STATES : [filters.state as State]} />
      </div>
    </Page>
  )
}

function Products({ states }: { readonly states: readonly State[] }) {
  const t = useMessages({ en, de })
  const { may } = useSession()
  const { cursor, pagingTo } = useCursorPages()
  const products = useProducts(states, cursor)
  const sums = useSums()
  const list = useRef<HTMLHeadingElement>(null)
  const [decided, setDecided] = useState<string | null>(null)
  const deciding = useMapProduct((productId) => {
    setDecided(productId)
    list.current?.focus()
  })
  const whole = postedOn((sums.data ?? []).filter(({ state }) => states.includes(state)))
  return (
    <section className="stack" aria-labelledby="matching-list">
      <h2 id="matching-list" ref={list} tabIndex={-1}>
        {t(states.includes('mapped') ? 'mapped' : 'byEmissions')}
      </h2>
      {!may('orders:write') && <p className="muted">{t('readOnly')}</p>}
      {deciding.error && <ProblemNotice problem={deciding.error} />}
      {decided !== null && may('admin') && <StoredOrders key={decided} productId={decided} />}
      <Loaded query={products}>
        {({ data, next }) =>
          data.length === 0 ? (
            <Nothing states={states} />
          ) : (
            <>
              <ul className="bare matching-list">
                {data.map((product) => (
                  <ProductCard
                    key={product.product_id}
                    product={product}
                    whole={whole}
                    mayDecide={may('orders:write') && !deciding.isPending}
                    onDecide={(target, name) => deciding.mutate({ product, target, name })}
                  />
                ))}
              </ul>
              {(next !== null || cursor !== undefined) && <Pager {...pagingTo(next)} />}
            </>
          )
        }
      </Loaded>
    </section>
  )
}

/** What was just mapped, or is no longer, concerns new orders alone: those that are stored can be restated. */
function StoredOrders({ productId: id }: { readonly productId: string }) {
  const t = useMessages({ en, de })
  return (
    <div className="note row">
      <span>{t('storedOrdersStay', { id })}</span>
      <RestateProduct productId={id} />
    </div>
  )
}

function Nothing({ states }: { readonly states: readonly State[] }) {
  const t = useMessages({ en, de })
  if (states.includes('mapped')) return <Empty title={t('noneMapped')}>{t('noneMappedHelp')}</Empty>
  if (states.length === 1) return <Empty title={t('noneOfState')}>{t('noneOfStateHelp')}</Empty>
  return <Empty title={t('noneOpen')}>{t('noneOpenHelp')}</Empty>
}
