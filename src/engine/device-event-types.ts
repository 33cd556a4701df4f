// The types of events on a device, and what each is to its ledger. A new type of event gets its row here.
import type { DeviceEvent } from './device-timeline.ts'
import type { EntryReason, EventWithdrawal, Identification } from './ledger-history.ts'

interface EventType {
  /** Of the event's own entry, and of the entries by which it ends a rental. */
  readonly reason: EntryReason
  /** True if the device is out of service from then on: it is neither rented nor refurbished any more. */
  readonly isDecommissioning: boolean
}

/** What happens to a device on a day; each ends the rental during which it happens. */
const DEVICE_EVENTS: Readonly<Record<DeviceEvent['type'], EventType>> = {
  refurbished: { reason: 'refurbishment', isDecommissioning: false },
  retired: { reason: 'retirement', isDecommissioning: true },
  lost: { reason: 'loss', isDecommissioning: true },
}

/** What changes the record of a device alone. */
const RECORD_EVENTS: Readonly<Record<(Identification | EventWithdrawal)['type'], Pick<EventType, 'reason'>>> = {
  identified: { reason: 'identification' },
  withdrawn: { reason: 'withdrawal' },
}

const ALL_EVENTS = { ...DEVICE_EVENTS, ...RECORD_EVENTS }

export const DEVICE_EVENT_TYPES = Object.keys(DEVICE_EVENTS) as readonly DeviceEvent['type'][]

export const DECOMMISSIONING_TYPES = DEVICE_EVENT_TYPES.filter((type) => DEVICE_EVENTS[type].isDecommissioning)

export const isDecommissioning = ({ type }: { readonly type: string }): boolean =>
  DECOMMISSIONING_TYPES.some((one) => one === type)

export const reasonOfEvent = (type: keyof typeof ALL_EVENTS): EntryReason => ALL_EVENTS[type].reason

export const DEVICE_REASONS: readonly EntryReason[] = Object.values(ALL_EVENTS).map(({ reason }) => reason)

export const DECOMMISSIONING_REASONS = DECOMMISSIONING_TYPES.map(reasonOfEvent)
