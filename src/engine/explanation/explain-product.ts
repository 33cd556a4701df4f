// How the two lines of a product came about: its embodied emission, and its use by share or by grid.
import { isFullyAmortised, isSpent, openBalance, type Balance } from '../device-ledger.ts'
import type { RentalRun } from '../device-run.ts'
import type { Working } from '../estimated-line.ts'
import { equals, factorOf, show, type Explanation, type Input } from './explanation.ts'
import { explainEmbodiedPool, explainUsePool, nameType } from './explain-pool.ts'
import { matchNotes } from './explain-match.ts'
import type { FactorBook } from '../figures/factor-book.ts'
import type { Footprint } from '../figures/footprint.ts'
import { toKilograms, toMilligrams, type Milligrams } from '../numbers/line.ts'
import { endSentence } from '../order-event-terms.ts'
import { ZERO, compare, subtract, whole, type Ratio } from '../numbers/ratio.ts'
import type { ResolvedProduct } from '../resolve.ts'
import type { YearsOfUse } from '../use-phase.ts'

const REFURBISHED_NOTE =
  'r = (what was left + what the last refurbishment added) ÷ months left with those that it added; the story of the ' +
  'device shows each.'

type Embodied = Extract<Working, { method: 'embodied-linear' }>

export function explainEmbodied({ item, run }: Embodied, emission: Milligrams): Explanation {
  const { before, share } = run
  const pool = explainEmbodiedPool(item, item.footprintBook)
  return {
    anchor: isRefurbished(item, run) ? 'refurbishment' : 'embodied',
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
      ...(isRefurbished(item, run) ? [REFURBISHED_NOTE] : []),
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

/** True for the rental that is charged what a refurbishment of a spent device left to give. */
const takesBurden = ({ before, share }: RentalRun): boolean =>
  before.isCapped && isSpent(before) && compare(before.pool, share.balance.pool) !== 0

function embodiedFormula(item: ResolvedProduct, run: RentalRun): string {
  const { before, months } = run
  const { embodied, lifetimeMonths } = item.footprint
  const [lifetime, given, tenure] = [before.lifetimeMonths, before.monthsAllocated, months].map(show)
  if (takesBurden(run)) return `left = ${show(before.pool)}`
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

/** The first order that was accepted for a device decides what it is charged by. */
const ownBasisNotes = ({ ownBasis, basis, footprintBook }: ResolvedProduct): readonly string[] =>
  ownBasis === basis
    ? []
    : [
        `By itself the order would be charged by ${ownBasis}; the device is charged by ${basis}, ` +
          `as its first order fixed with release ${footprintBook.release}.`,
      ]

function ledgerNotes({ product }: ResolvedProduct, run: RentalRun): readonly string[] {
  const { terms, end, months, endedBy, before } = run
  const notes: string[] = []
  if (!before.isCapped) notes.push('The account charges every month in full: earlier rentals do not lower it.')
  if (compare(months, whole(product.tenureMonths)) !== 0) {
    notes.push(`Held from ${terms.start} to ${end}: ${show(months)} months; ${product.tenureMonths} were ordered.`)
  }
  if (endedBy) notes.push(`The device ${endSentence({ end, endedBy })}, before its planned end on ${terms.end}.`)
  return [...notes, ...balanceNotes(run), ...roundingNotes(run)]
}

/** Why a rental is given nothing, or all that is left at once. */
function balanceNotes(run: RentalRun): readonly string[] {
  const { before } = run
  if (takesBurden(run))
    return ['The device was refurbished with no month of lifetime left: this rental is charged it all.']
  if (compare(before.residual, ZERO) !== 0) return ['The device was retired or lost before: nothing is left to give.']
  return before.isCapped && isFullyAmortised(before) ? ['Earlier rentals were given all that is embodied.'] : []
}

/** Lines of one device add up to its whole; so one of them may be a milligram off its own formula. */
function roundingNotes({ before, share }: RentalRun): readonly string[] {
  const given = subtract(share.balance.allocated, before.allocated)
  if (toMilligrams(given) === share.emission) return []
  const [after, earlier] = [share.balance.allocated, before.allocated].map((sum) => toKilograms(toMilligrams(sum)))
  return [`Posted is what the rounded sum of all rentals of the device grew by: ${after} − ${earlier}.`]
}
