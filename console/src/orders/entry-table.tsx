// The journal of an order: every entry that was posted to it, when, why, and because of what.
import { Link } from 'wouter'
import { DataTable, type Column } from '../components/data-table.tsx'
import { Figure } from '../components/figure.tsx'
import { useLocalPages } from '../components/local-pages.ts'
import { KG } from '../emissions/kilograms.ts'
import { PARTS } from '../emissions/parts.ts'
import { useFormat } from '../i18n/format.ts'
import { useMessages } from '../i18n/language.tsx'
import { DeviceLink } from './device-link.tsx'
import { explainEntry } from './explain-order.ts'
import de from './messages.de.json'
import en from './messages.en.json'
import type { Entry } from './order-parts.ts'
import { pathOfOrder } from './order-path.ts'

const PAGE_ROWS = 20

export function EntryTable({ entries }: { readonly entries: readonly Entry[] }) {
  const t = useMessages({ en, de })
  const format = useFormat()
  const [shown, paging] = useLocalPages(entries, PAGE_ROWS)
  const columns: readonly Column<Entry>[] = [
    {
      key: 'reason',
      header: t('reason'),
      isName: true,
      cell: (entry) => (
        <>
          {t(entry.reason)}
          <div className="orders-beneath muted">{format.time(entry.posted_at)}</div>
          <Cause entry={entry} />
        </>
      ),
    },
    ...[null, ...PARTS].map((part): Column<Entry> => ({
      key: part ?? 'total',
      header: part === null ? t('total') : t(part),
      isNumber: true,
      cell: (entry) => (
        <Figure
          value={part === null ? entry.total_emission : entry.emission[part]}
          unit={KG}
          why={() => explainEntry(entry, part, t, format)}
        />
      ),
    })),
    { key: 'device', header: t('device'), cell: (entry) => <DeviceLink serial={entry.serial_number} /> },
    { key: 'terms', header: t('terms'), cell: (entry) => <Terms {...entry} /> },
  ]
  return (
    <section className="section" aria-label={t('entries')}>
      <div>
        <h2>{`${t('entries')} (${KG})`}</h2>
        <p className="muted">{t('entriesLead')}</p>
      </div>
      <DataTable
        caption={t('entries')}
        columns={columns}
        rows={shown}
        keyOf={({ serial_number: serial = '', entry_no: no }) => `${no} ${serial}`}
        paging={paging}
      />
    </section>
  )
}

/** The event, or the other order, that made it be posted. */
function Cause({ entry: { cause } }: { readonly entry: Entry }) {
  const t = useMessages({ en, de })
  if (!cause) return null
  const { customer_id, order_id, event_id } = cause
  return (
    <div className="orders-beneath muted">
      {customer_id !== undefined && order_id !== undefined ? (
        <Link href={pathOfOrder({ customer_id, order_id })}>{t('byOrder', { order: order_id })}</Link>
      ) : (
        event_id !== undefined && t('byEvent', { id: event_id })
      )}
    </div>
  )
}

function Terms({ tenure_start_date: from, tenure_end_date: to }: Entry) {
  const { day } = useFormat()
  return from === undefined || to === undefined ? (
    <span className="muted">–</span>
  ) : (
    <>
      <span className="unbroken">{day(from)} –</span> <span className="unbroken">{day(to)}</span>
    </>
  )
}
