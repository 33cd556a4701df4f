// Explanations of a product's two lines: embodied emission, and use by share or by grid.
import { isFullyAmortised, isLifetimeExhausted, openBalance, type EmbodiedBalance } from '../device-ledger.ts'
import type { AllocatedRental } from '../device-timeline.ts'
import type { CalculationInputs } from '../estimate.ts'
import { formatResult, toFactor, formatRational, type Explanation, type Factor, type Input } from './explanation.ts'
import { explainEmbodiedResidual, explainUseResidual, deviceTypeLabel } from './residual.ts'
import { matchNotes } from './match.ts'
import { FIGURE_NOTE_MESSAGES as FIGURE_NOTES, LEDGER_NOTE_MESSAGES as LEDGER_NOTES } from './messages.ts'
import type { Message } from '../message.ts'
import type { ReferenceData } from '../reference/reference-data.ts'
import type { Footprint } from '../reference/footprint.ts'
import { toKilograms, toMilligrams, type Milligrams } from '../numbers/emission.ts'
import { describeRentalEnd } from '../order-events.ts'
import { sentIdOf } from '../order-revision.ts'
import { ZERO, compare, subtract, whole, type Rational } from '../numbers/rational.ts'
import type { ResolvedProduct } from '../resolve-order.ts'
import type { YearsOfUse } from '../use-phase.ts'

type Embodied = Extract<CalculationInputs, { method: 'embodied-linear' }>

export function explainEmbodied({ item, run }: Embodied, emission: Milligrams): Explanation {
  const { before, share } = run
  const pool = explainEmbodiedResidual(item, item.footprintData)
  return {
    anchor: isRefurbished(item, run) ? 'refurbishment' : 'embodied',
    formula: `${embodiedFormula(item, run)} ${formatResult(emission)}`,
    inputs: [
      ...pool.inputs,
      tenureInput(item, run),
      ...(isRefurbished(item, run) ? refurbishedInputs(before) : [lifetimeInput(item.footprint)]),
      monthsInput('T', 'ledger_months_before', before.monthsAllocated, 'ledger'),
      monthsInput('t_alloc', 'allocated_months', share.allocatedMonths, 'computed'),
      monthsInput('t − t_alloc', 'unallocated_tenure_months', share.unallocatedMonths, 'computed'),
    ],
    factors: [...pool.factors, ...(isRefurbished(item, run) ? [] : lifetimeFactors(item))],
    notes: [
      ...matchNotes(item, item.footprintData),
      ...ownBasisNotes(item),
      ...pool.notes,
      ...lifetimeNotes(item.footprint),
      ...(isRefurbished(item, run) ? [LEDGER_NOTES.note_refurbished(), ...defaultNotes(item, run)] : []),
      ...ledgerNotes(item, run),
    ],
    ledger: {
      ledger_months_before: before.monthsAllocated,
      allocated_months: share.allocatedMonths,
      unallocated_tenure_months: share.unallocatedMonths,
      remaining_before: before.pool,
      remaining_after: share.balance.pool,
      fully_amortised: isFullyAmortised(share.balance),
    },
  }
}

/** True for the rental that gets the pool left by a refurbishment of a device without remaining lifetime. */
const takesBurden = ({ before, share }: AllocatedRental): boolean =>
  before.isCapped && isLifetimeExhausted(before) && compare(before.pool, share.balance.pool) !== 0

function embodiedFormula(item: ResolvedProduct, run: AllocatedRental): string {
  const { before, months } = run
  const { embodied, lifetimeMonths } = item.footprint
  const [lifetime, given, tenure] = [before.lifetimeMonths, before.monthsAllocated, months].map(formatRational)
  if (takesBurden(run)) return `left = ${formatRational(before.pool)}`
  const wanted = before.isCapped ? `min(t, L − T)` : 't'
  const counted = before.isCapped ? `min(${tenure}, ${lifetime} − ${given})` : tenure
  return isRefurbished(item, { before })
    ? `r × ${wanted} = ${formatRational(before.rate)} × ${counted}`
    : `E ÷ L × ${wanted} = ${formatRational(embodied)} ÷ ${formatRational(lifetimeMonths)} × ${counted}`
}

/** True if the ledger's rate or lifetime no longer equals that of the new device. */
function isRefurbished({ footprint }: ResolvedProduct, { before }: Pick<AllocatedRental, 'before'>): boolean {
  const opening = openBalance(footprint.embodied, footprint.lifetimeMonths)
  return compare(before.rate, opening.rate) !== 0 || compare(before.lifetimeMonths, opening.lifetimeMonths) !== 0
}

const refurbishedInputs = ({ rate, lifetimeMonths }: EmbodiedBalance): readonly Input[] => [
  { symbol: 'r', name: 'kg_per_month', value: rate, unit: 'kgCO2e/month', from: 'ledger' },
  monthsInput('L', 'lifetime_months_extended', lifetimeMonths, 'ledger'),
]

