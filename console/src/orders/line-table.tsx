// The lines of an order: what each is, what it emits, how sure that is, and of which category.
import { describeLine } from '../components/explanation.ts'
import { DataTable, type Column } from '../components/data-table.tsx'
import { Figure } from '../components/figure.tsx'
import { useLocalPages } from '../components/local-pages.ts'
import { KG } from '../emissions/kilograms.ts'
import { useLabelNames } from '../emissions/label-names.ts'
import { useMessages } from '../i18n/language.tsx'
import { Tell } from '../i18n/service-text.tsx'
import { DeviceLink } from './device-link.tsx'
import { explainLine } from './explain-order.ts'
import de from './messages.de.json'
import en from './messages.en.json'
import { linesOf, type Item, type Line, type OrderLine } from './order-parts.ts'

const PAGE_ROWS = 20

export function LineTable({ items }: { readonly items: readonly Item[] }) {
  const t = useMessages({ en, de })
  const nameOf = useLabelNames()
  const [shown, paging] = useLocalPages(linesOf(items), PAGE_ROWS)
  const columns: readonly Column<OrderLine>[] = [
    {
      key: 'line',
      header: t('line'),
      isName: true,
      cell: ({ line, item }) => (
        <>
          <Tell text={describeLine(line)} />
          {item.serial_number !== undefined && (
            <div className="orders-beneath">
              <DeviceLink serial={item.serial_number} />
            </div>
          )}
        </>
      ),
    },
    {
      key: 'emission',
      header: `${t('emissions')} (${KG})`,
      isNumber: true,
      cell: ({ line }) => <Figure value={line.emission} unit={KG} why={() => explainLine(line)} />,
    },
    {
      key: 'interval',
      header: `${t('interval')} (${KG})`,
      isNumber: true,
      cell: ({ line }) => <Interval line={line} />,
    },
    { key: 'type', header: t('kind'), cell: ({ line }) => t(line.type) },
    {
      key: 'category',
      header: t('category'),
      cell: ({ line: { ghg_scope: scope, ghg_category: category } }) =>
        t('scopeAndCategory', { scope, category: nameOf('category', category) }),
    },
  ]
  return (
    <section className="section" aria-label={t('lines')}>
      <h2>{t('lines')}</h2>
      <DataTable caption={t('lines')} columns={columns} rows={shown} keyOf={({ key }) => key} paging={paging} />
    </section>
  )
}

function Interval({ line }: { readonly line: Line }) {
  const { uncertainty } = line
  if (!uncertainty) return <span className="muted">–</span>
  const why = () => explainLine(line)
  return (
    <>
      <Figure value={uncertainty.low} unit={KG} why={why} /> – <Figure value={uncertainty.high} unit={KG} why={why} />
    </>
  )
}
