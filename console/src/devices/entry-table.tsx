// The journal of a device: every entry that was ever posted, with why, and what it corrects.
import { DataTable, type Column } from '../components/data-table.tsx'
import { Figure } from '../components/figure.tsx'
import { useLocalPages } from '../components/local-pages.ts'
import { KG } from '../emissions/kilograms.ts'
import { PARTS } from '../emissions/parts.ts'
import { useFormat } from '../i18n/format.ts'
import { useMessages } from '../i18n/language.tsx'
import { explainEntry } from './explain-history.ts'
import de from './messages.de.json'
import en from './messages.en.json'
import type { Entry } from './history.ts'
import type { DeviceData } from './events.ts'

const PAGE_ROWS = 20

export function EntryTable({ entries }: DeviceData) {
  const t = useMessages({ en, de })
  const { time } = useFormat()
  const [shown, paging] = useLocalPages(entries, PAGE_ROWS)
  const columns: readonly Column<Entry>[] = [
    {
      key: 'reason',
      header: t('entry'),
      isName: true,
      cell: ({ entry_no: no, reason, posted_at: at }) => (
        <>
          {`${no} · ${t(reason)}`}
          <br />
          <span className="muted unbroken">{time(at)}</span>
        </>
      ),
    },
    { key: 'order', header: t('orderAndTerms'), cell: (entry) => <Terms {...entry} /> },
    ...PARTS.map((part): Column<Entry> => ({
      key: part,
      header: t(part),
      isNumber: true,
      cell: (entry) => (
        <Figure
          value={entry.emission[part]}
          unit={KG}
          why={() => explainEntry(entry, entry.emission[part], t(part), t)}
        />
      ),
    })),
    {
      key: 'total',
      header: t('total'),
      isNumber: true,
      cell: (entry) => (
        <Figure
          value={entry.total_emission}
          unit={KG}
          why={() => explainEntry(entry, entry.total_emission, t('total'), t)}
        />
      ),
    },
  ]
  return (
    <section className="section" aria-labelledby="devices-entries">
      <div>
        <h2 id="devices-entries">{t('entries')}</h2>
        <p className="muted">{`${t('entriesHelp')} ${t('emissionsIn', { unit: KG })}`}</p>
      </div>
      <DataTable
        caption={t('entries')}
        columns={columns}
        rows={shown}
        keyOf={({ entry_no: no }) => `${no}`}
        paging={paging}
      />
    </section>
  )
}

function Terms({ customer_id: customer, order_id: order, tenure_start_date: from, tenure_end_date: to }: Entry) {
  const { day } = useFormat()
  if (order === undefined) return null
  return (
    <>
      {`${customer} · ${order}`}
      <br />
      {from !== undefined && to !== undefined && <span className="muted unbroken">{`${day(from)} – ${day(to)}`}</span>}
    </>
  )
}
