// How the two lines of a product came about: its embodied emission, and its use by share or by grid.
import { isFullyAmortised, openBalance, type Balance } from './device-ledger.ts'
import type { RentalRun } from './device-run.ts'
import type { Working } from './estimated-line.ts'
import { equals, factorOf, show, type Explanation, type Input } from './explanation.ts'
import { explainEmbodiedPool, explainUsePool, nameType } from './explain-pool.ts'
import { aliasKey, type DeviceType, type FactorBook } from './factor-book.ts'
import { isExact, mappingIn } from './find-product.ts'
import type { Footprint } from './footprint.ts'
import type { Milligrams } from './line.ts'
import { endSentence } from './order-event-terms.ts'
import { ZERO, compare, whole, type Ratio } from './ratio.ts'
import type { ResolvedProduct } from './resolve.ts'
import type { YearsOfUse } from './use-phase.ts'

type Embodied = Extract<Working, { method: 'embodied-linear' }>

export function explainEmbodied({ item, run }: Embodied, emission: Milligrams): Explanation {
  const { before, share } = run
  const pool = explainEmbodiedPool(item, item.footprintBook)
  return {
    anchor: 'embodied',
    formula: `${embodiedFormula(item, run)} ${equals(emission)}`,
    inputs: [
      ...pool.inputs,
      tenureInput(item, run),
      ...(isRefurbished(item, run) ? refurbishedInputs(before) : [lifetimeInput(item.footprint)]),
      monthsInput('T', 'ledger_months_before', before.monthsAllocated, 'ledger'),
      monthsInput('t_alloc', 'allocated_months', share.allocatedMonths, 'computed'),
      monthsInput('t − t_alloc', 'unallocated_tenure_months', share.unallocatedMonths, 'computed'),
    ],
    factors: pool.factors,
    notes: [
      ...matchNotes(item, item.footprintBook),
      ...ownBasisNotes(item),
      ...pool.notes,
      ...lifetimeNotes(item.footprint),
      ...ledgerNotes(item, run),
    ],
    ledger: {
      ledger_months_before: before.monthsAllocated,
      allocated_months: share.allocatedMonths,
      unallocated_tenure_months: share.unallocatedMonths,
      left_before: before.pool,
      left_after: share.balance.pool,
      fully_amortised: isFullyAmortised(share.balance),
    },
  }
}

function embodiedFormula(item: ResolvedProduct, { before, months }: RentalRun): string {
  const { embodied, lifetimeMonths } = item.footprint
  const [lifetime, given, tenure] = [before.lifetimeMonths, before.monthsAllocated, months].map(show)
  const isSpent = before.isCapped && isFullyAmortised(before) && compare(before.pool, ZERO) !== 0
  if (isSpent) return `pool = ${show(before.pool)}`
  const wanted = before.isCapped ? `min(t, L − T)` : 't'
  const counted = before.isCapped ? `min(${tenure}, ${lifetime} − ${given})` : tenure
  return isRefurbished(item, { before })
    ? `r × ${wanted} = ${show(before.rate)} × ${counted}`
    : `E ÷ L × ${wanted} = ${show(embodied)} ÷ ${show(lifetimeMonths)} × ${counted}`
}

/** True where the ledger's rate is no longer that of the new device. */
function isRefurbished({ footprint }: ResolvedProduct, { before }: Pick<RentalRun, 'before'>): boolean {
  const opening = openBalance(footprint.embodied, footprint.lifetimeMonths)
  return compare(before.rate, opening.rate) !== 0 || compare(before.lifetimeMonths, opening.lifetimeMonths) !== 0
}

const refurbishedInputs = ({ rate, lifetimeMonths }: Balance): readonly Input[] => [
  { symbol: 'r', name: 'kg_per_month', value: rate, unit: 'kgCO2e/month', from: 'ledger' },
  monthsInput('L', 'lifetime_months_extended', lifetimeMonths, 'ledger'),
]

export function explainByShare(
  { item, run }: Extract<Working, { method: 'use-by-share' }>,
  emission: Milligrams,
): Explanation {
  const { footprint } = item
  const pool = explainUsePool(item, item.footprintBook)
  return {
    anchor: 'use-by-share',
    formula:
      `(P × u) × t ÷ L = ${show(footprint.useOverLifetime!)} × ${show(run.months)} ÷ ` +
      `${show(footprint.lifetimeMonths)} ${equals(emission)}`,
    inputs: [...pool.inputs, tenureInput(item, run), lifetimeInput(footprint)],
    factors: pool.factors,
    notes: [...pool.notes, 'Do not add it to metered electricity, which has it already.', ...lifetimeNotes(footprint)],
  }
}

