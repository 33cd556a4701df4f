// Compares the defaults that stand in for what refurbishments emitted with the releases that the verifier has.
import type { DeviceEvent } from '../engine/device-timeline.ts'
import { toExactText } from '../engine/numbers/rational.ts'
import type { OrderInputs } from '../engine/order-inputs.ts'
import type { ReferenceData } from '../engine/reference/reference-data.ts'
import type { Decoder } from '../strict-json/decoder.ts'

/** @throws DecodeError at a default that its release does not have */
export function checkDefaults(receipt: Decoder, { devices }: OrderInputs, published: readonly ReferenceData[]): void {
  for (const [at, device] of receipt.get('devices').list().entries()) {
    const events = device.get('ledger').get('events').list()
    for (const [no, event] of devices[at]!.events.entries()) checkDefault(events[no]!, event, published)
  }
}

function checkDefault(node: Decoder, event: DeviceEvent, published: readonly ReferenceData[]): void {
  if (event.type !== 'refurbished' || !event.byDefault) return
  const { deviceType, release } = event.byDefault
  const known = published.find((one) => one.release === release)
  if (!known) return
  const stated = node.get('emission_default')
  const found = known.refurbishments?.get(deviceType)
  if (!found) throw stated.get('device_type').fault(`a type with a default in ${release}`)
  node.get('emission').oneOf([toExactText(found.emission)])
  stated.get('low').oneOf([toExactText(found.low)])
  stated.get('high').oneOf([toExactText(found.high)])
}
