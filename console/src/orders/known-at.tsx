// The day as of which an order is shown: what became known later is left out.
import { TextFilter } from '../components/filter-bar.tsx'
import { useFilters } from '../components/filters.ts'
import { useFormat } from '../i18n/format.ts'
import { useMessages } from '../i18n/language.tsx'
import de from './messages.de.json'
import en from './messages.en.json'
import type { Order } from './order-parts.ts'

/** The end of a day, as the API is asked for it. */
export const timeOfDay = (day: string): string => `${day}T23:59:59.999Z`

export interface KnownOrder {
  readonly order: Order
  /** The day as of which it is; '' for now. */
  readonly known: string
}

/** @param shown what is below, which may still be that of another day; undefined where nothing is */
export function KnownAt({ shown }: { readonly shown: KnownOrder | undefined }) {
  const t = useMessages({ en, de })
  const { day, time } = useFormat()
  const { filters, setFilters } = useFilters(['known'])
  const { known } = filters
  return (
    <div className="orders-known">
      <TextFilter label={t('asOf')} type="date" value={known} onChange={(value) => setFilters({ known: value })} />
      {shown && (
        <p className="muted" role="status">
          {shown.known === ''
            ? t('currentState', { time: time(shown.order.created_at) })
            : t('stateAsOf', { day: day(shown.known) })}
        </p>
      )}
      {known !== '' && (
        <button className="button" onClick={() => setFilters({ known: '' })}>
          {t('showCurrent')}
        </button>
      )}
    </div>
  )
}
