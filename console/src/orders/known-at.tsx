// The day as of which an order is shown: what became known later is left out.
import { TextFilter } from '../components/filter-bar.tsx'
import { useFilters } from '../components/filters.ts'
import { useFormat } from '../language/format.ts'
import { useMessages } from '../language/language.tsx'
import de from './messages.de.json'
import en from './messages.en.json'

/** The end of a day, as the API is asked for it. */
export const timeOfDay = (day: string): string => `${day}T23:59:59.999Z`

/** @param createdAt nothing was known of the order before */
export function KnownAt({ createdAt }: { readonly createdAt: string }) {
  const say = useMessages({ en, de })
  const { day, time } = useFormat()
  const { filters, setFilters } = useFilters(['known'])
  const { known } = filters
  return (
    <div className="orders-known">
      <TextFilter label={say('knownAt')} type="date" value={known} onChange={(value) => setFilters({ known: value })} />
      <p className="muted" role="status">
        {known === '' ? say('knownNow', { time: time(createdAt) }) : say('knownThen', { day: day(known) })}
      </p>
      {known !== '' && (
        <button className="button" onClick={() => setFilters({ known: '' })}>
          {say('asItStands')}
        </button>
      )}
    </div>
  )
}
