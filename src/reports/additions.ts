// What an entry adds to reports: one addition for each rule of time that some of it counts by.
import { NO_EMISSIONS, isDecommissioned, type EmissionsByPart } from '../engine/ledger-history.ts'
import { runToCompletion } from '../engine/numbers/steps.ts'
import { monthsOfEntries, type TimedEntry } from '../engine/occupancy.ts'
import { ZERO, fromExactText, toFractionText, type Rational } from '../engine/numbers/rational.ts'
import { datedEmissions, type RentalEntry } from '../engine/reporting-periods.ts'
import type { StoredEntry } from '../ledger/records.ts'
import type { PostedLedger } from '../postgres/reporting/earlier-entries.ts'
import type { EarlierEntries, RelatedRental, ReportRental, ReportEntry } from '../postgres/reporting/entries.ts'
import { ENTRY_KINDS, encodeTerms } from './fact.ts'

export interface FactAmount extends EmissionsByPart {
  /** As a fact has them. */
  readonly terms: string
  /** YYYY-MM-DD; null for what counts as if it had always been known. */
  readonly knownOn: string | null
  /** Of KINDS, those that count orders, rentals and devices. */
  readonly flags: number
  /** Null for the rental of the entry; another one of the device, which is now the first that stands. */
  readonly other: RelatedRental | null
}

/** @param isFirstOfOrder that one entry of several which counts their order, or takes it back */
export function toFactAmounts(posting: ReportEntry, isFirstOfOrder: boolean): readonly FactAmount[] {
  const { earlier } = posting
  if (earlier === null) return [firstOf(posting, isFirstOfOrder)]
  const added = laterOf(posting, earlier, isFirstOfOrder)
  return isDecommissioned(posting.reason) ? [...added, ...handedOver(posting, earlier)] : added
}

function firstOf(posting: ReportEntry, isFirstOfOrder: boolean): FactAmount {
  const { rental, otherRental } = posting
  const isFirstOfDevice = rental !== null && otherRental === null
  const flags = flagsOf(isFirstOfOrder, rental !== null, isFirstOfDevice)
  return { ...posting.parts, terms: termsOf(rental, rental?.months ?? '', null), knownOn: null, flags, other: null }
}

const flagsOf = (isOfOrder: boolean, isOfRental: boolean, isOfDevice: boolean): number =>
  (isOfOrder ? ENTRY_KINDS.firstOfOrder : 0) +
  (isOfRental ? ENTRY_KINDS.firstOfRental : 0) +
  (isOfDevice ? ENTRY_KINDS.firstOfDevice : 0)

const termsOf = (rental: ReportRental | null, months: string, knownOn: string | null): string =>
  rental === null ? '' : encodeTerms({ start: rental.start, months, knownOn })

function laterOf(posting: ReportEntry, earlier: EarlierEntries, isFirstOfOrder: boolean): readonly FactAmount[] {
  const { rental } = posting
  const isUndone = posting.reason === 'undone'
  return standingsAt(earlier, rental !== null)[earlier.at]!.map(({ months, knownOn, ...parts }, at) => {
    // Of an entry that undoes an order, the first addition takes back what counted it.
    const isCounting = isUndone && at === 0
    const flags = isCounting
      ? ENTRY_KINDS.takenBack +
        flagsOf(isFirstOfOrder, rental !== null, rental !== null && countsDevice(posting, earlier))
      : 0
    return { ...parts, terms: termsOf(rental, textOf(months), knownOn), knownOn, flags, other: null }
  })
}

/**
 * A device is counted whole with the first of its rentals that was told and not taken back. One that is taken back
 * hands that over to the next, where there is one. What an undoing takes back by itself is not taken back again.
 */
function handedOver(posting: ReportEntry, earlier: EarlierEntries): readonly FactAmount[] {
  const { rental, otherRental } = posting
  if (rental === null || !countsDevice(posting, earlier)) return []
  const knownOn = posting.reason === 'undone' ? null : dayOfPosting(earlier.own[earlier.at]!)
  const addition = (of: ReportRental, flags: number, other: RelatedRental | null): FactAmount => ({
    ...NO_EMISSIONS,
    terms: termsOf(of, of.months, knownOn),
    knownOn,
    flags,
    other,
  })
  return [
    ...(knownOn === null ? [] : [addition(rental, ENTRY_KINDS.firstOfDevice + ENTRY_KINDS.takenBack, null)]),
    ...(otherRental === null ? [] : [addition(otherRental, ENTRY_KINDS.firstOfDevice, otherRental)]),
  ]
}

/** Whether the device was counted with this rental until it was taken back. */
function countsDevice({ otherRental }: ReportEntry, { own, at }: EarlierEntries): boolean {
  const wasGone = own.slice(0, at).some(({ reason }) => isDecommissioned(reason))
  return !wasGone && (otherRental === null || own[0]!.no < otherRental.no)
}

type Standings = ReturnType<typeof datedEmissions>

/** Of each rental, or order without devices, what all of its entries add: a device may have thousands of them. */
const standings = new WeakMap<readonly StoredEntry[], Standings>()

function standingsAt({ journal, own }: EarlierEntries, isRental: boolean): Standings {
  const known = standings.get(own)
  if (known) return known
  const months = isRental ? monthsIn(journal) : null
  const all = datedEmissions(
    own.map((entry): RentalEntry => ({
      ...partsIn(entry),
      reason: entry.reason,
      postedOn: dayOfPosting(entry),
      months: months && months.get(entry.no)!,
    })),
  )
  standings.set(own, all)
  return all
}

const monthsByNo = new WeakMap<PostedLedger, ReadonlyMap<number, Rational>>()

/** Over how many months each entry of a journal is spread, by its number. */
function monthsIn(journal: PostedLedger): ReadonlyMap<number, Rational> {
  const known = monthsByNo.get(journal)
  if (known) return known
  const months = runToCompletion(monthsOfEntries(journal.entries, toTimed))
  const byNo = new Map(journal.entries.map(({ no }, at) => [no, months[at]!]))
  monthsByNo.set(journal, byNo)
  return byNo
}

/** An entry, as far as it says how long rentals are. */
export const toTimed = ({ customerId, orderId, terms, eventContent }: StoredEntry): TimedEntry => ({
  customerId,
  orderId,
  terms: terms && { ...terms, months: fromExactText(terms.months) },
  event: eventContent === null ? null : (JSON.parse(eventContent) as { date: string }),
})

const partsIn = ({
  product_embodied_emission,
  product_use,
  packaging,
  transportation,
}: StoredEntry): EmissionsByPart => ({
  product_embodied_emission,
  product_use,
  packaging,
  transportation,
})

const dayOfPosting = ({ postedAt }: StoredEntry): string => postedAt.toISOString().slice(0, 10)

const textOf = (months: Rational | null): string => toFractionText(months ?? ZERO)