/** Of the refurbishments before a rental. */
const defaultNotes = ({ byDefault = [] }: ResolvedProduct, { terms }: AllocatedRental): readonly Message[] =>
  byDefault
    .filter(({ date }) => date <= terms.start)
    .map(({ date, emission, byDefault: { deviceType: type, low, high, release } }) =>
      LEDGER_NOTES.note_refurbished_by_default({
        date,
        type,
        emission: formatRational(emission),
        low: formatRational(low),
        high: formatRational(high),
        release,
      }),
    )

export function explainUseByShare(
  { item, run }: Extract<CalculationInputs, { method: 'use-by-share' }>,
  emission: Milligrams,
): Explanation {
  const { footprint } = item
  const pool = explainUseResidual(item, item.footprintData)
  return {
    anchor: 'use-by-share',
    formula:
      `(P × u) × t ÷ L = ${formatRational(footprint.useOverLifetime!)} × ${formatRational(run.months)} ÷ ` +
      `${formatRational(footprint.lifetimeMonths)} ${formatResult(emission)}`,
    inputs: [...pool.inputs, tenureInput(item, run), lifetimeInput(footprint)],
    factors: [...pool.factors, ...lifetimeFactors(item)],
    notes: [...pool.notes, FIGURE_NOTES.note_metered_electricity(), ...lifetimeNotes(footprint)],
  }
}

export function explainUseByGrid(
  { item, run, use }: Extract<CalculationInputs, { method: 'use-by-grid' }>,
  emission: Milligrams,
  referenceData: ReferenceData,
): Explanation {
  const { footprint, country } = item
  const energy = footprint.yearlyEnergyKwh!
  const terms = use.years.map(
    ({ months, factor }) => `${formatRational(months)} ÷ 12 × ${formatRational(factor.factor)}`,
  )
  return {
    anchor: 'use-by-grid',
    formula:
      `W × Σ(months ÷ 12 × EF) = ${formatRational(energy)} × (${terms.join(' + ') || '0'}) ` +
      `${formatResult(emission)}`,
    inputs: [
      ...(footprint.energyFrom === 'use' ? [energyInput(energy), lifetimeInput(footprint)] : []),
      tenureInput(item, run),
      ...use.years.map((years) => ({
        ...monthsInput(`months_${years.year}`, `months_in_${nameYears(years)}`, years.months, 'computed'),
        years: [years.year, years.lastYear] as const,
      })),
    ],
    factors: [
      ...energyFactors(item),
      ...(footprint.energyFrom === 'use' ? lifetimeFactors(item) : []),
      ...use.years.map(({ year, factor }) =>
        toFactor(`EF_${year}`, `grid-${country}`, factor.factor, 'kgCO2e/kWh', factor.source, referenceData),
      ),
    ],
    notes: [...energyNotes(footprint), ...use.years.flatMap(gridNotes)],
  }
}

/** W itself, or the figures from which it follows. */
function energyFactors({ footprint, footprintId, footprintData }: ResolvedProduct): readonly Factor[] {
  const { yearlyEnergyKwh: energy, energyFrom, known, model, source, typeDefault } = footprint
  if (energyFrom === 'known') return [toFactor('W', known!.id, energy!, 'kWh/year', known!.source, footprintData)]
  if (energyFrom === 'type')
    return [toFactor('W', deviceTypeLabel(footprint), energy!, 'kWh/year', typeDefault.source, footprintData)]
  if (energyFrom === 'sheet') return [toFactor('W', footprintId, energy!, 'kWh/year', source, footprintData)]
  const { region, factor, source: regionSource } = model!.useRegion!
  const id = `grid-region-${region.toLowerCase().replaceAll(' ', '-')}`
  return [
    toFactor('P × u', footprintId, footprint.useOverLifetime!, 'kgCO2e/device', source, footprintData),
    toFactor('EF', id, factor, 'kgCO2e/kWh', regionSource, footprintData),
  ]
}

function energyNotes(footprint: Footprint): readonly Message[] {
  const { yearlyEnergyKwh, energyFrom, model, typeDefault, useOverLifetime, lifetimeMonths } = footprint
  if (energyFrom === 'sheet' || energyFrom === 'known') return []
  if (energyFrom === 'type') return [FIGURE_NOTES.note_electricity_of_type({ type: typeDefault.type })]
  const { region, factor } = model!.useRegion!
  return [
    FIGURE_NOTES.note_electricity_from_use({
      region,
      use: formatRational(useOverLifetime!),
      months: formatRational(lifetimeMonths),
      factor: formatRational(factor),
      energy: formatRational(yearlyEnergyKwh!),
    }),
    ...lifetimeNotes(footprint),
  ]
}

