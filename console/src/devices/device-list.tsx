// The devices that were ever rented: found by serial number, customer, model or order, heaviest first where one likes.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { api, readPage } from '../api/client.ts'
import { useCursorPages } from '../api/cursor-pages.ts'
import { FilterBar, TextFilter } from '../components/filter-bar.tsx'
import { useFilters } from '../components/filters.ts'
import { Empty, Loaded } from '../components/loading-and-error.tsx'
import { ValueFilter } from '../emissions/value-filter.tsx'
import { useMessages } from '../i18n/language.tsx'
import { DEVICE_SORTS, type DeviceFilters } from './device-path.ts'
import { DeviceTable } from './device-table.tsx'
import de from './messages.de.json'
import en from './messages.en.json'
import { DevicesOfOrder } from './order-devices.tsx'

const PAGE_ROWS = 25
const FILTERS = ['serial', 'customer', 'model', 'order'] as const
const UNSET = { serial: '', customer: '', model: '', order: '' }

export function DeviceList() {
  const { filters, setFilters } = useFilters([...FILTERS, 'sort'])
  const order = filters.order.trim()
  return (
    <div className="stack">
      <DeviceListFilters />
      {order === '' ? (
        <Listed filters={filters} onSort={(sort) => setFilters({ sort })} />
      ) : (
        <DevicesOfOrder orderId={order} />
      )}
    </div>
  )
}

/** An order has few devices: who asks for them asks for nothing else. */
function DeviceListFilters() {
  const t = useMessages({ en, de })
  const { filters, setFilters } = useFilters(FILTERS)
  const isSet = FILTERS.some((name) => filters[name] !== '')
  return (
    <div className="devices-filters">
      <FilterBar onClear={isSet ? () => setFilters(UNSET) : null}>
        <TextFilter
          label={t('serialBegins')}
          value={filters.serial}
          placeholder="C02XL0"
          onChange={(serial) => setFilters({ serial, order: '' }, { replace: true })}
        />
        <ValueFilter
          dimension="customer"
          label={t('customer')}
          value={filters.customer}
          onChange={(customer) => setFilters({ customer, order: '' })}
        />
        <ValueFilter
          dimension="model"
          label={t('model')}
          value={filters.model}
          onChange={(model) => setFilters({ model, order: '' })}
        />
        <TextFilter
          label={t('orOrder')}
          value={filters.order}
          placeholder="order-2024-1212"
          onChange={(order) => setFilters({ ...UNSET, order }, { replace: true })}
        />
      </FilterBar>
    </div>
  )
}

interface ListedProps {
  readonly filters: DeviceFilters
  readonly onSort: (sort: string) => void
}

function Listed({ filters: { serial, customer, model, sort }, onSort }: ListedProps) {
  const t = useMessages({ en, de })
  const { cursor, pagingTo } = useCursorPages()
  const [prefix, sorted] = [serial.trim(), DEVICE_SORTS.find((one) => one === sort)]
  const query = {
    limit: PAGE_ROWS,
    ...(prefix !== '' && { serial_prefix: prefix }),
    ...(customer !== '' && { customer_id: customer }),
    ...(model !== '' && { footprint_id: model }),
    ...(sorted && { sort: sorted }),
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
          <DeviceTable
            devices={data}
            customer={customer}
            sorting={{ sort: sorted ?? '', onSort }}
            paging={pagingTo(next)}
          />
        ) : prefix + customer + model === '' ? (
          <Empty title={t('noDevices')}>
            <p>{t('noDevicesHelp')}</p>
            <Link href="/import">{t('toImport')}</Link>
          </Empty>
        ) : (
          <Empty title={t('noSuchDevice')}>
            <p>{t('noSuchDeviceHelp')}</p>
          </Empty>
        )
      }
    </Loaded>
  )
}
