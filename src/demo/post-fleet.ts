// Posts the demo fleet: every order and event is parsed and stored as a client's is; existing ones are left unchanged.
import type { OrderKey } from '../engine/device-timeline.ts'
import { DEVICE_EVENTS, ORDER_EVENTS, type WireDeviceEvent, type WireOrderEvent } from '../contract/event-schema.ts'
import type { NamedSchema } from '../contract/named-schema.ts'
import { invalidRequest } from '../contract/errors.ts'
import { recordDeviceEvent, recordOrderEvent } from '../ledger/record-event.ts'
import { toRecord } from '../ledger/record-order.ts'
import { parseEvent } from '../contract/parse-event.ts'
import { parseOrder } from '../contract/parse-order.ts'
import type { Validate } from '../contract/validation.ts'
import type { ImportContext, RecordingAccount } from '../imports/context.ts'
import { createYielder } from '../imports/throttle.ts'
import type { FleetEvent } from './fleet-facts.ts'
import type { FleetPlan } from './plan-fleet.ts'

export interface FleetContext extends Pick<
  ImportContext,
  | 'recordOrder'
  | 'events'
  | 'mappings'
  | 'findAccount'
  | 'referenceData'
  | 'releaseId'
  | 'referenceDataOf'
  | 'validateOrder'
  | 'servedWithin'
> {
  readonly validatorOf: (schema: NamedSchema) => Validate
}

/** Concurrent posts: enough for full batches, and few enough not to hold up other requests. */
const AT_ONCE_MAX = 64

/** True once the process is to end: posts in progress are completed, and no more are started. */
type IsStopping = () => boolean

/**
 * Posts a fleet to an account; a repetition posts what is missing.
 * @returns false if it was stopped before its end
 * @throws ApiError if an event contradicts the recorded state, as when other events of the fleet's devices were posted
 * meanwhile
 */
export async function loadFleet(
  context: FleetContext,
  accountId: number,
  { mappings, facts }: FleetPlan,
  isStopping: IsStopping,
): Promise<boolean> {
  const targets = [...mappings].map(([productId, modelId]) => ({ productId, target: { modelId, deviceType: null } }))
  await context.mappings.put(accountId, targets)
  const account = { ...(await context.findAccount(accountId)), recordedBy: null }
  const maybeYield = createYielder(context)
  const last = new Map<string, Promise<void>>()
  const inFlight = new Set<Promise<void>>()
  try {
    for (const { fact, about } of facts) {
      await maybeYield()
      if (isStopping()) break
      if (inFlight.size >= AT_ONCE_MAX) await Promise.race(inFlight)
      const before = about.flatMap((name) => last.get(name) ?? [])
      const posted = Promise.all(before).then(() => post(context, account, fact))
      for (const name of about) last.set(name, posted)
      inFlight.add(posted)
      // The failure is reported to the caller that awaits the promise.
      posted.catch(() => undefined).finally(() => inFlight.delete(posted))
    }
    await Promise.all([...last.values(), ...inFlight])
  } finally {
    // Nothing may continue in the background once the caller loads or removes the fleet again.
    await Promise.allSettled(inFlight)
  }
  return !isStopping()
}

function post(context: FleetContext, account: RecordingAccount, fact: FleetEvent): Promise<void> {
  switch (fact.kind) {
    case 'order':
      return postOrder(context, account, fact.order)
    case 'order-event':
      return postOrderEvent(context, account, fact.order, fact.event)
    case 'device-event':
      return postDeviceEvent(context, account, fact.serialNumber, fact.event)
  }
}

async function postOrder(context: FleetContext, account: RecordingAccount, body: unknown): Promise<void> {
  const { recordOrder, mappings, validateOrder, referenceData, releaseId } = context
  const read = parseOrder(body, validateOrder, referenceData, await mappings.of(account), null)
  if (!read.ok) throw invalidRequest(read.problems)
  const { accountId, isCapped } = account
  await recordOrder(toRecord(accountId, { wire: read.wire, items: read.items, releaseId, isCapped }))
}

async function postOrderEvent(
  { events, referenceDataOf, validatorOf }: FleetContext,
  account: RecordingAccount,
  order: OrderKey,
  body: WireOrderEvent,
): Promise<void> {
  const read = parseEvent<WireOrderEvent>(body, ORDER_EVENTS, validatorOf, null)
  if (!read.ok) throw invalidRequest(read.problems)
  const { outcome } = await recordOrderEvent(events, account, order, read.event, { referenceDataOf, matching: null })
  if (outcome === 'not-found') throw new Error(`The order "${order.orderId}" of the demo fleet is not there`)
}

async function postDeviceEvent(
  context: FleetContext,
  account: RecordingAccount,
  serialNumber: string,
  body: WireDeviceEvent,
): Promise<void> {
  const { events, referenceDataOf } = context
  const read = parseEvent<WireDeviceEvent>(body, DEVICE_EVENTS, context.validatorOf, null)
  if (!read.ok) throw invalidRequest(read.problems)
  const { outcome } = await recordDeviceEvent(events, account, serialNumber, read.event, context, referenceDataOf)
  if (outcome === 'not-found') throw new Error(`The device "${serialNumber}" of the demo fleet is not there`)
}