const energyInput = (value: Rational): Input => ({
  symbol: 'W',
  name: 'yearly_energy_kwh',
  value,
  unit: 'kWh/year',
  from: 'computed',
})

const nameYears = ({ year, lastYear }: YearsOfUse): string => (year === lastYear ? `${year}` : `${year}_to_${lastYear}`)

/** Years are texts, which nobody writes with a thousands separator. */
function gridNotes({ year: firstUsed, lastYear, factor }: YearsOfUse): readonly Message[] {
  const { year, latestYear } = factor
  const [first, last] = [`${firstUsed}`, `${lastYear}`]
  const used = first === last ? first : FIGURE_NOTES.years({ first, last })
  if (year !== latestYear) return [FIGURE_NOTES.note_grid_years({ used, first: `${year}`, last: `${latestYear}` })]
  return used === `${year}` ? [] : [FIGURE_NOTES.note_grid_year({ used, year: `${year}` })]
}

const monthsInput = (symbol: string, name: string, value: Rational, from: Input['from']): Input => ({
  symbol,
  name,
  value,
  unit: 'months',
  from,
})

/** The tenure stated in the order, or the months actually held if they differ. */
const tenureInput = ({ product }: ResolvedProduct, { months }: AllocatedRental): Input =>
  compare(months, whole(product.tenureMonths)) === 0
    ? monthsInput('t', 'tenure_months', months, 'order')
    : monthsInput('t', 'months_held', months, 'ledger')

const lifetimeInput = ({ lifetimeMonths, lifetimeFrom }: Footprint): Input =>
  monthsInput('L', 'lifetime_months', lifetimeMonths, lifetimeFrom === 'sheet' ? 'sheet' : 'type default')

/** The lifetime that the account itself states for the type; that of the catalogue is an input without a source. */
function lifetimeFactors({ footprint, footprintData }: ResolvedProduct): readonly Factor[] {
  const { lifetimeFrom, lifetimeMonths, typeDefault } = footprint
  const { lifetimeSource } = typeDefault
  if (lifetimeFrom === 'sheet' || !lifetimeSource) return []
  return [toFactor('L', deviceTypeLabel(footprint), lifetimeMonths, 'months', lifetimeSource, footprintData)]
}

const lifetimeNotes = ({ lifetimeFrom, typeDefault }: Footprint): readonly Message[] =>
  lifetimeFrom === 'sheet' ? [] : [FIGURE_NOTES.note_lifetime_of_type({ type: typeDefault.type })]

/** A device's footprint is fixed by the first order that was accepted for it, or by an event that identified it. */
function ownBasisNotes(item: ResolvedProduct): readonly Message[] {
  const { ownFootprintId: own, footprintId: footprint, footprintData, identifiedBy } = item
  if (own === footprint) return []
  const { release } = footprintData
  if (identifiedBy) return [LEDGER_NOTES.note_identified({ own, footprint, release, event_id: sentIdOf(identifiedBy) })]
  return [LEDGER_NOTES.note_first_order({ own, footprint, release })]
}

function ledgerNotes({ product }: ResolvedProduct, run: AllocatedRental): readonly Message[] {
  const { terms, end, months, endedBy, before } = run
  const notes: Message[] = []
  if (!before.isCapped) notes.push(LEDGER_NOTES.note_uncapped())
  if (compare(months, whole(product.tenureMonths)) !== 0) {
    notes.push(
      LEDGER_NOTES.note_held({
        from: terms.start,
        to: end,
        months: formatRational(months),
        ordered: product.tenureMonths,
      }),
    )
  }
  if (endedBy) {
    notes.push(LEDGER_NOTES.note_ended({ end: describeRentalEnd({ end, endedBy }), planned: terms.end }))
  }
  return [...notes, ...balanceNotes(run), ...roundingNotes(run)]
}

/** Why a rental is allocated nothing, or the complete rest of the pool. */
function balanceNotes(run: AllocatedRental): readonly Message[] {
  const { before } = run
  if (takesBurden(run)) return [LEDGER_NOTES.note_all_to_this_rental()]
  if (compare(before.unallocated, ZERO) !== 0) return [LEDGER_NOTES.note_decommissioned()]
  return before.isCapped && isFullyAmortised(before) ? [LEDGER_NOTES.note_amortised()] : []
}

const kilogramsOf = (sum: Rational): string => toKilograms(toMilligrams(sum))

/** The lines of a device add up exactly to its embodied emission, so one may differ by a milligram from its formula. */
function roundingNotes({ before, share }: AllocatedRental): readonly Message[] {
  const given = subtract(share.balance.allocated, before.allocated)
  if (toMilligrams(given) === share.emission) return []
  return [
    LEDGER_NOTES.note_rounded({ after: kilogramsOf(share.balance.allocated), before: kilogramsOf(before.allocated) }),
  ]
}
