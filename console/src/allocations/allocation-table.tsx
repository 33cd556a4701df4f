// The shares of a device's rentals: a row for each method, a column for each of the last rentals.
import type { Schemas } from '../api/client.ts'
import { DataTable, type Column } from '../components/data-table.tsx'
import { Figure } from '../components/figure.tsx'
import { KG, sumAsText, sumOfKilograms } from '../emissions/kilograms.ts'
import { useFormat } from '../i18n/format.ts'
import { useMessages, type MessageFormatter } from '../i18n/language.tsx'
import type { Explanation } from '../components/explanation.ts'
import de from './messages.de.json'
import en from './messages.en.json'

type Method = Schemas['LifeAllocation']
type Life = NonNullable<Method['lives']>[number]
type Messages = MessageFormatter<keyof typeof en>

/** More columns would have to be scrolled for. */
const LIVES_SHOWN = 4

export interface AllocationTableProps {
  readonly serial: string
  readonly methods: readonly Method[]
}

export function AllocationTable({ serial, methods }: AllocationTableProps) {
  const t = useMessages({ en, de })
  const columns = useColumns(serial, methods[0]?.lives ?? [])
  if (columns === null) return <p className="muted">{t('noLives')}</p>
  return <DataTable caption={t('heading')} columns={columns} rows={methods} keyOf={({ method }) => method} />
}

/** @param lives of any method: all have the same; null if there are none */
function useColumns(serial: string, lives: readonly Life[]): readonly Column<Method>[] | null {
  const t = useMessages({ en, de })
  const { day } = useFormat()
  if (lives.length === 0) return null
  const first = Math.max(0, lives.length - LIVES_SHOWN)
  const figure = (method: Method, value: number | undefined, title: string, more: Partial<Explanation> = {}) => (
    <Figure
      value={value ?? null}
      unit={KG}
      why={() => ({ ...explain(serial, method, t), title, value: value!, ...more })}
    />
  )
  return [
    {
      key: 'method',
      header: t('method'),
      isName: true,
      cell: (method) => <MethodName method={method} count={lives.length} />,
    },
    ...(first > 0
      ? [
          {
            key: 'earlier',
            header: t('earlier', { count: first }),
            isNumber: true,
            cell: (method: Method) => {
              const shares = method.lives?.slice(0, first).map((life) => life.embodied_emission)
              const sum = shares && sumOfKilograms(shares)
              const title = t('shareOfEarlier', { method: t(method.method) })
              return figure(method, sum, title, shares && { formula: sumAsText(shares, sum!) })
            },
          },
        ]
      : []),
    ...lives.slice(first).map((life, at): Column<Method> => ({
      key: `${first + at}`,
      header: `${life.customer_id} · ${life.order_id}, ${day(life.from)} – ${day(life.to)}`,
      isNumber: true,
      cell: (method) => {
        const { customer_id: customer, order_id: order } = life
        const title = t('share', { customer, order, method: t(method.method) })
        return figure(method, method.lives?.[first + at]!.embodied_emission, title)
      },
    })),
    {
      key: 'residual',
      header: t('residual'),
      isNumber: true,
      cell: (method) =>
        figure(method, method.residual, t('residual'), { notes: [t('residualNote'), ruleOf(method.method, t)] }),
    },
  ]
}

function MethodName({ method, count }: { readonly method: Method; readonly count: number }) {
  const t = useMessages({ en, de })
  return (
    <>
      {t(method.method)} {method.posted && <span className="tag">{t('posted')}</span>}
      {method.provisional && <span className="tag">{t('provisional')}</span>}
      {method.lives === undefined && <span className="muted"> · {t('valuesNeeded', { count })}</span>}
    </>
  )
}

/** What is said of every figure of a method. */
const explain = (
  serial: string,
  { method, provisional, total }: Method,
  t: Messages,
): Omit<Explanation, 'title' | 'value'> => ({
  unit: KG,
  inputs: [{ symbol: 'E + ΣR', name: t('total'), value: total, unit: KG, from: '' }],
  notes: [ruleOf(method, t), ...(provisional ? [t('provisionalNote')] : [])],
  methodology: 'METHODOLOGY.md#second-lives',
  call: `/api/device-emissions/${encodeURIComponent(serial)}?allocation=all`,
})

function ruleOf(method: Method['method'], t: Messages): string {
  switch (method) {
    case 'factor_a_0.2':
    case 'factor_a_0.5':
    case 'factor_a_0.8':
      return t('factor_a_rule')
    default:
      return t(`${method}_rule`)
  }
}
