// A device's page: what it cost to make, who rented it and what each was charged, what lay between, and what remains.
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { Link } from 'wouter'
import { api, read } from '../api/client.ts'
import { FilterBar, TextFilter } from '../components/filter-bar.tsx'
import { useFilters } from '../components/filters.ts'
import { Empty, Loaded, Loading } from '../components/loading-and-error.tsx'
import { Page } from '../layout/page.tsx'
import { IdentifyButton } from '../identification/identify-button.tsx'
import { useFormat } from '../i18n/format.ts'
import { useMessages } from '../i18n/language.tsx'
import { HistoryTable } from './history-table.tsx'
import { EntryTable } from './entry-table.tsx'
import { BalanceCard } from './balance-card.tsx'
import { passportOf } from './device-path.ts'
import { nameOfFootprint } from './footprint-name.ts'
import { EventTable } from './event-table.tsx'
import de from './messages.de.json'
import en from './messages.en.json'
import { StatusTags } from './status-tags.tsx'
import { Tiles } from './tiles.tsx'
import type { DeviceData } from './events.ts'

const HistoryCharts = lazy(async () => ({ default: (await import('./history-charts.tsx')).HistoryCharts }))

const Allocations = lazy(async () => ({ default: (await import('../allocations/allocations.tsx')).Allocations }))

const endOfDay = (day: string): string | undefined => (day === '' ? undefined : `${day}T23:59:59.999Z`)
const today = (): string => new Date().toISOString().slice(0, 10)

export function DevicePage({ serial }: { readonly serial: string }) {
  const t = useMessages({ en, de })
  const { told } = useFormat()
  const { filters, setFilters } = useFilters(['known'])
  const knownAt = endOfDay(filters.known)
  const ledger = useQuery({
    queryKey: ['device', serial, knownAt],
    queryFn: ({ signal }) => readLedger(serial, knownAt, signal),
  })
  const initial = ledger.data?.history?.initial
  return (
    <Page
      title={serial}
      {...(initial && { lead: t('footprintUsed', { name: told(nameOfFootprint(initial)) }) })}
      actions={
        <div className="row">
          {ledger.data?.history && knownAt === undefined && (
            <>
              <IdentifyButton serial={serial} />
              <a className="button" href={passportOf(serial)} download={`passport-${serial}.jsonld`}>
                {t('passport')}
              </a>
            </>
          )}
          <Link href="/devices" className="button">
            {t('allDevices')}
          </Link>
        </div>
      }
    >
      <div className="stack">
        <FilterBar onClear={filters.known === '' ? null : () => setFilters({ known: '' })}>
          <TextFilter label={t('asOf')} type="date" value={filters.known} onChange={(known) => setFilters({ known })} />
        </FilterBar>
        {filters.known !== '' && <p className="muted">{t('asOfHelp')}</p>}
        <Loaded query={ledger}>
          {({ history, orders, entries = [], events = [], total_emission: total }) =>
            history ? (
              <DeviceParts
                {...{ serial, history, orders, entries, events, total, knownAt }}
                day={filters.known || today()}
              />
            ) : (
              <Empty title={t(filters.known === '' ? 'noLedger' : 'noLedgerAsOf', { serial })}>
                <p>{t('noLedgerHelp')}</p>
              </Empty>
            )
          }
        </Loaded>
      </div>
    </Page>
  )
}

const readLedger = (id: string, knownAt: string | undefined, signal: AbortSignal) =>
  read(
    api.GET('/api/device-emissions/{id}', {
      params: {
        path: { id },
        query: { include: ['entries', 'history', 'events'], ...(knownAt !== undefined && { known_at: knownAt }) },
      },
      signal,
    }),
  )

const DeviceParts = (data: DeviceData) => (
  <>
    <StatusTags {...data} />
    <BalanceCard {...data} />
    <Tiles {...data} />
    <Suspense fallback={<Loading />}>
      <HistoryCharts {...data} />
    </Suspense>
    <HistoryTable {...data} />
    <Suspense fallback={<Loading />}>
      <Allocations serial={data.serial} knownAt={data.knownAt} />
    </Suspense>
    <EventTable {...data} />
    <EntryTable {...data} />
  </>
)
