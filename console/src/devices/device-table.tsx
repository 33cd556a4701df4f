// The table of devices: model, posted and remaining emission, and the last rental of each.
import { Link } from 'wouter'
import type { Schemas } from '../api/client.ts'
import type { Paging } from '../api/cursor-pages.ts'
import { MiniBar } from '../charts/mini-bar.tsx'
import type { Series } from '../charts/theme.ts'
import { LegendOfRows, useChartId } from '../charts/patterns.tsx'
import { DataTable, type Column } from '../components/data-table.tsx'
import { Figure } from '../components/figure.tsx'
import { useFormat } from '../i18n/format.ts'
import { useMessages } from '../i18n/language.tsx'
import { pathOfDevice } from './device-path.ts'
import { explainListed, type ListedFigure } from './explain-listed.ts'
import de from './messages.de.json'
import en from './messages.en.json'
import { KG } from '../emissions/kilograms.ts'
import { useLabelNames } from '../emissions/label-names.ts'
import { isStandIn } from '../emissions/model-names.ts'
import { pathOfOrder } from '../orders/order-path.ts'

export type ListedDevice = Schemas['ListedDevice']

export interface DeviceTableProps {
  readonly devices: readonly ListedDevice[]
  /** Whose orders alone are in the totals; '' for all. */
  readonly customer?: string
  readonly sorting?: { readonly sort: string; readonly onSort: (sort: string) => void }
  readonly paging?: Paging
}

export function DeviceTable({ devices, customer = '', sorting, paging }: DeviceTableProps) {
  const t = useMessages({ en, de })
  const columns = useColumns(devices, customer)
  const { chart, series } = columns
  return (
    <>
      <LegendOfRows chart={chart} series={series} />
      <DataTable
        caption={t('devices')}
        columns={columns.columns}
        rows={devices}
        keyOf={({ serial_number: serial }) => serial}
        {...sorting}
        {...(paging && { paging })}
      />
    </>
  )
}

function useColumns(devices: readonly ListedDevice[], customer: string) {
  const t = useMessages({ en, de })
  const nameOf = useLabelNames()
  const format = useFormat()
  const chart = useChartId()
  const series: readonly Series[] = [
    { key: 'allocated', label: t('allocated'), look: 'make' },
    { key: 'remaining', label: t('remainingOrWrittenOff'), look: 'rest' },
  ]
  const most = Math.max(...devices.map(({ embodied_total: total }) => total))
  const figure = (key: ListedFigure, title = t(key)) => ({
    key,
    header: `${title} (${KG})`,
    isNumber: true,
    cell: (device: ListedDevice) => (
      <Figure value={device[key]} unit={KG} why={() => explainListed(device, key, title, t, format)} />
    ),
  })
  const total = figure('total_emission', t(customer === '' ? 'total_emission' : 'totalOfCustomer'))
  const columns: readonly Column<ListedDevice>[] = [
    {
      key: 'serial',
      header: t('serial'),
      isName: true,
      cell: ({ serial_number: serial, footprint_id: basis, name }) => (
        <>
          <Link href={pathOfDevice(serial)}>{serial}</Link>
          <br />
          <span className="muted">{isStandIn(basis) ? nameOf('model', basis.split('@')[0]!) : name}</span>
        </>
      ),
    },
    { ...total, sorts: { up: 'total_emission', down: '-total_emission' } },
    figure('embodied_total'),
    figure('remaining'),
    {
      key: 'share',
      header: t('allocatedAndRemaining'),
      cell: (device) => <MiniBar chart={chart} series={series} unit={KG} max={most} bar={barOf(device)} />,
    },
    { key: 'last', header: t('lastRental'), cell: (device) => <LastRental {...device} /> },
  ]
  return { chart, series, columns }
}

const barOf = ({ serial_number: label, allocated, remaining, unallocated: writtenOff }: ListedDevice) => ({
  key: label,
  label,
  values: { allocated, remaining: Math.max(0, remaining + writtenOff) },
})

function LastRental({ last_rental: last, decommissioned }: ListedDevice) {
  const t = useMessages({ en, de })
  const { day } = useFormat()
  return (
    <>
      {decommissioned && <span className="tag">{t(decommissioned)}</span>}{' '}
      {last ? (
        <>
          <Link href={pathOfOrder(last)}>{last.customer_id}</Link>
          <br />
          <span className="muted unbroken">{`${day(last.from)} – ${day(last.to)}`}</span>
        </>
      ) : (
        <span className="muted">{t('neverRented')}</span>
      )}
    </>
  )
}
