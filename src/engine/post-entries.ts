// What a new fact posts to a device's journal: an entry for its own order, and corrections to all that it touches.
import {
  computeTimeline,
  type DeviceEvent,
  type DeviceTimeline,
  type OrderKey,
  type AllocatedRental,
} from './device-timeline.ts'
import { openBalance, totalEmbodied, type EmbodiedBalance } from './device-ledger.ts'
import {
  NO_EMISSIONS,
  type LedgerHistory,
  type LedgerEntry,
  type PostedRental,
  type EmissionsByPart,
  type EntryReason,
} from './ledger-history.ts'
import type { GridFactor } from './reference/reference-data.ts'
import type { Footprint } from './reference/footprint.ts'
import { toMilligrams, type Milligrams } from './numbers/emission.ts'
import type { Resumable } from './numbers/steps.ts'
import { useMethod } from './estimate.ts'

/** The figures that a device is charged by: fixed by the first order that was accepted for it. */
export interface DeviceFootprint {
  readonly footprint: Footprint
  readonly isCapped: boolean
  /** Grid factors of a rental's country in the dataset release that it was made with. */
  readonly gridOf: (rental: Pick<PostedRental, 'releaseId' | 'country'>) => readonly GridFactor[]
}

/** A fact that becomes known: the terms of a rental, new or changed, or an event on the device. */
export type RentalChange =
  | (Pick<LedgerEntry, 'terms' | 'reason' | 'country' | 'releaseId' | 'eventId'> &
      OrderKey & {
        readonly terms: NonNullable<LedgerEntry['terms']>
        /** What is posted of the order's transport and packaging. */
        readonly shared: Pick<EmissionsByPart, 'packaging' | 'transportation'>
      })
  | { readonly event: DeviceEvent; readonly eventId: string; readonly releaseId: number }

/** What is kept of a device beside its journal, in milligrams; it can be rebuilt from that. */
export interface StoredBalance {
  /** The embodied footprint and its refurbishments. */
  readonly whole: Milligrams
  /** Embodied emission that was posted. */
  readonly posted: Milligrams
}

export interface PostedEntries {
  readonly entries: readonly LedgerEntry[]
  /** Of the rental whose terms the fact sets. */
  readonly run: AllocatedRental | null
  readonly balance: StoredBalance
}

const EVENT_REASONS = { refurbished: 'refurbishment', retired: 'retirement', lost: 'loss' } as const

/** Runs a device's ledger over what is known of it. */
export const timelineOf = (
  history: LedgerHistory,
  { footprint, isCapped }: DeviceFootprint,
): Resumable<DeviceTimeline> =>
  computeTimeline(
    openBalance(footprint.embodied, footprint.lifetimeMonths, isCapped),
    [...history.rentals.values()],
    history.events,
  )

export const toStoredBalance = (balance: EmbodiedBalance): StoredBalance => ({
  whole: toMilligrams(totalEmbodied(balance)),
  posted: toMilligrams(balance.allocated),
})

type NewEntry = Omit<LedgerEntry, 'no'>

/** The entry of a fact itself. @param parts what its rental comes to, less what was posted of it */
export function ownEntry(change: RentalChange, parts: EmissionsByPart): NewEntry {
  if ('event' in change) {
    const { event, eventId, releaseId } = change
    const reason: EntryReason = EVENT_REASONS[event.type]
    const nobody = { customerId: '', orderId: '', terms: null, country: null, cause: null }
    return { ...NO_EMISSIONS, ...nobody, reason, event, eventId, releaseId }
  }
  const { shared, ...rest } = change
  const { packaging, transportation } = shared
  return { ...parts, ...rest, packaging, transportation, cause: null, event: null }
}

/** What another order is corrected by, since its rental ends elsewhere now or is given another part of what is left. */
export function correctionOf(
  rental: PostedRental,
  parts: EmissionsByPart,
  hasMoved: boolean,
  change: RentalChange,
): NewEntry {
  const reasonOfEnd: EntryReason = 'event' in change ? EVENT_REASONS[change.event.type] : 'overlap'
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
  rental: PostedRental,
  { terms, months, share }: AllocatedRental,
  { footprint, gridOf }: DeviceFootprint,
): EmissionsByPart {
  const { posted } = rental
  const use = useMethod(footprint, gridOf(rental), terms.start, months)
  return {
    ...NO_EMISSIONS,
    product_embodied_emission: share.emission - posted.product_embodied_emission,
    product_use: (use?.emission ?? 0n) - posted.product_use,
  }
}

/** True where nothing is to be posted: of transport and packaging, runs say nothing. */
export const isNothing = (parts: EmissionsByPart): boolean =>
  parts.product_embodied_emission === 0n && parts.product_use === 0n