export function explainByGrid(
  { item, run, use }: Extract<Working, { method: 'use-by-grid' }>,
  emission: Milligrams,
  book: FactorBook,
): Explanation {
  const { footprint, country, basis, footprintBook } = item
  const energy = footprint.yearlyEnergyKwh!
  const terms = use.years.map(({ months, factor }) => `${show(months)} ÷ 12 × ${show(factor.factor)}`)
  const isOwn = footprint.energyFrom === 'sheet'
  return {
    anchor: 'use-by-grid',
    formula: `W × Σ(months ÷ 12 × EF) = ${show(energy)} × (${terms.join(' + ') || '0'}) ${equals(emission)}`,
    inputs: [
      tenureInput(item, run),
      ...use.years.map((years) =>
        monthsInput(`months_${years.year}`, `months_in_${nameYears(years)}`, years.months, 'computed'),
      ),
    ],
    factors: [
      isOwn
        ? factorOf('W', basis, energy, 'kWh/year', footprint.source, footprintBook)
        : factorOf('W', nameType(footprint), energy, 'kWh/year', footprint.typeDefault.source, footprintBook),
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

/** The tenure as the order states it, or what became of it. */
const tenureInput = ({ product }: ResolvedProduct, { months }: RentalRun): Input =>
  compare(months, whole(product.tenureMonths)) === 0
    ? monthsInput('t', 'tenure_months', months, 'order')
    : monthsInput('t', 'months_held', months, 'ledger')

const lifetimeInput = ({ lifetimeMonths, lifetimeFrom }: Footprint): Input =>
  monthsInput('L', 'lifetime_months', lifetimeMonths, lifetimeFrom === 'sheet' ? 'sheet' : 'type default')

const lifetimeNotes = (footprint: Footprint): readonly string[] =>
  footprint.lifetimeFrom === 'sheet'
    ? []
    : [`The lifetime is that of ${nameType(footprint)}: no sheet of the model states it.`]

/** Nothing is matched silently: what the product was taken for, and by what. */
function matchNotes(item: ResolvedProduct, book: FactorBook): readonly string[] {
  const { product, ownBasis, basis, footprint, found } = item
  if (ownBasis !== basis) return []
  const mapping = mappingIn(found)
  if (mapping)
    return [`The account maps "${product.productId}" to ${mapping.modelId ?? nameOfType(mapping.deviceType)}.`]
  if (footprint.level === 'model') return [isExact(found) ? exactNote(item) : guessNote(item)]
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

const nameOfType = (type: DeviceType): string => `the type ${type.replace('_', ' ')}, without a model`

function exactNote({ product, basis, found }: ResolvedProduct): string {
  const [member, text] =
    found === 'model_id' ? (['model_id', product.modelId ?? ''] as const) : (['product_id', product.productId] as const)
  return `The model ${basis} was found by ${member}${aliasKey(text) === basis ? '' : `, its alias "${text}"`}.`
}

function guessNote({ product, basis, found }: ResolvedProduct): string {
  const texts = [product.productName, product.productId].filter((text) => text !== null)
  const words = `The words ${texts.map((text) => `"${text}"`).join(' and ')} were taken for the model ${basis}`
  return found === 'variant'
    ? `${words}, the nearest variant that is published: they name another one, or leave open which.`
    : `${words}.`
}

const CANDIDATES_NAMED_MAX = 5

/** The first order that was accepted for a device decides what it is charged by. */
const ownBasisNotes = ({ ownBasis, basis, footprintBook }: ResolvedProduct): readonly string[] =>
  ownBasis === basis
    ? []
    : [
        `By itself the order would be charged by ${ownBasis}; the device is charged by ${basis}, ` +
          `as its first order fixed with release ${footprintBook.release}.`,
      ]

function ledgerNotes(
  { product }: ResolvedProduct,
  { terms, end, months, endedBy, before }: RentalRun,
): readonly string[] {
  const notes: string[] = []
  if (!before.isCapped) notes.push('The account charges every month in full: earlier rentals do not lower it.')
  if (compare(months, whole(product.tenureMonths)) !== 0) {
    notes.push(`Held from ${terms.start} to ${end}: ${show(months)} months of the ${product.tenureMonths} ordered.`)
  }
  if (endedBy) notes.push(`The device ${endSentence({ end, endedBy })}, before its planned end on ${terms.end}.`)
  return notes
}
