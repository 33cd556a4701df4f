// Turns entries into facts: one fact for each date rule by which a part of an entry counts.
import { compareCodePoints } from '../engine/device-timeline.ts'
import { useMethod } from '../engine/estimate.ts'
import { NO_EMISSIONS, addEmissions, type EmissionsByPart } from '../engine/ledger-history.ts'
import { ONE, ZERO, fromExactText, toFractionText, type Rational } from '../engine/numbers/rational.ts'
import { runToCompletion } from '../engine/numbers/steps.ts'
import { monthsOfEntries } from '../engine/occupancy.ts'
import { footprintById } from '../engine/reference/footprint.ts'
import type { ReferenceData, ReferenceDataOf } from '../engine/reference/reference-data.ts'
import { datedEmissions, laterDay, postedAgain, startsOf, type RentalEntry } from '../engine/reporting-periods.ts'
import { gridFactors } from '../engine/resolve-order.ts'
import { gridScore, gridSpread } from '../engine/uncertainty/uncertainty.ts'
import { toTimed } from '../ledger/codec.ts'
import type { StoredEntry } from '../ledger/records.ts'
import type { CountChange, IdentifiedRental, PostedLedger } from '../postgres/reporting/earlier-entries.ts'
import type {
  ChargedAs,
  EarlierEntries,
  RelatedRental,
  ReportEntry,
  ReportOrder,
  ReportRental,
} from '../postgres/reporting/entries.ts'
import {
  ENTRY_KINDS,
  dayNoOf,
  decodeTerms,
  encodeProduct,
  encodeTerms,
  withGridErrors,
  type Fact,
  type FactDevice,
} from './fact.ts'
import { encodeFactorMix } from './factor-mix.ts'
import { deviceOf, factsWithoutOrder } from './facts-without-order.ts'

export interface FactAmount extends EmissionsByPart {
  /** In the form used in facts. */
  readonly terms: string
  /** The first day on which it counts, YYYY-MM-DD; null if it counts in the months that it concerns. */
  readonly countsFrom: string | null
  /** The flags of ENTRY_KINDS that count orders, rentals and devices. */
  readonly flags: number
  /** Null for the rental of the entry itself; otherwise another rental of the device, now the first valid one. */
  readonly other: RelatedRental | null
  /** What the device was charged by before an entry that charges it by another footprint; null for what it is then. */
  readonly charged: ChargedAs | null
}

/** @param isFirstOfOrder true for the one entry that counts the order, or reverses that count */
function toFactAmounts(posting: ReportEntry, isFirstOfOrder: boolean): readonly FactAmount[] {
  const { earlier } = posting
  if (earlier === null) return firstOf(posting, isFirstOfOrder)
  const identified = earlier.ledger.identified.get(posting.no)
  if (identified) return withMonths(identifiedAmounts(posting, earlier, identified), monthsMoved(earlier, identified))
  const counts = earlier.ledger.countChanges.get(posting.no)
  const later = laterOf(posting, earlier, counts, isFirstOfOrder)
  const added = posting.rental === null ? later : withMonths(later, monthsChanged(earlier))
  return counts ? [...added, ...movedCounts(posting, earlier, counts)] : added
}

/** The device is another model: all that was posted to the rental, and its counts, move from one to the other. */
function identifiedAmounts(
  posting: ReportEntry,
  earlier: EarlierEntries,
  { before, count }: IdentifiedRental,
): readonly FactAmount[] {
  const { own, at } = earlier
  const rental = posting.rental!
  const dated = standingsAt(earlier, true).slice(0, at).flat()
  const posted = own.slice(0, at).map(partsIn).reduce(addEmissions, NO_EMISSIONS)
  const months = monthsIn(earlier.ledger).get(posting.no)!
  const start = startsOf(own)[at]!
  const again = postedAgain(dated, posted, { ...posting.parts, countsFrom: posting.countsFrom, months, start }, at)
  const amounts = again.map(({ months: spread, start: from, countsFrom, entry, ...parts }) => ({
    ...parts,
    terms: termsOf(from, textOf(spread), countsFrom),
    countsFrom,
    flags: 0,
    other: null,
    charged: entry === at ? null : before,
  }))
  if (count === 'none') return amounts
  const flags = flagsOf(countsOrder(posting.order!, own[0]!), true, count === 'full' && countsDevice(posting))
  const counted = addition({ ...rental, start }, posting.countsFrom, flags, null)
  return [...amounts, { ...counted, flags: flags + ENTRY_KINDS.takenBack, charged: before }, counted]
}

/** An order counts with its own entry that comes first: that of the first of its devices, by code point. */
function countsOrder(order: ReportOrder, { reason, serialNumber }: StoredEntry): boolean {
  const first = firstSerials.get(order) ?? firstSerialOf(order)
  firstSerials.set(order, first)
  return reason === 'order' && serialNumber === first
}

