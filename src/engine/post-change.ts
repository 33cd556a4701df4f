// What a new fact posts to a device's journal: an entry for its own order, and corrections to all that it touches.
import { orderKey, runDevice, type DeviceEvent, type DeviceRun, type OrderKey, type Rental } from './device-run.ts'
import { openBalance, wholeOf } from './device-ledger.ts'
import { NOTHING, type DeviceHistory, type Entry, type KnownRental, type Parts, type Reason } from './device-history.ts'
import type { GridFactor } from './figures/factor-book.ts'
import type { Footprint } from './figures/footprint.ts'
import { toMilligrams, type Milligrams } from './numbers/line.ts'
import { useOf } from './product-lines.ts'

/** The figures that a device is charged by: fixed by the first order that was accepted for it. */
export interface DeviceFigures {
  readonly footprint: Footprint
  readonly isCapped: boolean
  /** Grid factors of a rental's country in the dataset release that it was made with. */
  readonly gridOf: (rental: Pick<KnownRental, 'releaseId' | 'country'>) => readonly GridFactor[]
}

/** A fact that becomes known: the terms of a rental, new or changed, or an event on the device. */
export type Change =
  | (Pick<Entry, 'terms' | 'reason' | 'country' | 'releaseId' | 'eventId'> &
      OrderKey & {
        readonly terms: NonNullable<Entry['terms']>
        /** What is posted of the order's transport and packaging. */
        readonly shared: Pick<Parts, 'packaging' | 'transportation'>
      })
  | { readonly event: DeviceEvent; readonly eventId: string; readonly releaseId: number }

/** What is kept of a device beside its journal, in milligrams; it can be rebuilt from that. */
export interface KeptBalance {
  /** The embodied footprint and its refurbishments. */
  readonly whole: Milligrams
  /** Embodied emission that was posted. */
  readonly posted: Milligrams
}

export interface Posting {
  readonly entries: readonly Entry[]
  readonly run: DeviceRun
  readonly balance: KeptBalance
}

const EVENT_REASONS = { refurbished: 'refurbishment', retired: 'retirement', lost: 'loss' } as const

/** Runs a device's ledger over what is known of it. */
export const runHistory = (history: DeviceHistory, { footprint, isCapped }: DeviceFigures): DeviceRun =>
  runDevice(
    openBalance(footprint.embodied, footprint.lifetimeMonths, isCapped),
    [...history.rentals.values()],
    history.events,
  )

const keptBalance = ({ balance }: DeviceRun): KeptBalance => ({
  whole: toMilligrams(wholeOf(balance)),
  posted: toMilligrams(balance.allocated),
})

/** A history with one more fact in it. What that posts is not in it yet. */
export function withChange(history: DeviceHistory, change: Change): DeviceHistory {
  if ('event' in change) return { ...history, events: [...history.events, change.event] }
  const { customerId, orderId, terms, reason, country, releaseId } = change
  const known = history.rentals.get(orderKey(change))
  const rental = { customerId, orderId, terms, reason, country, releaseId }
  const posted = known?.posted ?? NOTHING
  return { ...history, rentals: new Map(history.rentals).set(orderKey(change), { ...rental, posted }) }
}

/**
 * What a fact posts: the run over everything known with it, less what was posted before. The entry of the fact itself
 * comes first, even if it posts nothing; then corrections to other orders, in the sequence of the run.
 * METHODOLOGY.md#corrections
 */
export function postChange(before: DeviceHistory, change: Change, figures: DeviceFigures): Posting {
  const after = withChange(before, change)
  const run = runHistory(after, figures)
  const own = 'event' in change ? '' : orderKey(change)
  const others = [...run.rentals.keys()]
    .filter((key) => key !== own)
    .map((key) => ({ key, parts: missing(after.rentals.get(key)!, run, figures) }))
    .filter(({ parts }) => parts.product_embodied_emission !== 0n || parts.product_use !== 0n)
  // Most facts correct nobody, and then how it was before need not be run.
  const earlier = others.length > 0 ? runHistory(before, figures) : run
  const corrections = others.map(({ key, parts }) => {
    const hasMoved = run.rentals.get(key)!.end !== earlier.rentals.get(key)!.end
    return correction(after.rentals.get(key)!, parts, hasMoved, change)
  })
  const entries = [ownEntry(after, change, run, figures), ...corrections]
  return {
    entries: entries.map((entry, at) => ({ ...entry, no: before.lastNo + 1 + at })),
    run,
    balance: keptBalance(run),
  }
}

type NewEntry = Omit<Entry, 'no'>

function ownEntry(after: DeviceHistory, change: Change, run: DeviceRun, figures: DeviceFigures): NewEntry {
  if ('event' in change) {
    const { event, eventId, releaseId } = change
    const reason: Reason = EVENT_REASONS[event.type]
    const nobody = { customerId: '', orderId: '', terms: null, country: null, cause: null }
    return { ...NOTHING, ...nobody, reason, event, eventId, releaseId }
  }
  const { shared, ...rest } = change
  const rental = after.rentals.get(orderKey(change))!
  const { packaging, transportation } = shared
  return { ...missing(rental, run, figures), ...rest, packaging, transportation, cause: null, event: null }
}

/** What another order is corrected by, since its rental ends elsewhere now or is given another part of what is left. */
function correction(rental: KnownRental, parts: Parts, hasMoved: boolean, change: Change): NewEntry {
  const reasonOfEnd: Reason = 'event' in change ? EVENT_REASONS[change.event.type] : 'overlap'
  return {
    ...parts,
    customerId: rental.customerId,
    orderId: rental.orderId,
    reason: hasMoved ? reasonOfEnd : 'resequenced',
    terms: null,
    country: null,
    releaseId: rental.releaseId,
    eventId: change.eventId,
    cause: 'event' in change ? null : { customerId: change.customerId, orderId: change.orderId },
    event: null,
  }
}

/** What a rental comes to, less what was posted of it. */
function missing(rental: KnownRental, run: DeviceRun, figures: DeviceFigures): Parts {
  const { embodied, use } = emissionsOf(rental, run, figures)
  const { posted } = rental
  return {
    ...NOTHING,
    product_embodied_emission: embodied - posted.product_embodied_emission,
    product_use: use - posted.product_use,
  }
}

/** What a rental comes to in a run: its share of what is embodied, and its use. */
function emissionsOf(
  rental: Rental & Pick<KnownRental, 'releaseId' | 'country'>,
  { rentals }: DeviceRun,
  { footprint, gridOf }: DeviceFigures,
): { readonly embodied: Milligrams; readonly use: Milligrams } {
  const { terms, months, share } = rentals.get(orderKey(rental))!
  const use = useOf(footprint, gridOf(rental), terms.start, months)
  return { embodied: share.emission, use: use?.emission ?? 0n }
}
