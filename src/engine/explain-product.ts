// How the two lines of a product came about: its embodied emission, and its use by share or by grid.
import type { Working } from './estimate.ts'
import { equals, show, type Explanation, type Factor, type Input } from './explanation.ts'
import { aliasKey, type FactorBook } from './factor-book.ts'
import type { Footprint } from './footprint.ts'
import type { Milligrams } from './line.ts'
import { subtract, whole, type Ratio } from './ratio.ts'
import type { ResolvedProduct } from './resolve.ts'

export function explainEmbodied(
  { item, share }: Extract<Working, { method: 'embodied-linear' }>,
  emission: Milligrams,
  book: FactorBook,
): Explanation {
  const { footprint } = item
  const t = whole(item.product.tenureMonths)
  const monthsBefore = subtract(share.balance.monthsAllocated, share.allocatedMonths)
  return {
    anchor: 'embodied',
    formula:
      `E ÷ L × min(t, L − T) = ${show(footprint.embodied)} ÷ ${show(footprint.lifetimeMonths)} × ` +
      `min(${show(t)}, ${show(footprint.lifetimeMonths)} − ${show(monthsBefore)}) ${equals(emission)}`,
    inputs: [
      tenureInput(item),
      lifetimeInput(footprint),
      { symbol: 'T', name: 'ledger_months_before', value: monthsBefore, unit: 'months', from: 'ledger' },
      { symbol: 't_alloc', name: 'allocated_months', value: share.allocatedMonths, unit: 'months', from: 'ledger' },
      {
        symbol: 't − t_alloc',
        name: 'unallocated_tenure_months',
        value: share.unallocatedMonths,
        unit: 'months',
        from: 'ledger',
      },
    ],
    factors: [productFactor('E', footprint.embodied, 'kgCO2e/device', item, book)],
    notes: [...matchNotes(item, book), ...embodiedNotes(footprint), ...defaultNotes(footprint), BALANCE_NOTE],
  }
}

export function explainByShare(item: ResolvedProduct, emission: Milligrams, book: FactorBook): Explanation {
  const { footprint } = item
  const pool = footprint.useOverLifetime!
  return {
    anchor: 'use-by-share',
    formula:
      `(P × u) × t ÷ L = ${show(pool)} × ${item.product.tenureMonths} ÷ ${show(footprint.lifetimeMonths)} ` +
      equals(emission),
    inputs: [tenureInput(item), lifetimeInput(footprint)],
    factors: [productFactor('P × u', pool, 'kgCO2e/device', item, book)],
    notes: [
      'Makers’ own use patterns and grids stand behind this figure; do not add it to metered electricity.',
      ...(footprint.useFrom === 'type' ? [`The use share is ${stateDefault(footprint)}.`] : []),
      ...defaultNotes(footprint),
    ],
  }
}

export function explainByGrid(
  { item, use }: Extract<Working, { method: 'use-by-grid' }>,
  emission: Milligrams,
  book: FactorBook,
): Explanation {
  const energy = item.footprint.yearlyEnergyKwh!
  const terms = use.years.map(({ months, factor }) => `${show(months)} ÷ 12 × ${show(factor.factor)}`)
  return {
    anchor: 'use-by-grid',
    formula: `W × Σ(months ÷ 12 × EF) = ${show(energy)} × (${terms.join(' + ') || '0'}) ${equals(emission)}`,
    inputs: [
      tenureInput(item),
      {
        symbol: 'W',
        name: 'yearly_energy_kwh',
        value: energy,
        unit: 'kWh/year',
        from: item.footprint.energyFrom === 'sheet' ? 'sheet' : 'type default',
      },
      ...use.years.map(({ year, months }) => ({
        symbol: `months_${year}`,
        name: `months_in_${year}`,
        value: months,
        unit: 'months',
        from: 'order' as const,
      })),
    ],
    factors: use.years.map(({ year, factor }) => ({
      symbol: `EF_${year}`,
      id: `grid-${item.country}-${factor.year}`,
      value: factor.factor,
      unit: 'kgCO2e/kWh',
      source: factor.source,
      dataset_release: book.release,
    })),
    notes: use.years
      .filter(({ year, factor }) => factor.year !== year)
      .map(({ year, factor }) => `There is no grid factor of ${year}; the one of ${factor.year} stands in.`),
  }
}

const tenureInput = (item: ResolvedProduct): Input => ({
  symbol: 't',
  name: 'tenure_months',
  value: whole(item.product.tenureMonths),
  unit: 'months',
  from: 'order',
})

const lifetimeInput = ({ lifetimeMonths, lifetimeFrom }: Footprint): Input => ({
  symbol: 'L',
  name: 'lifetime_months',
  value: lifetimeMonths,
  unit: 'months',
  from: lifetimeFrom === 'sheet' ? 'sheet' : 'type default',
})

function productFactor(symbol: string, value: Ratio, unit: string, item: ResolvedProduct, book: FactorBook): Factor {
  return { symbol, id: item.basis, value, unit, source: item.footprint.source, dataset_release: book.release }
}

/** Nothing is matched silently: what the product was taken for, and by what. */
function matchNotes({ product, basis, footprint }: ResolvedProduct, book: FactorBook): readonly string[] {
  if (footprint.level === 'model') {
    const [member, text] = product.modelId === null ? ['product_id', product.productId] : ['model_id', product.modelId]
    return [`The model ${basis} was found by ${member}${aliasKey(text) === basis ? '' : `, its alias "${text}"`}.`]
  }
  const bearers = book.aliases.get(aliasKey(product.productId))?.length ?? 0
  const why = bearers > 1 ? `"${product.productId}" fits ${bearers} variants` : `no model bears "${product.productId}"`
  return [
    `No model was found: ${why}; ${footprint.level === 'type' ? 'the mean of its type' : 'its weight'} stands in.`,
  ]
}

const BALANCE_NOTE =
  'Each order is capped by itself: what earlier orders gave of this device is not counted, so T is 0.'

/** What E rests on beside the sheet's total. */
function embodiedNotes({ model, useFrom, typeDefault }: Footprint): readonly string[] {
  if (!model) return []
  if (!model.total) return ['The sheet gives production alone: that is E, and no share of use follows from it.']
  return useFrom === 'type' ? [`E is the total less the use share of the type ${typeDefault.type}.`] : []
}

const defaultNotes = (footprint: Footprint): readonly string[] =>
  footprint.lifetimeFrom === 'sheet' ? [] : [`The lifetime is ${stateDefault(footprint)}.`]

/** What a figure rests on that no sheet of this very model gives. */
function stateDefault({ typeDefault: { type, assumed } }: Footprint): string {
  const of = type === 'any' ? 'all types together' : `the type ${type}`
  return `${assumed ? 'an assumption' : 'the median'} for ${of}, as no sheet of the model states it`
}
