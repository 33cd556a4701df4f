// Which orders and years of customers a restatement changes, and which orders it cannot, or could not when it was
// applied.
import { Link } from 'wouter'
import { useCursorPages, type Paging } from '../api/cursor-pages.ts'
import type { Schemas } from '../api/client.ts'
import { DataTable, type Column } from '../components/data-table.tsx'
import { Figure } from '../components/figure.tsx'
import { useFilters } from '../components/filters.ts'
import { Empty, Loaded } from '../components/loading-and-error.tsx'
import { Tabs } from '../components/tabs.tsx'
import { KG } from '../emissions/kilograms.ts'
import { useMessages } from '../i18n/language.tsx'
import { Tell } from '../i18n/service-text.tsx'
import { pathOfOrder, type OrderKey } from '../orders/order-path.ts'
import { afterOf, explainCause, explainOrderChange, explainYear } from './explain-restatement.ts'
import de from './messages.de.json'
import en from './messages.en.json'
import {
  causesIn,
  pathOfRestatement,
  useChanges,
  type Bridge,
  type ChangesOf,
  type OrderChange,
  type Preview,
} from './use-restatements.ts'

type CustomerYear = NonNullable<Schemas['RestatementChanges']['years']>[number]
type Refused = NonNullable<Schemas['RestatementChanges']['problems']>[number]

const TABS = ['largest', 'orders', 'years', 'problems', 'refused'] as const
type Tab = (typeof TABS)[number]

/** The service states as many with the preview: where no more change, these are all. */
const LARGEST_MAX = 10

export interface ChangesProps {
  readonly id: string
  readonly preview: Preview
  /** Orders that could not be posted. */
  readonly refused: number
}

export function Changes({ id, preview, refused }: ChangesProps) {
  const t = useMessages({ en, de })
  const { filters } = useFilters(['of'])
  const { number_of_orders: orders, number_of_problems: problems } = preview
  const superseded = preview.number_of_superseded_statements
  const isShort = orders <= LARGEST_MAX
  const isShown: Readonly<Record<Tab, boolean>> = {
    largest: orders > 0 && !isShort,
    orders: orders > 0,
    years: orders > 0,
    problems: problems > 0,
    refused: refused > 0,
  }
  const tabs = TABS.filter((tab) => isShown[tab])
  const here = tabs.find((tab) => tab === filters.of) ?? tabs[0]!
  const labelOf = (tab: Tab) => {
    if (tab === 'problems') return t('problems', { count: problems })
    if (tab === 'refused') return t('refused', { count: refused })
    return tab === 'orders' ? t('allOrders', { count: orders }) : t(tab)
  }
  return (
    <section className="stack" aria-labelledby="restatement-changes">
      <h2 id="restatement-changes">{t('changes')}</h2>
      <Tabs
        name={t('changes')}
        tabs={tabs.map((tab) => ({
          path: `${pathOfRestatement(Number(id))}?of=${tab}`,
          label: labelOf(tab),
          isHere: tab === here,
        }))}
      />
      <p className="muted">
        {t(`${here}Note`)} {here === 'years' && superseded > 0 && t('maybeFinalNote', { count: superseded })}
      </p>
      {here === 'largest' || (here === 'orders' && isShort) ? (
        <Orders changes={preview.largest_changes ?? []} caption={labelOf(here)} bridge={preview.bridge} />
      ) : (
        <Listed key={here} id={id} preview={preview} of={here} count={refused} />
      )}
    </section>
  )
}

interface ListedProps extends Omit<ChangesProps, 'refused'> {
  readonly of: ChangesOf
  readonly count: number
}

function Listed({ id, preview: { digest, bridge }, of, count }: ListedProps) {
  const t = useMessages({ en, de })
  const { cursor, pagingTo } = useCursorPages()
  const changes = useChanges(id, of, of === 'refused' ? `${digest} ${count}` : digest, cursor)
  return (
    <Loaded query={changes}>
      {({ data: { orders, years, problems, refused }, next }) => (
        <>
          {orders && <Orders changes={orders} caption={t('changes')} bridge={bridge} paging={pagingTo(next)} />}
          {years &&
            (years.length === 0 ? (
              <Empty title={t('noYears')} />
            ) : (
              <Years years={years} bridge={bridge} paging={pagingTo(next)} />
            ))}
          {problems && <Problems problems={problems} paging={pagingTo(next)} />}
          {refused && <Problems problems={refused} paging={pagingTo(next)} />}
        </>
      )}
    </Loaded>
  )
}

