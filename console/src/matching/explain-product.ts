// Why a product id weighs what it does, how it was found, and what that rests on.
import type { Explanation } from '../components/explanation.ts'
import { KG } from '../emissions/kilograms.ts'
import type { Format } from '../i18n/format.ts'
import type { Say } from '../i18n/language.tsx'
import { said } from '../i18n/service-text.tsx'
import type en from './messages.en.json'
import { readMatch, postedOn, type Product, type Sums } from './products.ts'

type SayOfMatching = Say<keyof typeof en>

/** Asks what the words would be taken for now, since that is what the next order will be charged by. */
export async function explainProduct(product: Product, say: SayOfMatching, { told }: Format): Promise<Explanation> {
  const { product_id: id, posted_emission: value, footprint_id: charged, state } = product
  const match = await readMatch(product)
  const [best] = match.candidates
  return {
    title: say('whyProduct', { id }),
    value,
    unit: KG,
    notes: [
      say('whatHangs', { orders: product.number_of_orders, devices: product.number_of_devices }),
      say(`${state}Why`),
      ...(charged.length > 0 ? [say('chargedBy', { names: charged.join(', ') })] : []),
      say('wouldBe', { name: match.resolved_to, found: told(match.match_method, 'found') }),
      ...(match.note === undefined ? [] : [said(match.note)]),
      ...(best ? [`${best.name}: ${best.reasons.map((reason) => told(reason)).join('; ')}`] : []),
    ],
    methodology: 'METHODOLOGY.md#fallbacks',
  }
}

export function explainCandidate(
  { product_id: id }: Product,
  { name, score, reasons }: Product['candidates'][number],
  say: SayOfMatching,
): Explanation {
  return {
    title: say('whyScore', { name, id }),
    value: score,
    unit: say('ofOne'),
    notes: [...reasons.map((reason) => said(reason)), say('scoreNote')],
    methodology: 'METHODOLOGY.md#families',
  }
}

export function explainShare(sums: Sums, value: number, say: SayOfMatching): Explanation {
  const mapped = postedOn(sums.filter(({ state }) => state === 'mapped'))
  const whole = postedOn(sums)
  return {
    title: say('progress'),
    value,
    unit: '%',
    formula: `100 × ${mapped} ÷ ${whole} = ${value}`,
    inputs: sums.map(({ state, posted_emission: posted }, at) => ({
      symbol: `${at + 1}`,
      name: say(state),
      value: posted,
      unit: KG,
      from: '',
    })),
    notes: [say('certainNote'), say('note')],
  }
}

export const explainSum = (sum: Sums[number], what: 'count' | 'posted', say: SayOfMatching): Explanation => ({
  title: say(sum.state),
  value: what === 'count' ? sum.number_of_products : sum.posted_emission,
  unit: what === 'count' ? say('productIds') : KG,
  notes: [say(`${sum.state}Why`), say(what === 'count' ? 'countNote' : 'postedNote')],
})
