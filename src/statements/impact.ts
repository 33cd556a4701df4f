// A customer's rented devices of a year beside new ones: both sides, by the footprints that the devices are charged by.
import type { SidesOnBasis } from '../engine/impact.ts'
import { NO_EMISSIONS, addEmissions, totalEmissionOf, type EmissionsByPart } from '../engine/ledger-history.ts'
import { toMilligrams } from '../engine/numbers/emission.ts'
import { ZERO, divide, fromExactText, min, multiply } from '../engine/numbers/rational.ts'
import type { Resumable } from '../engine/numbers/steps.ts'
import type { DeviceFootprint } from '../engine/post-entries.ts'
import type { Footprint } from '../engine/reference/footprint.ts'
import { knownInSteps } from '../ledger/codec.ts'
import { knownOf, postedUnder, type Known } from './build-statement.ts'
import type { StatementWithRecords } from './make-statement.ts'
import { addPosted, amountsOf, createPeriodAmounts, milligramsOf, type PeriodAmounts } from './periods.ts'
import type { StatementDevice, StatementEntry, StatementRental } from './statement.ts'

/** The rented devices with one footprint, and as many new ones. */
export interface ComparedDevices {
  readonly footprintId: string
  readonly footprint: Footprint
  readonly release: string
  readonly numberOfDevices: number
  /** What new devices would have had in the year: embodied and use. */
  readonly reference: EmissionsByPart
  /** What the rented devices have in the year, as in the statement. */
  readonly solution: EmissionsByPart
}

export interface ImpactOfYear {
  readonly devices: readonly ComparedDevices[]
  readonly reference: EmissionsByPart
  readonly solution: EmissionsByPart
  readonly onBases: readonly SidesOnBasis[]
  /** By which methods the rented devices have their embodied emission. */
  readonly allocationMethods: readonly ('capped_linear' | 'uncapped')[]
}

/** Both sides of a year. An order without devices is on neither. METHODOLOGY.md#impact */
export function* impactOf({ content, records, referenceDataOf }: StatementWithRecords): Resumable<ImpactOfYear> {
  const known = knownOf(content)
  const groups = new Map<string, ComparedGroup>()
  const methods = new Set<'capped_linear' | 'uncapped'>()
  for (const device of content.devices) {
    const { figures } = yield* knownInSteps(records.ledgers.get(device.serial_number)!, referenceDataOf)
    const { id, dataset_release: release } = device.model
    const key = `${id}\0${release}`
    const group = groups.get(key) ?? createGroup(device, figures.footprint, content.year)
    groups.set(key, group)
    if (!addDevice(group, device, figures, known)) continue
    group.numberOfDevices += 1
    methods.add(figures.isCapped ? 'capped_linear' : 'uncapped')
  }
  const devices = [...groups.values()].map(comparedIn)
  return {
    devices,
    reference: devices.map(({ reference }) => reference).reduce(addEmissions, NO_EMISSIONS),
    solution: devices.map(({ solution }) => solution).reduce(addEmissions, NO_EMISSIONS),
    onBases: content.calculation_bases.map(({ no, errors }) => ({
      ...sidesOn(no, [...groups.values()]),
      errors: errors.map(({ factor, log_sd: logSd }) => ({ factor, logSd })),
    })),
    allocationMethods: [...methods].toSorted(),
  }
}

interface ComparedGroup extends Pick<ComparedDevices, 'footprintId' | 'footprint' | 'release'> {
  numberOfDevices: number
  readonly reference: PeriodAmounts
  readonly solution: PeriodAmounts
}

const createGroup = ({ model }: StatementDevice, footprint: Footprint, year: number): ComparedGroup => ({
  footprintId: model.id,
  footprint,
  release: model.dataset_release,
  numberOfDevices: 0,
  reference: createPeriodAmounts(year),
  solution: createPeriodAmounts(year),
})

/** @returns false for a device that has nothing in the year on either side */
function addDevice(
  group: ComparedGroup,
  { rentals }: StatementDevice,
  figures: DeviceFootprint,
  known: Known,
): boolean {
  const before = [group.reference, group.solution].map(({ whole }) => whole.year)
  for (const rental of rentals) {
    const posted = postedUnder(rental, known)
    addPosted(posted, known.bases, group.solution)
    addPosted({ ...posted, entries: entriesOfNew(rental, figures) }, known.bases, group.reference)
  }
  const after = [group.reference, group.solution].map(({ whole }) => whole.year)
  return after.some((parts, at) => totalEmissionOf(parts) !== totalEmissionOf(before[at]!))
}

/**
 * The entries of a rental as a new device would have them: E ÷ L × min(t, L), whatever earlier rentals have borne, and
 * the same use; without the cap E ÷ L × t. They count in the same periods. METHODOLOGY.md#impact
 */
function entriesOfNew(
  { entries }: StatementRental,
  { footprint, isCapped }: DeviceFootprint,
): readonly StatementEntry[] {
  const { embodied, lifetimeMonths } = footprint
  const perMonth = divide(embodied, lifetimeMonths)
  let before = 0n
  return entries.map((entry) => {
    const months = entry.months === null ? ZERO : fromExactText(entry.months)
    const upTo = toMilligrams(multiply(perMonth, isCapped ? min(months, lifetimeMonths) : months))
    const share = upTo - before
    before = upTo
    const use = milligramsOf(entry.product_use)
    return { ...entry, ...amountsOf({ ...NO_EMISSIONS, product_embodied_emission: share, product_use: use }) }
  })
}

const comparedIn = ({ reference, solution, ...group }: ComparedGroup): ComparedDevices => ({
  ...group,
  reference: reference.whole.year,
  solution: solution.whole.year,
})

const sidesOn = (basis: number, groups: readonly ComparedGroup[]) => ({
  reference: groups.reduce((sum, { reference }) => sum + (reference.byBasis.get(basis) ?? 0n), 0n),
  solution: groups.reduce((sum, { solution }) => sum + (solution.byBasis.get(basis) ?? 0n), 0n),
})
