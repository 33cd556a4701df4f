// What an entry adds to reports: one addition for each rule of time that some of it counts by.
import { NOTHING, isGone, type Parts } from '../engine/device-history.ts'
import { monthsOfEntry, orderKey, type TimedEntry } from '../engine/device-run.ts'
import { ZERO, fromExactText, toFractionText, type Ratio } from '../engine/numbers/ratio.ts'
import { standingsOf, type PostedEntry } from '../engine/reporting-periods.ts'
import type { StoredEntry } from '../postgres/orders/order-record.ts'
import type { OtherRental, PostedRental, Posting } from '../postgres/reports/report-posting.ts'
import { KINDS, termsText } from './fact.ts'

export interface Addition extends Parts {
  /** As a fact has them. */
  readonly terms: string
  /** YYYY-MM-DD; null for what counts as if it had always been known. */
  readonly knownOn: string | null
  /** Of KINDS, those that count orders, rentals and devices. */
  readonly flags: number
  /** Null for the rental of the entry; another one of the device, which is now the first that stands. */
  readonly other: OtherRental | null
}

/** @param isFirstOfOrder that one entry of several which counts their order, or takes it back */
export function additionsOf(posting: Posting, isFirstOfOrder: boolean): readonly Addition[] {
  if (posting.journal === null) return [firstOf(posting, isFirstOfOrder)]
  const added = laterOf(posting, posting.journal, isFirstOfOrder)
  return isGone(posting.reason) ? [...added, ...handedOver(posting, posting.journal)] : added
}

function firstOf(posting: Posting, isFirstOfOrder: boolean): Addition {
  const { rental, otherRental } = posting
  const isFirstOfDevice = rental !== null && otherRental === null
  const flags = flagsOf(isFirstOfOrder, rental !== null, isFirstOfDevice)
  return { ...posting.parts, terms: termsOf(rental, rental?.months ?? '', null), knownOn: null, flags, other: null }
}

const flagsOf = (isOfOrder: boolean, isOfRental: boolean, isOfDevice: boolean): number =>
  (isOfOrder ? KINDS.firstOfOrder : 0) + (isOfRental ? KINDS.firstOfRental : 0) + (isOfDevice ? KINDS.firstOfDevice : 0)

const termsOf = (rental: PostedRental | null, months: string, knownOn: string | null): string =>
  rental === null ? '' : termsText({ start: rental.start, months, knownOn })

function laterOf(posting: Posting, journal: readonly StoredEntry[], isFirstOfOrder: boolean): readonly Addition[] {
  const { rental, order } = posting
  const timed = rental === null ? [] : journal.map(toTimed)
  const own = journal.flatMap((entry, at): readonly PostedEntry[] => {
    if (orderKey(entry) !== orderKey(order!)) return []
    const months = rental === null ? null : monthsOfEntry(timed, at)
    return [{ ...partsIn(entry), reason: entry.reason, postedOn: dayOfPosting(entry), months }]
  })
  const isUndone = posting.reason === 'undone'
  return standingsOf(own)
    .at(-1)!
    .map(({ months, knownOn, ...parts }, at) => {
      // Of an entry that undoes an order, the first addition takes back what counted it.
      const isCounting = isUndone && at === 0
      const flags = isCounting
        ? KINDS.takenBack + flagsOf(isFirstOfOrder, rental !== null, rental !== null && countsDevice(posting, journal))
        : 0
      return { ...parts, terms: termsOf(rental, textOf(months), knownOn), knownOn, flags, other: null }
    })
}

/**
 * A device is counted whole with the first of its rentals that was told and not taken back. One that is taken back
 * hands that over to the next, where there is one. What an undoing takes back by itself is not taken back again.
 */
function handedOver(posting: Posting, journal: readonly StoredEntry[]): readonly Addition[] {
  const { rental, otherRental } = posting
  if (rental === null || !countsDevice(posting, journal)) return []
  const knownOn = posting.reason === 'undone' ? null : dayOfPosting(journal.at(-1)!)
  const addition = (of: PostedRental, flags: number, other: OtherRental | null): Addition => ({
    ...NOTHING,
    terms: termsOf(of, of.months, knownOn),
    knownOn,
    flags,
    other,
  })
  return [
    ...(knownOn === null ? [] : [addition(rental, KINDS.firstOfDevice + KINDS.takenBack, null)]),
    ...(otherRental === null ? [] : [addition(otherRental, KINDS.firstOfDevice, otherRental)]),
  ]
}

/** Whether the device was counted with this rental until it was taken back. */
function countsDevice({ order, otherRental }: Posting, journal: readonly StoredEntry[]): boolean {
  const first = journal.find((entry) => orderKey(entry) === orderKey(order!))!
  const wasGone = journal.slice(0, -1).some((entry) => isGone(entry.reason) && orderKey(entry) === orderKey(order!))
  return !wasGone && (otherRental === null || first.no < otherRental.no)
}

const toTimed = ({ customerId, orderId, terms, eventContent }: StoredEntry): TimedEntry => ({
  customerId,
  orderId,
  terms: terms && { ...terms, months: fromExactText(terms.months) },
  event: eventContent === null ? null : (JSON.parse(eventContent) as { date: string }),
})

const partsIn = ({ product_embodied_emission, product_use, packaging, transportation }: StoredEntry): Parts => ({
  product_embodied_emission,
  product_use,
  packaging,
  transportation,
})

const dayOfPosting = ({ postedAt }: StoredEntry): string => postedAt.toISOString().slice(0, 10)

const textOf = (months: Ratio | null): string => toFractionText(months ?? ZERO)
