// How the two lines of a product came about: its embodied emission, and its use by share or by grid.
import type { Working } from './estimate.ts'
import { equals, factorOf, show, type Explanation, type Input } from './explanation.ts'
import { explainEmbodiedPool, explainUsePool, nameType } from './explain-pool.ts'
import { aliasKey, type FactorBook } from './factor-book.ts'
import type { Footprint } from './footprint.ts'
import type { Milligrams } from './line.ts'
import { subtract, whole, type Ratio } from './ratio.ts'
import type { ResolvedProduct } from './resolve.ts'
import type { YearsOfUse } from './use-phase.ts'

export function explainEmbodied(
  { item, share }: Extract<Working, { method: 'embodied-linear' }>,
  emission: Milligrams,
  book: FactorBook,
): Explanation {
  const { embodied, lifetimeMonths } = item.footprint
  const monthsBefore = subtract(share.balance.monthsAllocated, share.allocatedMonths)
  const pool = explainEmbodiedPool(item, book)
  const lifetime = show(lifetimeMonths)
  return {
    anchor: 'embodied',
    formula:
      `E ÷ L × min(t, L − T) = ${show(embodied)} ÷ ${lifetime} × ` +
      `min(${item.product.tenureMonths}, ${lifetime} − ${show(monthsBefore)}) ${equals(emission)}`,
    inputs: [
      ...pool.inputs,
      tenureInput(item),
      lifetimeInput(item.footprint),
      monthsInput('T', 'ledger_months_before', monthsBefore, 'assumed'),
      monthsInput('t_alloc', 'allocated_months', share.allocatedMonths, 'computed'),
      monthsInput('t − t_alloc', 'unallocated_tenure_months', share.unallocatedMonths, 'computed'),
    ],
    factors: pool.factors,
    notes: [...matchNotes(item, book), ...pool.notes, ...lifetimeNotes(item.footprint), BALANCE_NOTE],
  }
}

export function explainByShare(item: ResolvedProduct, emission: Milligrams, book: FactorBook): Explanation {
  const { footprint, product } = item
  const pool = explainUsePool(item, book)
  return {
    anchor: 'use-by-share',
    formula:
      `(P × u) × t ÷ L = ${show(footprint.useOverLifetime!)} × ${product.tenureMonths} ÷ ` +
      `${show(footprint.lifetimeMonths)} ${equals(emission)}`,
    inputs: [...pool.inputs, tenureInput(item), lifetimeInput(footprint)],
    factors: pool.factors,
    notes: [...pool.notes, 'Do not add it to metered electricity, which has it already.', ...lifetimeNotes(footprint)],
  }
}

export function explainByGrid(
  { item, use }: Extract<Working, { method: 'use-by-grid' }>,
  emission: Milligrams,
  book: FactorBook,
): Explanation {
  const { footprint, country, basis } = item
  const energy = footprint.yearlyEnergyKwh!
  const terms = use.years.map(({ months, factor }) => `${show(months)} ÷ 12 × ${show(factor.factor)}`)
  const isOwn = footprint.energyFrom === 'sheet'
  return {
    anchor: 'use-by-grid',
    formula: `W × Σ(months ÷ 12 × EF) = ${show(energy)} × (${terms.join(' + ') || '0'}) ${equals(emission)}`,
    inputs: [
      tenureInput(item),
      ...use.years.map((years) =>
        monthsInput(`months_${years.year}`, `months_in_${nameYears(years)}`, years.months, 'computed'),
      ),
    ],
    factors: [
      isOwn
        ? factorOf('W', basis, energy, 'kWh/year', footprint.source, book)
        : factorOf('W', nameType(footprint), energy, 'kWh/year', footprint.typeDefault.source, book),
      ...use.years.map(({ year, factor }) =>
        factorOf(`EF_${year}`, `grid-${country}`, factor.factor, 'kgCO2e/kWh', factor.source, book),
      ),
    ],
    notes: [
      ...(isOwn ? [] : [`The electricity is that of ${nameType(footprint)}: no sheet of the model states it.`]),
      ...use.years.flatMap(gridNotes),
    ],
  }
}

const nameYears = ({ year, lastYear }: YearsOfUse): string => (year === lastYear ? `${year}` : `${year}_to_${lastYear}`)

function gridNotes(years: YearsOfUse): readonly string[] {
  const { year, latestYear } = years.factor
  const used = nameYears(years).replace('_to_', ' to ')
  if (year !== latestYear)
    return [`The year of the grid factor taken for ${used} is not stated: it is of ${year} to ${latestYear}.`]
  return used === `${year}` ? [] : [`The grid factor of ${year} is taken for ${used}: the nearest that there is.`]
}

const monthsInput = (symbol: string, name: string, value: Ratio, from: Input['from']): Input => ({
  symbol,
  name,
  value,
  unit: 'months',
  from,
})

const tenureInput = ({ product }: ResolvedProduct): Input =>
  monthsInput('t', 'tenure_months', whole(product.tenureMonths), 'order')

const lifetimeInput = ({ lifetimeMonths, lifetimeFrom }: Footprint): Input =>
  monthsInput('L', 'lifetime_months', lifetimeMonths, lifetimeFrom === 'sheet' ? 'sheet' : 'type default')

const lifetimeNotes = (footprint: Footprint): readonly string[] =>
  footprint.lifetimeFrom === 'sheet'
    ? []
    : [`The lifetime is that of ${nameType(footprint)}: no sheet of the model states it.`]

/** Nothing is matched silently: what the product was taken for, and by what. */
function matchNotes({ product, basis, footprint }: ResolvedProduct, book: FactorBook): readonly string[] {
  if (footprint.level === 'model') {
    const [member, text] = product.modelId === null ? ['product_id', product.productId] : ['model_id', product.modelId]
    return [`The model ${basis} was found by ${member}${aliasKey(text) === basis ? '' : `, its alias "${text}"`}.`]
  }
  const bearers = book.aliases.get(aliasKey(product.productId)) ?? []
  const named = bearers.slice(0, CANDIDATES_NAMED_MAX).join(', ') + (bearers.length > CANDIDATES_NAMED_MAX ? ', …' : '')
  const why =
    bearers.length > 1
      ? `"${product.productId}" fits ${bearers.length} models (${named})`
      : `no model bears "${product.productId}"`
  return [
    `No model was found: ${why}; ${footprint.level === 'type' ? 'the mean of its type' : 'its weight'} stands in.`,
  ]
}

const CANDIDATES_NAMED_MAX = 5

const BALANCE_NOTE =
  'Each order is capped by itself: what earlier orders gave of this device is not counted, so T is taken as 0.'
