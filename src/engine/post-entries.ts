// The ledger entries that a new fact causes: one for its own order, and corrections to all other affected orders.
import {
  computeTimeline,
  type DeviceEvent,
  type DeviceTimeline,
  type OrderKey,
  type AllocatedRental,
} from './device-timeline.ts'
import { reasonOfEvent } from './device-event-types.ts'
import { openBalance, totalEmbodied, type EmbodiedBalance } from './device-ledger.ts'
import {
  NO_EMISSIONS,
  type EventWithdrawal,
  type Identification,
  type InForce,
  type LedgerHistory,
  type LedgerEntry,
  type PostedRental,
  type EmissionsByPart,
} from './ledger-history.ts'
import type { GridFactor } from './reference/reference-data.ts'
import type { Footprint } from './reference/footprint.ts'
import { toMilligrams, type Milligrams } from './numbers/emission.ts'
import type { Resumable } from './numbers/steps.ts'
import { useMethod } from './estimate.ts'

/** The footprint data of a device: fixed by the first order that was accepted for it, or identified later. */
export interface DeviceFootprint {
  readonly footprint: Footprint
  readonly isCapped: boolean
  /** Grid factors of a rental's country, from the dataset release with which the rental was calculated. */
  readonly gridOf: (rental: Pick<PostedRental, 'releaseId' | 'country' | keyof OrderKey>) => readonly GridFactor[]
}

/** A new fact: the new or changed terms of a rental, an event on the device, or the withdrawal of one. */
export type RentalChange =
  | (Pick<LedgerEntry, 'terms' | 'reason' | 'country' | 'releaseId' | 'eventId' | 'inForce'> &
      OrderKey & {
        readonly terms: NonNullable<LedgerEntry['terms']>
        /** Transport and packaging emissions of the order to be posted. */
        readonly shared: Pick<EmissionsByPart, 'packaging' | 'transportation'>
        /** True if the next fact follows at once, and posts the corrections of other orders that both cause. */
        readonly isInterim?: boolean
      })
  | {
      readonly event: DeviceEvent | Identification | EventWithdrawal
      readonly eventId: string
      readonly releaseId: number
      /** For an identification and its withdrawal: the figures by which the device is charged from its first day on. */
      readonly figures?: DeviceFootprint
      /** For a withdrawal: the event that retired or lost the device, if it is still retired or lost. */
      readonly inForce?: InForce | null
    }

/** The new or changed terms of a rental. */
export type TermsChange = Exclude<RentalChange, { readonly event: unknown }>

/** Amounts stored for a device in addition to its ledger, in milligrams; they can be rebuilt from it. */
export interface StoredBalance {
  /** Total embodied emission, including refurbishments. */
  readonly embodiedTotal: Milligrams
  /** Embodied emission posted so far. */
  readonly allocated: Milligrams
}

export interface PostedEntries {
  readonly entries: readonly LedgerEntry[]
  /** The outcome of the rental whose terms the fact sets. */
  readonly run: AllocatedRental | null
  readonly balance: StoredBalance
}

/** Computes a device's timeline from its history. */
export const timelineOf = (
  history: LedgerHistory,
  { footprint, isCapped }: DeviceFootprint,
): Resumable<DeviceTimeline> =>
  computeTimeline(
    openBalance(footprint.embodied, footprint.lifetimeMonths, isCapped),
    [...history.rentals.values()],
    [...history.events.values()],
  )

export const toStoredBalance = (balance: EmbodiedBalance): StoredBalance => ({
  embodiedTotal: toMilligrams(totalEmbodied(balance)),
  allocated: toMilligrams(balance.allocated),
})

type NewEntry = Omit<LedgerEntry, 'no'>

/** The entry of the fact itself. @param parts the rental's allocated emissions less those already posted */
export function ownEntry(change: RentalChange, parts: EmissionsByPart): NewEntry {
  if ('event' in change) {
    const { event, eventId, releaseId, inForce = null } = change
    const reason = reasonOfEvent(event.type)
    const nobody = { customerId: '', orderId: '', terms: null, country: null, cause: null }
    return { ...NO_EMISSIONS, ...nobody, reason, event, eventId, releaseId, inForce }
  }
  const { customerId, orderId, terms, reason, country, releaseId, eventId, inForce, shared } = change
  const own = {
    customerId,
    orderId,
    terms,
    reason,
    country,
    releaseId,
    eventId,
    ...(inForce !== undefined && { inForce }),
  }
  const { packaging, transportation } = shared
  return { ...parts, ...own, packaging, transportation, cause: null, event: null }
}

/**
 * The correction of another order, whose rental now ends on another day or gets a different share of the pool.
 * @param hasOtherEnd true if the rental ends on another day than before the change
 */
export function correctionOf(
  rental: PostedRental,
  parts: EmissionsByPart,
  hasOtherEnd: boolean,
  change: RentalChange,
): NewEntry {
  const reasonOfEnd = 'event' in change ? reasonOfEvent(change.event.type) : 'overlap'
  return {
    ...parts,
    customerId: rental.customerId,
    orderId: rental.orderId,
    reason: hasOtherEnd || isIdentification(change) ? reasonOfEnd : 'resequenced',
    terms: null,
    country: null,
    releaseId: rental.releaseId,
    eventId: change.eventId,
    cause: 'event' in change ? null : { customerId: change.customerId, orderId: change.orderId },
    event: null,
  }
}

/** True if the change is an identification, or withdraws one: then every order of the device is charged again. */
export const isIdentification = (change: RentalChange): boolean => 'event' in change && change.figures !== undefined

/** The rental's allocated emissions less those already posted. */
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

/** True if nothing has to be posted; transport and packaging do not depend on the timeline. */
export const isNothing = (parts: EmissionsByPart): boolean =>
  parts.product_embodied_emission === 0n && parts.product_use === 0n
