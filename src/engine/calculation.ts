// How a line came about: its formula with the symbols filled in, its inputs, its factors and their sources.
import type { Line, Working } from './estimate.ts'
import { aliasKey, type FactorBook, type Source } from './factor-book.ts'
import type { Footprint } from './footprint.ts'
import { toKilograms, type Milligrams } from './line.ts'
import { ZERO, compare, subtract, toDecimal, whole, type Ratio } from './ratio.ts'
import type { ResolvedPackaging, ResolvedProduct, ResolvedTransportation } from './resolve.ts'

export interface Input {
  readonly symbol: string
  readonly name: string
  readonly value: Ratio
  readonly unit: string
  /** Where the value comes from: the order itself, the device's sheet, the defaults by type, or the device's ledger. */
  readonly from: 'order' | 'sheet' | 'type default' | 'ledger' | 'distance adjustment'
}

export interface Factor {
  readonly symbol: string
  readonly id: string
  readonly value: Ratio
  readonly unit: string
  readonly source: Source
  readonly dataset_release: string
}

export interface Calculation {
  readonly method: Working['method']
  /** Where the formula stands in METHODOLOGY.md. */
  readonly methodology: string
  readonly formula: string
  readonly inputs: readonly Input[]
  readonly factors: readonly Factor[]
  /** What a reader would want to be told: what was assumed, what stands in for what. */
  readonly notes: readonly string[]
}

/** Spells out the working of one line, for a reader who wants to recompute it. */
export function calculationOf({ working, emission }: Line, book: FactorBook): Calculation {
  const explained = explain(working, emission, book)
  return {
    method: working.method,
    methodology: `METHODOLOGY.md#${explained.anchor}`,
    formula: explained.formula,
    inputs: explained.inputs,
    factors: explained.factors,
    notes: explained.notes,
  }
}

type Explained = Omit<Calculation, 'method' | 'methodology'> & { readonly anchor: string }

function explain(working: Working, emission: Milligrams, book: FactorBook): Explained {
  switch (working.method) {
    case 'embodied-linear': return explainEmbodied(working, emission, book)
    case 'use-by-share': return explainShare(working.item, emission, book)
    case 'use-by-grid': return explainGrid(working, emission, book)
    case 'tonne-kilometres': return explainTransport(working.item, emission, book)
    case 'mass': return explainPackaging(working.item, emission, book)
  }
}

const show = (value: Ratio): string => toDecimal(value)
const equals = (emission: Milligrams): string => `= ${toKilograms(emission)}`

function explainEmbodied(
  { item, share }: Extract<Working, { method: 'embodied-linear' }>, emission: Milligrams, book: FactorBook,
): Explained {
  const { footprint } = item
  const t = whole(item.product.tenureMonths)
  const monthsBefore = subtract(share.balance.monthsAllocated, share.allocatedMonths)
  return {
    anchor: 'embodied',
    formula: `E ÷ L × min(t, L − T) = ${show(footprint.embodied)} ÷ ${show(footprint.lifetimeMonths)} × `
      + `min(${show(t)}, ${show(footprint.lifetimeMonths)} − ${show(monthsBefore)}) ${equals(emission)}`,
    inputs: [
      tenureInput(item),
      lifetimeInput(footprint),
      { symbol: 'T', name: 'ledger_months_before', value: monthsBefore, unit: 'months', from: 'ledger' },
      { symbol: 't_alloc', name: 'allocated_months', value: share.allocatedMonths, unit: 'months', from: 'ledger' },
      { symbol: 't − t_alloc', name: 'unallocated_tenure_months', value: share.unallocatedMonths, unit: 'months', from: 'ledger' },
    ],
    factors: [productFactor('E', footprint.embodied, 'kgCO2e/device', item, book)],
    notes: [...matchNotes(item, book), ...defaultNotes(footprint)],
  }
}

function explainShare(item: ResolvedProduct, emission: Milligrams, book: FactorBook): Explained {
  const { footprint } = item
  const pool = footprint.useOverLifetime!
  return {
    anchor: 'use-by-share',
    formula: `(P × u) × t ÷ L = ${show(pool)} × ${item.product.tenureMonths} ÷ ${show(footprint.lifetimeMonths)} ${equals(emission)}`,
    inputs: [tenureInput(item), lifetimeInput(footprint)],
    factors: [productFactor('P × u', pool, 'kgCO2e/device', item, book)],
    notes: [
      'The maker’s own use pattern and grid stand behind this figure; do not add it to metered electricity.',
      ...footprint.useFrom === 'type' ? [`The use share is the one of the type ${footprint.typeDefault.type}.`] : [],
      ...defaultNotes(footprint),
    ],
  }
}

