// What each device of an order carries of it: its own lines, and its share of transport and packaging.
import { MiniBar } from '../charts/mini-bar.tsx'
import { LegendOfRows, useChartId } from '../charts/patterns.tsx'
import { DataTable, type Column } from '../components/data-table.tsx'
import { Figure } from '../components/figure.tsx'
import { useLocalPages } from '../components/local-pages.ts'
import { KG } from '../emissions/kilograms.ts'
import { PARTS, usePartSeries, type Part } from '../emissions/parts.ts'
import { useMessages } from '../i18n/language.tsx'
import { DeviceLink } from './device-link.tsx'
import { sharesOf, type Share } from './device-shares.ts'
import { explainShare } from './explain-order.ts'
import de from './messages.de.json'
import en from './messages.en.json'
import type { Entry } from './order-parts.ts'

const PAGE_ROWS = 20

export function ShareTable({ entries }: { readonly entries: readonly Entry[] }) {
  const t = useMessages({ en, de })
  const chart = useChartId()
  const series = usePartSeries()
  const shares = sharesOf(entries)
  const [shown, paging] = useLocalPages(shares, PAGE_ROWS)
  const most = Math.max(...shares.map(({ total }) => total), 0) || 1
  const nameOf = ({ serial }: Share) => serial ?? t('orderItself')
  const column = (part: Part | null): Column<Share> => ({
    key: part ?? 'total',
    header: part === null ? t('total') : t(part),
    isNumber: true,
    cell: (share) => (
      <Figure
        value={part === null ? share.total : share.parts[part]}
        unit={KG}
        why={() => explainShare(share, part, t)}
      />
    ),
  })
  const columns: readonly Column<Share>[] = [
    {
      key: 'device',
      header: t('device'),
      isName: true,
      cell: ({ serial }) => (serial === null ? t('orderItself') : <DeviceLink serial={serial} />),
    },
    column(null),
    {
      key: 'bar',
      header: t('share'),
      cell: (share) => (
        <MiniBar
          chart={chart}
          bar={{ key: nameOf(share), label: nameOf(share), values: share.parts }}
          series={series}
          unit={KG}
          max={most}
        />
      ),
    },
    ...PARTS.map(column),
  ]
  return (
    <section className="section" aria-label={t('shares')}>
      <div>
        <h2>{`${t('shares')} (${KG})`}</h2>
        <p className="muted">{t('sharesLead')}</p>
        <LegendOfRows series={series} chart={chart} />
      </div>
      <DataTable caption={t('shares')} columns={columns} rows={shown} keyOf={nameOf} paging={paging} />
    </section>
  )
}