/** All entries of an order on a page share one object for the order. */
const firstSerials = new WeakMap<ReportOrder, string>()

/** Empty for an order without devices. */
function firstSerialOf({ items }: ReportOrder): string {
  const serials = (JSON.parse(items) as readonly { readonly s?: string }[]).flatMap(({ s }) => s ?? [])
  return serials.toSorted(compareCodePoints)[0] ?? ''
}

/** Counts, and no emission. */
const addition = (of: ReportRental, from: string | null, flags: number, other: RelatedRental | null): FactAmount => ({
  ...NO_EMISSIONS,
  terms: termsOf(of.start, of.months, from),
  countsFrom: from,
  flags,
  other,
  charged: null,
})

/** If an earlier revision of the order rented the device first, the device counts with the order again. */
function firstOf(posting: ReportEntry, isFirstOfOrder: boolean): readonly FactAmount[] {
  const { rental, otherRental, countsFrom, ledger } = posting
  const isFirstOfDevice = rental !== null && countsDevice(posting)
  const flags = flagsOf(isFirstOfOrder, rental !== null, isFirstOfDevice) + (rental === null ? 0 : ENTRY_KINDS.held)
  const months = rental && ledger ? textOf(monthsIn(ledger).get(posting.no)!) : (rental?.months ?? '')
  const terms = termsOf(rental && rental.start, months, countsFrom)
  const own = { ...posting.parts, terms, countsFrom, flags, other: null, charged: null }
  if (!isFirstOfDevice || otherRental === null) return [own]
  const { firstOfDevice, takenBack } = ENTRY_KINDS
  return [own, addition(otherRental, countsFrom, firstOfDevice + takenBack, otherRental)]
}

const flagsOf = (isOfOrder: boolean, isOfRental: boolean, isOfDevice: boolean): number =>
  (isOfOrder ? ENTRY_KINDS.firstOfOrder : 0) +
  (isOfRental ? ENTRY_KINDS.firstOfRental : 0) +
  (isOfDevice ? ENTRY_KINDS.firstOfDevice : 0)

const termsOf = (start: string | null, months: string, countsFrom: string | null): string =>
  start === null ? '' : encodeTerms({ start, months, countsFrom })

function laterOf(
  posting: ReportEntry,
  earlier: EarlierEntries,
  counts: CountChange | undefined,
  isFirstOfOrder: boolean,
): readonly FactAmount[] {
  const { rental } = posting
  return standingsAt(earlier, rental !== null)[earlier.at]!.map(({ months, start, countsFrom, ...parts }, at) => {
    // In an entry after which a rental counts no more, the first amount takes back the counts.
    const isCounting = counts?.after === 'none' && at === 0
    const isOfDevice = counts?.before === 'full' && countsDevice(posting)
    const flags = isCounting
      ? ENTRY_KINDS.takenBack + flagsOf(isFirstOfOrder, rental !== null, rental !== null && isOfDevice)
      : 0
    const terms = termsOf(start, textOf(months), countsFrom)
    return { ...parts, terms, countsFrom, flags, other: null, charged: null }
  })
}

/**
 * The complete footprint of a device counts with the first of its rentals that was recorded and counts in full. When
 * that changes, the count moves to another rental. An entry after which a rental counts no more takes the count back by
 * itself, so it is not taken back here again.
 */
function movedCounts(posting: ReportEntry, earlier: EarlierEntries, counts: CountChange): readonly FactAmount[] {
  const { rental, otherRental, countsFrom } = posting
  if (rental === null) return []
  const { firstOfDevice, firstOfRental, takenBack } = ENTRY_KINDS
  const starts = startsOf(earlier.own)
  const rentalAfter = (at: number): ReportRental => ({ ...rental, start: starts[at]! })
  const [before, now] = [rentalAfter(earlier.at - 1), rentalAfter(earlier.at)]
  const again = counts.before === 'none' ? [addition(now, countsFrom, firstOfRental, null)] : []
  if (!countsDevice(posting)) return again
  if (counts.before !== 'full' && counts.after !== 'full') return again
  const isLeaving = counts.before === 'full'
  // Taken back where it counted, also if the books have been reopened since.
  const back = laterDay(earlier.own[0]!.countsFrom, countsFrom)
  const own = isLeaving
    ? counts.after === 'none'
      ? []
      : [addition(before, back, firstOfDevice + takenBack, null)]
    : [addition(now, countsFrom, firstOfDevice, null)]
  if (otherRental === null) return [...again, ...own]
  return [...again, ...own, addition(otherRental, countsFrom, firstOfDevice + (isLeaving ? 0 : takenBack), otherRental)]
}

/** True if the device counts with this rental while it counts in full: no other such rental was posted before it. */
const countsDevice = ({ otherRental }: ReportEntry): boolean => otherRental === null || otherRental.isLater

