// What a new fact posts to a device's journal: an entry for its own order, and corrections to all that it touches.
import { runDevice, type DeviceEvent, type DeviceRun, type OrderKey, type RentalRun } from './device-run.ts'
import { openBalance, wholeOf, type Balance } from './device-ledger.ts'
import { NOTHING, type DeviceHistory, type Entry, type KnownRental, type Parts, type Reason } from './device-history.ts'
import type { GridFactor } from './figures/factor-book.ts'
import type { Footprint } from './figures/footprint.ts'
import { toMilligrams, type Milligrams } from './numbers/line.ts'
import type { Steps } from './numbers/steps.ts'
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
  /** Of the rental whose terms the fact sets. */
  readonly run: RentalRun | null
  readonly balance: KeptBalance
}

const EVENT_REASONS = { refurbished: 'refurbishment', retired: 'retirement', lost: 'loss' } as const

/** Runs a device's ledger over what is known of it. */
export const runHistory = (history: DeviceHistory, { footprint, isCapped }: DeviceFigures): Steps<DeviceRun> =>
  runDevice(
    openBalance(footprint.embodied, footprint.lifetimeMonths, isCapped),
    [...history.rentals.values()],
    history.events,
  )

export const keptBalance = (balance: Balance): KeptBalance => ({
  whole: toMilligrams(wholeOf(balance)),
  posted: toMilligrams(balance.allocated),
})

type NewEntry = Omit<Entry, 'no'>

/** The entry of a fact itself. @param parts what its rental comes to, less what was posted of it */
export function ownEntry(change: Change, parts: Parts): NewEntry {
  if ('event' in change) {
    const { event, eventId, releaseId } = change
    const reason: Reason = EVENT_REASONS[event.type]
    const nobody = { customerId: '', orderId: '', terms: null, country: null, cause: null }
    return { ...NOTHING, ...nobody, reason, event, eventId, releaseId }
  }
  const { shared, ...rest } = change
  const { packaging, transportation } = shared
  return { ...parts, ...rest, packaging, transportation, cause: null, event: null }
}

/** What another order is corrected by, since its rental ends elsewhere now or is given another part of what is left. */
export function correctionOf(rental: KnownRental, parts: Parts, hasMoved: boolean, change: Change): NewEntry {
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
export function missing(
  rental: KnownRental,
  { terms, months, share }: RentalRun,
  { footprint, gridOf }: DeviceFigures,
): Parts {
  const { posted } = rental
  const use = useOf(footprint, gridOf(rental), terms.start, months)
  return {
    ...NOTHING,
    product_embodied_emission: share.emission - posted.product_embodied_emission,
    product_use: (use?.emission ?? 0n) - posted.product_use,
  }
}

/** True where nothing is to be posted: of transport and packaging, runs say nothing. */
export const isNothing = (parts: Parts): boolean => parts.product_embodied_emission === 0n && parts.product_use === 0n
