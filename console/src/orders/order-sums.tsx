// What an order comes to: in all, without what is indicative, and part by part.
import { Figure } from '../components/figure.tsx'
import type { Why } from '../components/explanation.ts'
import { KG } from '../emissions/kilograms.ts'
import { PARTS } from '../emissions/parts.ts'
import { useFormat } from '../i18n/format.ts'
import { useMessages } from '../i18n/language.tsx'
import { explainCertain, explainLines, explainTotal } from './explain-order.ts'
import de from './messages.de.json'
import en from './messages.en.json'
import { linesOf, type Order } from './order-parts.ts'
import { StatusTag } from './status-tag.tsx'

export function OrderSums({ order }: { readonly order: Order }) {
  const t = useMessages({ en, de })
  const format = useFormat()
  const { day, short } = format
  const { uncertainty, total_emission_excluding_indicative: certain = null } = order
  const lines = linesOf(order.items)
  return (
    <section className="card orders-sums" aria-label={t('sums')}>
      <dl className="facts">
        <Sum name={t('total')} value={order.total_emission} why={() => explainTotal(order, t, format)}>
          {uncertainty && t('between', { low: short(uncertainty.low), high: short(uncertainty.high), unit: KG })}
        </Sum>
        {certain !== null && certain !== order.total_emission && (
          <Sum name={t('withoutIndicative')} value={certain} why={() => explainCertain(order, certain, t, format)}>
            {t('withoutIndicativeMeans')}
          </Sum>
        )}
        {PARTS.map((part) => {
          const own = lines.filter((one) => one.part === part)
          if (own.length === 0) return null
          const explained = explainLines(t(part), own, t, format)
          return <Sum key={part} name={t(part)} value={explained.value} why={() => explained} />
        })}
      </dl>
      <dl className="facts orders-facts">
        <Fact name={t('status')}>
          <StatusTag status={order.status} />
        </Fact>
        <Fact name={t('ordered')}>{day(order.order_date)}</Fact>
        <Fact name={t('tenureFrom')}>{day(order.tenure_start_date)}</Fact>
        {Object.entries(order.metadata ?? {}).map(([name, value]) => (
          <Fact key={name} name={name}>
            {value}
          </Fact>
        ))}
      </dl>
    </section>
  )
}

interface SumProps {
  readonly name: string
  readonly value: number
  readonly why: Why
  readonly children?: React.ReactNode
}

const Sum = ({ name, value, why, children }: SumProps) => (
  <div>
    <dt>{name}</dt>
    <dd>
      <Figure value={value} unit={KG} showsUnit why={why} />
      {children && <p className="muted">{children}</p>}
    </dd>
  </div>
)

const Fact = ({ name, children }: { readonly name: string; readonly children: React.ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)