type Standings = ReturnType<typeof datedEmissions>

/**
 * Cached dated emissions of a rental, or of an order without devices, because a device may have thousands of entries.
 */
const standings = new WeakMap<readonly StoredEntry[], Standings>()

function standingsAt({ ledger, own }: EarlierEntries, isRental: boolean): Standings {
  const known = standings.get(own)
  if (known) return known
  const months = isRental ? monthsIn(ledger) : null
  const starts = startsOf(own)
  const all = datedEmissions(
    own.map((entry, at): RentalEntry => ({
      ...partsIn(entry),
      start: starts[at]!,
      countsFrom: entry.countsFrom,
      months: months && months.get(entry.no)!,
    })),
  )
  standings.set(own, all)
  return all
}

/** A number of devices, 1 or -1, that is held over the months of some terms. */
interface HeldMonths extends Pick<FactAmount, 'terms' | 'countsFrom' | 'charged'> {
  readonly devices: bigint
}

/** Device-months are dated as an emission of one unit would be that a rental has for as long as it counts in full. */
function heldEntries({ ledger, own }: EarlierEntries): readonly RentalEntry[] {
  const [starts, months] = [startsOf(own), monthsIn(ledger)]
  let devices = 0n
  return own.map(({ no, countsFrom }, at) => {
    const change = ledger.countChanges.get(no)
    const now = change ? (change.after === 'full' ? 1n : 0n) : devices
    const entry = { ...NO_EMISSIONS, product_embodied_emission: now - devices }
    devices = now
    return { ...entry, start: starts[at]!, countsFrom, months: months.get(no)! }
  })
}

const heldStandings = new WeakMap<readonly StoredEntry[], Standings>()

function heldStandingsAt(earlier: EarlierEntries): Standings {
  const known = heldStandings.get(earlier.own) ?? datedEmissions(heldEntries(earlier))
  heldStandings.set(earlier.own, known)
  return known
}

const heldMonths = (
  { product_embodied_emission: devices, months, start, countsFrom }: Standings[number][number],
  charged: ChargedAs | null,
): HeldMonths => ({ terms: termsOf(start, textOf(months), countsFrom), countsFrom, charged, devices })

const monthsChanged = (earlier: EarlierEntries): readonly HeldMonths[] =>
  heldStandingsAt(earlier)[earlier.at]!.map((one) => heldMonths(one, null))

/** The device is another model: its months move from one to the other. */
function monthsMoved(earlier: EarlierEntries, { before }: IdentifiedRental): readonly HeldMonths[] {
  const entries = heldEntries(earlier)
  const { at } = earlier
  const posted = entries.slice(0, at).reduce<EmissionsByPart>(addEmissions, NO_EMISSIONS)
  const again = postedAgain(heldStandingsAt(earlier).slice(0, at).flat(), posted, entries[at]!, at)
  return again.map((one) => heldMonths(one, one.entry === at ? null : before))
}

/** Months that have the terms of an amount are told with it; all others are amounts without emission. */
function withMonths(amounts: readonly FactAmount[], months: readonly HeldMonths[]): readonly FactAmount[] {
  const all = [...amounts]
  for (const { terms, countsFrom, charged, devices } of months) {
    const flag = devices > 0n ? ENTRY_KINDS.held : ENTRY_KINDS.heldNoMore
    for (let left = devices < 0n ? -devices : devices; left > 0n; left -= 1n) {
      const at = all.findIndex((one) => one.terms === terms && one.charged === charged && !tellsMonths(one))
      if (at === -1) all.push({ ...NO_EMISSIONS, terms, countsFrom, flags: flag, other: null, charged })
      else all[at] = { ...all[at]!, flags: all[at]!.flags + flag }
    }
  }
  return all
}

const tellsMonths = ({ flags }: FactAmount): boolean => (flags & (ENTRY_KINDS.held | ENTRY_KINDS.heldNoMore)) !== 0

const monthsByNo = new WeakMap<PostedLedger, ReadonlyMap<number, Rational>>()

/** The months over which each entry of a ledger is spread, by entry number. */
function monthsIn(ledger: PostedLedger): ReadonlyMap<number, Rational> {
  const known = monthsByNo.get(ledger)
  if (known) return known
  const months = runToCompletion(monthsOfEntries(ledger.entries, toTimed))
  const byNo = new Map(ledger.entries.map(({ no }, at) => [no, months[at]!]))
  monthsByNo.set(ledger, byNo)
  return byNo
}

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

const textOf = (months: Rational | null): string => toFractionText(months ?? ZERO)

/** Converts postings in the order in which they were posted. Pages may divide them anywhere. */
export type FactBuilder = (postings: readonly ReportEntry[]) => Promise<readonly Fact[]>

/** Number of rentals for which the kind of use is cached. */
const KNOWN_MAX = 20_000

