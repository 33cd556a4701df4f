// Why a product id weighs what it does, how it was found, and what that rests on.
import type { ValueName } from '../api-values/api-values.ts'
import type { Explanation } from '../components/explanation.ts'
import { KG } from '../emissions/kilograms.ts'
import type { Format } from '../i18n/format.ts'
import type { MessageFormatter } from '../i18n/language.tsx'
import type { ServiceMessage } from '../service-texts/messages.ts'
import type en from './messages.en.json'
import { readMatch, postedOn, type Product, type Sums } from './products.ts'

type MatchingMessages = MessageFormatter<keyof typeof en>

type Candidate = Product['candidates'][number]

export const reasonsOf = ({ reasons, reason_messages: messages }: Candidate): readonly ServiceMessage[] =>
  reasons.map((message, at) => ({ message, ...messages[at] }))

/** Asks what the words would be taken for now, since that is what the next order will be charged by. */
export async function explainProduct(
  product: Product,
  t: MatchingMessages,
  valueName: ValueName,
  { told }: Format,
): Promise<Explanation> {
  const { product_id: id, posted_emission: value, footprint_id: footprints, state } = product
  const match = await readMatch(product)
  const [best] = match.candidates
  return {
    title: t('whyProduct', { id }),
    value,
    unit: KG,
    notes: [
      t('emissionsOf', { orders: product.number_of_orders, devices: product.number_of_devices }),
      t(`${state}Why`),
      ...(footprints.length > 0 ? [t('footprintsUsed', { names: footprints.join(', ') })] : []),
      t('withoutMapping', { name: match.resolved_to, found: valueName({ list: 'method', value: match.match_method }) }),
      ...(match.note === undefined ? [] : [{ message: match.note, ...match.note_message }]),
      ...(best
        ? [
            `${best.name}: ${reasonsOf(best)
              .map((reason) => told(reason))
              .join('; ')}`,
          ]
        : []),
    ],
    methodology: 'METHODOLOGY.md#fallbacks',
  }
}

export function explainCandidate({ product_id: id }: Product, candidate: Candidate, t: MatchingMessages): Explanation {
  const { name, score } = candidate
  return {
    title: t('whyScore', { name, id }),
    value: score,
    unit: t('ofOne'),
    notes: [...reasonsOf(candidate), t('scoreNote')],
    methodology: 'METHODOLOGY.md#families',
  }
}

export function explainShare(sums: Sums, value: number, t: MatchingMessages): Explanation {
  const mapped = postedOn(sums.filter(({ state }) => state === 'mapped'))
  const whole = postedOn(sums)
  return {
    title: t('progress'),
    value,
    unit: '%',
    formula: `100 × ${mapped} ÷ ${whole} = ${value}`,
    inputs: sums.map(({ state, posted_emission: posted }, at) => ({
      symbol: `${at + 1}`,
      name: t(state),
      value: posted,
      unit: KG,
      from: '',
    })),
    notes: [t('certainNote'), t('note')],
  }
}

export const explainSum = (sum: Sums[number], what: 'count' | 'posted', t: MatchingMessages): Explanation => ({
  title: t(sum.state),
  value: what === 'count' ? sum.number_of_products : sum.posted_emission,
  unit: what === 'count' ? t('productIds') : KG,
  notes: [t(`${sum.state}Why`), t(what === 'count' ? 'countNote' : 'postedNote')],
})
