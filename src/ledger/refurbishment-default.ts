// What a refurbishment emits of which nobody stated the emission: the default of the device's type, which is fixed when
// the event is recorded. METHODOLOGY.md#refurbishment
import type { StoredDefault, StoredDeviceEvent, WireDeviceEvent } from '../contract/event-schema.ts'
import { WARNING_MESSAGES } from '../contract/messages.ts'
import type { EmissionDefault } from '../engine/device-timeline.ts'
import { EVENT_MESSAGES } from '../engine/messages.ts'
import { rationalOfNumber, toDecimal, type Rational } from '../engine/numbers/rational.ts'
import type { Problem } from '../engine/order.ts'
import { rejection, type EventRejection } from '../engine/order-events.ts'
import type { Footprint } from '../engine/reference/footprint.ts'
import type { ReferenceData, RefurbishmentDefault } from '../engine/reference/reference-data.ts'

const PATH = '/emission_kg'
const numberOf = (value: Rational): number => Number(toDecimal(value))

/** The default for a device; null if its type has none, or is not known. */
export const defaultFor = (
  { typeDefault: { type } }: Pick<Footprint, 'typeDefault'>,
  { refurbishments }: ReferenceData,
): RefurbishmentDefault | null => (type === 'any' ? null : (refurbishments?.get(type) ?? null))

/**
 * The event as it is stored: with the default in place of an emission that was not sent.
 * @param footprint what the device is charged by
 * @param referenceData the release of new orders
 * @param isStrict true if the account refuses what there is a warning about
 */
export function withEmission(
  wire: WireDeviceEvent,
  footprint: Footprint,
  referenceData: ReferenceData,
  isStrict: boolean,
): { readonly ok: true; readonly event: StoredDeviceEvent } | EventRejection {
  if (wire.type !== 'refurbished') return { ok: true, event: wire }
  const { emission_kg: stated, lifetime_months_added: months, ...event } = wire
  if (stated !== undefined) return { ok: true, event: { ...wire, emission_kg: stated } }
  const found = defaultFor(footprint, referenceData)
  if (!found) return rejection(PATH, EVENT_MESSAGES.refurbishment_without_default(), true)
  if (isStrict) return { ok: false, isMalformed: true, problem: defaultWarning(PATH, found) }
  const { type, emission, low, high } = found
  const emission_default = {
    device_type: type,
    low_kg: numberOf(low),
    high_kg: numberOf(high),
    // Own figures have no defaults.
    dataset_release: (referenceData.own?.release ?? referenceData).release,
  }
  return {
    ok: true,
    event: { ...event, emission_kg: numberOf(emission), lifetime_months_added: months, emission_default },
  }
}

export const defaultWarning = (
  path: string,
  { type, emission, low, high }: Pick<RefurbishmentDefault, 'type' | 'emission' | 'low' | 'high'>,
): Problem => ({
  path,
  ...WARNING_MESSAGES.emission_by_default({
    type,
    emission_kg: numberOf(emission),
    low_kg: numberOf(low),
    high_kg: numberOf(high),
  }),
})

export const decodeDefault = (stored: StoredDefault): EmissionDefault => ({
  deviceType: stored.device_type,
  low: rationalOfNumber(stored.low_kg),
  high: rationalOfNumber(stored.high_kg),
  release: stored.dataset_release,
})

/** The warning about an event that was recorded, now or before; none for one that states its emission. */
export function defaultWarnings({ content }: { readonly content: string }): readonly Problem[] {
  const { emission_kg, emission_default } = JSON.parse(content) as Partial<
    Extract<StoredDeviceEvent, { readonly type: 'refurbished' }>
  >
  if (!emission_default) return []
  const { device_type: type, low_kg, high_kg } = emission_default
  return [{ path: PATH, ...WARNING_MESSAGES.emission_by_default({ type, emission_kg: emission_kg!, low_kg, high_kg }) }]
}

/** The event that an outcome is about: the recorded one. */
export const eventIn = <Event>(
  outcome: { readonly event: Event } | { readonly outcome: 'replayed'; readonly stored: Event },
): Event => ('stored' in outcome ? outcome.stored : outcome.event)

/** The content of an event without what was put in place of the emission. */
export function withoutEmissionDefault(content: object, isEmissionSent: boolean): object {
  if (!('emission_default' in content)) return content
  const { emission_default: _, ...stated } = content
  if (isEmissionSent) return stated
  const { emission_kg: __, ...sent } = stated as { readonly emission_kg?: number }
  return sent
}
