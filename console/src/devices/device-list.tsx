// The devices that were ever rented: found by serial number or by order, each with what is left of it.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { api, readPage } from '../api/client.ts'
import { useCursorPages } from '../api/cursor-pages.ts'
import { FilterBar, TextFilter } from '../components/filter-bar.tsx'
import { useFilters } from '../components/filters.ts'
import { Empty, Loaded } from '../components/states.tsx'
import { useMessages } from '../language/language.tsx'
import { DeviceTable } from './device-table.tsx'
import de from './messages.de.json'
import en from './messages.en.json'
import { DevicesOfOrder } from './order-devices.tsx'

const PAGE_ROWS = 25
const FILTERS = ['serial', 'order'] as const

export function DeviceList() {
  const say = useMessages({ en, de })
  const { filters, setFilters } = useFilters(FILTERS)
  const { serial, order } = filters
  return (
    <div className="stack">
      <FilterBar onClear={serial + order === '' ? null : () => setFilters({ serial: '', order: '' })}>
        <TextFilter
          label={say('serialBegins')}
          value={serial}
          placeholder="C02XL0"
          onChange={(value) => setFilters({ serial: value, order: '' }, { replace: true })}
        />
        <TextFilter
          label={say('orOrder')}
          value={order}
          placeholder="order-2024-1212"
          onChange={(value) => setFilters({ order: value, serial: '' }, { replace: true })}
        />
      </FilterBar>
      {order.trim() === '' ? <Listed prefix={serial.trim()} /> : <DevicesOfOrder orderId={order.trim()} />}
    </div>
  )
}

function Listed({ prefix }: { readonly prefix: string }) {
  const say = useMessages({ en, de })
  const { cursor, pagingTo } = useCursorPages()
  const query = {
    limit: PAGE_ROWS,
    ...(prefix !== '' && { serial_prefix: prefix }),
    ...(cursor !== undefined && { cursor }),
  }
  const devices = useQuery({
    queryKey: ['devices', query],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => readPage(api.GET('/api/devices', { params: { query }, signal })),
  })
  return (
    <Loaded query={devices}>
      {({ data, next }) =>
        data.length > 0 ? (
          <DeviceTable devices={data} paging={pagingTo(next)} />
        ) : (
          <Empty title={say(prefix === '' ? 'noDevices' : 'noSuchDevice')}>
            <p>{say(prefix === '' ? 'noDevicesHelp' : 'noSuchDeviceHelp')}</p>
            {prefix === '' && <Link href="/import">{say('toImport')}</Link>}
          </Empty>
        )
      }
    </Loaded>
  )
}