function explainGrid(
  { item, use }: Extract<Working, { method: 'use-by-grid' }>, emission: Milligrams, book: FactorBook,
): Explained {
  const energy = item.footprint.yearlyEnergyKwh!
  const terms = use.years.map(({ months, factor }) => `${show(months)} ÷ 12 × ${show(factor.factor)}`)
  return {
    anchor: 'use-by-grid',
    formula: `W × Σ(months ÷ 12 × EF) = ${show(energy)} × (${terms.join(' + ')}) ${equals(emission)}`,
    inputs: [
      tenureInput(item),
      { symbol: 'W', name: 'yearly_energy_kwh', value: energy, unit: 'kWh/year',
        from: item.footprint.energyFrom === 'sheet' ? 'sheet' : 'type default' },
      ...use.years.map(({ year, months }) =>
        ({ symbol: `months_${year}`, name: `months_in_${year}`, value: months, unit: 'months', from: 'order' as const })),
    ],
    factors: use.years.map(({ year, factor }) => ({
      symbol: `EF_${year}`, id: `grid-${item.country}-${factor.year}`, value: factor.factor, unit: 'kgCO2e/kWh',
      source: factor.source, dataset_release: book.release,
    })),
    notes: use.years.filter(({ year, factor }) => factor.year !== year)
      .map(({ year, factor }) => `There is no grid factor of ${year}; the one of ${factor.year} stands in.`),
  }
}

function explainTransport(item: ResolvedTransportation, emission: Milligrams, book: FactorBook): Explained {
  const { transportation, factor, distanceKm } = item
  const isAdjusted = compare(distanceKm, transportation.distanceKm) !== 0
  const isNothing = emission === 0n && compare(transportation.weightKg, ZERO) * compare(transportation.distanceKm, ZERO) === 0
  return {
    anchor: 'transport',
    formula: `m ÷ 1000 × d × g = ${show(transportation.weightKg)} ÷ 1000 × ${show(distanceKm)} × ${show(factor.factor)} ${equals(emission)}`,
    inputs: [
      { symbol: 'm', name: 'weight_kg', value: transportation.weightKg, unit: 'kg', from: 'order' },
      { symbol: isAdjusted ? 'd_stated' : 'd', name: 'distance_km', value: transportation.distanceKm, unit: 'km', from: 'order' },
      ...isAdjusted ? [{ symbol: 'd', name: `distance_km_${factor.distanceBasis}`, value: distanceKm, unit: 'km',
        from: 'distance adjustment' as const }] : [],
    ],
    factors: [{ symbol: 'g', id: factor.id, value: factor.factor, unit: 'kgCO2e/t.km', source: factor.source, dataset_release: book.release }],
    notes: isNothing ? ['Nothing was moved: the weight or the distance is 0.'] : [],
  }
}

function explainPackaging({ packaging, factor }: ResolvedPackaging, emission: Milligrams, book: FactorBook): Explained {
  return {
    anchor: 'packaging',
    formula: `m × f = ${show(packaging.weightKg)} × ${show(factor.factor)} ${equals(emission)}`,
    inputs: [{ symbol: 'm', name: 'weight_kg', value: packaging.weightKg, unit: 'kg', from: 'order' }],
    factors: [{ symbol: 'f', id: factor.id, value: factor.factor, unit: 'kgCO2e/kg', source: factor.source, dataset_release: book.release }],
    notes: ['Cradle to gate; the end of life of the packaging is not in it.'],
  }
}

const tenureInput = (item: ResolvedProduct): Input =>
  ({ symbol: 't', name: 'tenure_months', value: whole(item.product.tenureMonths), unit: 'months', from: 'order' })

const lifetimeInput = ({ lifetimeMonths, lifetimeFrom }: Footprint): Input => ({
  symbol: 'L', name: 'lifetime_months', value: lifetimeMonths, unit: 'months',
  from: lifetimeFrom === 'sheet' ? 'sheet' : 'type default',
})

function productFactor(symbol: string, value: Ratio, unit: string, item: ResolvedProduct, book: FactorBook): Factor {
  return { symbol, id: item.basis, value, unit, source: item.footprint.source, dataset_release: book.release }
}

/** Nothing is matched silently: what the product was taken for, and by what. */
function matchNotes({ product, basis, footprint }: ResolvedProduct, book: FactorBook): readonly string[] {
  if (footprint.level === 'model') {
    const [member, text] = product.modelId === null ? ['product_id', product.productId] : ['model_id', product.modelId]
    return [`The model ${basis} was found by ${member}${text === basis ? '' : `, which bears its alias "${text}"`}.`]
  }
  const bearers = book.aliases.get(aliasKey(product.productId))?.length ?? 0
  const why = bearers > 1 ? `"${product.productId}" fits ${bearers} variants` : `no model bears "${product.productId}"`
  return [`No model was found: ${why}; ${footprint.level === 'type' ? 'the mean of its type' : 'its weight'} stands in.`]
}

function defaultNotes({ lifetimeFrom, typeDefault }: Footprint): readonly string[] {
  if (lifetimeFrom === 'sheet') return []
  const how = typeDefault.assumed ? 'an assumption' : 'a median'
  return [`The lifetime is ${how} for the type ${typeDefault.type}, as no sheet states it.`]
}