export function createFactBuilder(referenceDataOf: (releaseId: number) => Promise<ReferenceData>): FactBuilder {
  const referenceDataById = new Map<number, ReferenceData>()
  const loadedReferenceData: ReferenceDataOf = (releaseId) => referenceDataById.get(releaseId)!
  const useKinds = new Map<string, number>()
  /** All entries of an order on a page share one object for the order, which may have a thousand items. */
  const mixes = new Map<ReportOrder, string>()
  let lastOrder = ''
  /**
   * An order's own entries, and those that reverse it, are adjacent. The first of them counts the order. Entries that
   * correct it may begin with a device that a swap brought in, which did not count it; nor did an order without items.
   */
  const isFirstOf = ({ reason, order, earlier }: ReportEntry): boolean => {
    if (reason === 'correction') return earlier !== null && countsOrder(order!, earlier.own[0]!)
    if (reason !== 'order' && reason !== 'reversal') return false
    const key = [reason, order!.customerId, order!.orderId].join('\0')
    const isFirst = key !== lastOrder
    lastOrder = key
    return isFirst
  }
  /** @param months over which the use is spread */
  const useKindOf = (posting: ReportEntry, months: string): number => {
    const { device, rental } = posting
    if (device === null || rental === null) return 0
    const { start, country, releaseId } = rental
    const key = [deviceOf(posting), country, releaseId, start, months].join('\0')
    const kind = useKinds.get(key) ?? kindOfUse(posting, months, loadedReferenceData)
    if (useKinds.size >= KNOWN_MAX) useKinds.clear()
    useKinds.set(key, kind)
    return kind
  }
  const mixOf = (order: ReportOrder): string => {
    const mix = mixes.get(order) ?? encodeFactorMix(order.items, order.releaseId, loadedReferenceData(order.releaseId))
    mixes.set(order, mix)
    return mix
  }
  const toFacts = (posting: ReportEntry): readonly Fact[] => {
    const { order, rental } = posting
    if (order === null) return factsWithoutOrder(posting)
    return toFactAmounts(posting, isFirstOf(posting)).map((addition) => {
      const { other, countsFrom, flags } = addition
      const charged = { ...posting, device: addition.charged ?? posting.device }
      const by = other?.order ?? order
      const { dispatchDay } = by
      return {
        customer: by.customerId,
        device: deviceOf(charged),
        product: charged.device?.possibleMatch ? encodeProduct(charged.device.possibleMatch) : '',
        country: (other ?? rental ?? by).country ?? '',
        metadata: by.metadata ?? '',
        mix: mixOf(by),
        terms: addition.terms,
        orderDay: by.orderDay,
        dispatchDay,
        sharedDay: countsFrom === null ? dispatchDay : Math.max(dispatchDay, dayNoOf(countsFrom)),
        kind: flags + useKindOf(charged, decodeTerms(addition.terms)?.months ?? ''),
        embodied: addition.product_embodied_emission,
        use: addition.product_use,
        packaging: addition.packaging,
        transportation: addition.transportation,
      }
    })
  }
  return async (postings) => {
    for (const releaseId of releasesIn(postings)) {
      if (!referenceDataById.has(releaseId)) referenceDataById.set(releaseId, await referenceDataOf(releaseId))
    }
    mixes.clear()
    return postings.flatMap(toFacts)
  }
}

function releasesIn(postings: readonly ReportEntry[]): ReadonlySet<number> {
  const ids = new Set<number>()
  for (const { order, device, rental, otherRental, ledger } of postings) {
    if (order) ids.add(order.releaseId)
    if (otherRental?.order) ids.add(otherRental.order.releaseId)
    if (device) ids.add(device.releaseId)
    if (rental) ids.add(rental.releaseId)
    for (const { footprint } of ledger?.footprints ?? []) ids.add(footprint!.releaseId)
  }
  return ids
}

/** The footprint of a device. */
const footprintOfDevice = ({ footprintId, releaseId, weightKg }: FactDevice, referenceDataOf: ReferenceDataOf) =>
  footprintById(footprintId, weightKg === '' ? ONE : fromExactText(weightKg), referenceDataOf(releaseId))

/** The type and grid score of a rental's use over the given months. */
function kindOfUse({ device, rental }: ReportEntry, months: string, referenceDataOf: ReferenceDataOf): number {
  const footprint = footprintOfDevice({ ...device!, weightKg: device!.weightKg ?? '' }, referenceDataOf)
  const { start, country, releaseId } = rental!
  const used = useMethod(footprint, gridFactors(country, referenceDataOf(releaseId)), start, fromExactText(months))
  if (used === null) return 0
  const flags = used.type === 'estimated' ? ENTRY_KINDS.useEstimated : 0
  return used.use ? withGridErrors(flags, gridScore(used.use), gridSpread(used.use)) : flags
}
