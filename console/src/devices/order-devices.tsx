// The devices of the orders that bear an id: the way from an order to its devices.
import { useQuery } from '@tanstack/react-query'
import { api, read, type Schemas } from '../api/client.ts'
import { Empty, Loaded } from '../components/loading-and-error.tsx'
import { useMessages } from '../i18n/language.tsx'
import { DeviceTable, type ListedDevice } from './device-table.tsx'
import de from './messages.de.json'
import en from './messages.en.json'

/** Customers may give their orders the same ids; of an order with a thousand devices the first are shown. */
const ORDERS_MAX = 5
const DEVICES_MAX = 25

interface OrderDevicesFound {
  readonly devices: readonly ListedDevice[]
  readonly count: number
}

export function DevicesOfOrder({ orderId }: { readonly orderId: string }) {
  const t = useMessages({ en, de })
  const found = useQuery({ queryKey: ['devices of order', orderId], queryFn: () => readDevices(orderId) })
  return (
    <Loaded query={found}>
      {({ devices, count }) =>
        devices.length === 0 ? (
          <Empty title={t('noSuchOrder')}>
            <p>{t('noSuchOrderHelp')}</p>
          </Empty>
        ) : (
          <>
            <DeviceTable devices={devices} />
            {count > devices.length && <p className="muted">{t('firstOf', { shown: devices.length, count })}</p>}
          </>
        )
      }
    </Loaded>
  )
}

async function readDevices(orderId: string): Promise<OrderDevicesFound> {
  const query = { order_id: orderId, limit: ORDERS_MAX }
  const orders = await read(api.GET('/api/customer-orders', { params: { query } }))
  const serials = (await Promise.all(orders.map(serialsOf))).flat()
  const found = await Promise.all([...new Set(serials)].slice(0, DEVICES_MAX).map(readDevice))
  return { devices: found.filter((device) => device !== undefined), count: new Set(serials).size }
}

async function serialsOf({ customer_id, order_id }: Schemas['OrderSummary']): Promise<readonly string[]> {
  const path = { customer_id, order_id }
  const { items } = await read(api.GET('/api/customer-orders/{customer_id}/{order_id}', { params: { path } }))
  return items.flatMap(({ serial_number: serial }) => serial ?? [])
}

/** By its whole serial number, which is the first of those that begin with it. */
async function readDevice(serial: string): Promise<ListedDevice | undefined> {
  const found = await read(api.GET('/api/devices', { params: { query: { serial_prefix: serial, limit: 1 } } }))
  return found.find((device) => device.serial_number === serial)
}
