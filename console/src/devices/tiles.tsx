// The figures that stand above the history: what all rentals were charged, and how long the device was out and idle.
import { Figure } from '../components/figure.tsx'
import { Tile } from '../components/tile.tsx'
import { useMessages } from '../i18n/language.tsx'
import type { Why } from '../components/explanation.ts'
import { KG } from '../emissions/kilograms.ts'
import { useFormat } from '../i18n/format.ts'
import { explainIdle, explainRemainingMonths, explainRentedMonths, explainTotal } from './explain-history.ts'
import de from './messages.de.json'
import en from './messages.en.json'
import { idleTimesOf, isRented, monthsBetween, monthsOut } from './history.ts'
import type { DeviceData } from './events.ts'

interface Sum {
  readonly label: string
  readonly value: number
  readonly unit: string
  readonly why: Why
  readonly note?: string
}

const roundedSum = (months: readonly number[]): number => Number(months.reduce((sum, one) => sum + one, 0).toFixed(2))

export function Tiles(data: DeviceData) {
  const t = useMessages({ en, de })
  const { percent } = useFormat()
  const { history, total, day } = data
  const rented = roundedSum(history.events.filter(isRented).map(({ months = 0 }) => months))
  const idle = roundedSum(idleTimesOf(history, day).map(({ from, to }) => monthsBetween(from, to)))
  const out = monthsOut(history, day)
  const months = t('monthsUnit')
  const tiles: readonly Sum[] = [
    {
      label: t('total_emission'),
      value: total,
      unit: KG,
      why: () => explainTotal(data, t),
      note: t('rentals', { count: data.orders.length }),
    },
    {
      label: t('rentedMonths'),
      value: rented,
      unit: months,
      why: () => explainRentedMonths(data, rented, t),
      note: t('asAgreed'),
    },
    {
      label: t('idleMonths'),
      value: idle,
      unit: months,
      why: () => explainIdle(data, idle, t),
      ...(out + idle > 0 && { note: t('outShare', { share: percent(out / (out + idle)) }) }),
    },
    {
      label: t('remainingMonths'),
      value: Number(history.balance.remaining_months.toFixed(2)),
      unit: months,
      why: () => explainRemainingMonths(data, t),
    },
  ]
  return (
    <div className="devices-tiles">
      {tiles.map(({ label, value, unit, why, note }) => (
        <Tile key={label} title={label} value={<Figure value={value} unit={unit} showsUnit why={why} />}>
          {note}
        </Tile>
      ))}
    </div>
  )
}