const OrderLink = (order: OrderKey) => (
  <>
    <Link href={pathOfOrder(order)}>{order.order_id}</Link>
    <br />
    <span className="muted">{order.customer_id}</span>
  </>
)

/** Columns of causes, for those that move anything at all. */
function useCauseColumns<Row extends { readonly bridge: Bridge }>(
  bridge: Bridge,
  nameOf: (row: Row) => string,
): readonly Column<Row>[] {
  const t = useMessages({ en, de })
  return causesIn(bridge).map((cause) => ({
    key: cause,
    header: t(cause),
    isNumber: true,
    cell: (row) => {
      const value = row.bridge[cause] ?? null
      const why = value === null ? undefined : () => explainCause(nameOf(row), cause, value, t)
      return <Figure value={value} unit={KG} showsSign why={why} />
    },
  }))
}

interface OrdersProps {
  readonly changes: readonly OrderChange[]
  readonly caption: string
  readonly bridge: Bridge
  readonly paging?: Paging
}

function Orders({ changes, caption, bridge, paging }: OrdersProps) {
  const t = useMessages({ en, de })
  const causes = useCauseColumns<OrderChange>(bridge, ({ order_id: id }) => id)
  const columns: readonly Column<OrderChange>[] = [
    { key: 'order', header: t('order'), isName: true, cell: (one) => <OrderLink {...one} /> },
    {
      key: 'difference',
      header: `${t('difference')} (${KG})`,
      isNumber: true,
      cell: (one) => <Figure value={one.difference} unit={KG} showsSign why={() => explainOrderChange(one, t)} />,
    },
    {
      key: 'change',
      header: t('beforeAfter'),
      isNumber: true,
      cell: (one) => (
        <span className="unbroken">
          <Figure value={one.before} unit={KG} /> → <Figure value={afterOf(one)} unit={KG} />
        </span>
      ),
    },
    ...causes,
  ]
  return (
    <DataTable
      caption={caption}
      columns={columns}
      rows={changes}
      keyOf={(one) => pathOfOrder(one)}
      {...(paging && { paging })}
    />
  )
}

interface YearsProps {
  readonly years: readonly CustomerYear[]
  readonly bridge: Bridge
  readonly paging: Paging
}

function Years({ years, bridge, paging }: YearsProps) {
  const t = useMessages({ en, de })
  const causes = useCauseColumns<CustomerYear>(bridge, ({ customer_id: customer, year }) => `${customer}, ${year}`)
  const columns: readonly Column<CustomerYear>[] = [
    {
      key: 'customer',
      header: t('customer'),
      isName: true,
      cell: ({ customer_id: id }) => <Link href={statementsOf(id)}>{id}</Link>,
    },
    {
      key: 'year',
      header: t('year'),
      isNumber: true,
      cell: ({ year, supersedes_final_statement: isFinal }) => (
        <>
          {year} {isFinal && <span className="tag">{t('maybeFinal')}</span>}
        </>
      ),
    },
    {
      key: 'difference',
      header: `${t('difference')} (${KG})`,
      isNumber: true,
      cell: (one) => <Figure value={one.difference} unit={KG} showsSign why={() => explainYear(one.year, one, t)} />,
    },
    ...causes,
  ]
  return (
    <DataTable
      caption={t('years')}
      columns={columns}
      rows={years}
      keyOf={({ customer_id: customer, year }) => `${year} ${customer}`}
      paging={paging}
    />
  )
}

const statementsOf = (customer: string): string => `/reports/statements?customer=${encodeURIComponent(customer)}`

function Problems({ problems, paging }: { readonly problems: readonly Refused[]; readonly paging: Paging }) {
  const t = useMessages({ en, de })
  const columns: readonly Column<Refused>[] = [
    { key: 'order', header: t('order'), isName: true, cell: (one) => <OrderLink {...one} /> },
    {
      key: 'problem',
      header: t('problem'),
      cell: (one) => <Tell text={{ message: one.problem, ...one.problem_message }} />,
    },
  ]
  return (
    <DataTable
      caption={t('problem')}
      columns={columns}
      rows={problems}
      keyOf={(one) => pathOfOrder(one)}
      paging={paging}
    />
  )
}
