// The device attributes used in reports: model, type, brand, and the complete embodied footprint.
import type { ReferenceData } from '../engine/reference/reference-data.ts'
import { footprintById, type Footprint } from '../engine/reference/footprint.ts'
import { toMilligrams } from '../engine/numbers/emission.ts'
import { ONE, fromExactText } from '../engine/numbers/rational.ts'
import type { ColumnChunk } from './column-chunk.ts'
import { decodeDevice, type FactDevice } from './fact.ts'
import { decodeFactorMix } from './factor-mix.ts'

export interface DeviceDimensionRow extends FactDevice {
  readonly footprint: Footprint
  /** The model's id; for a fallback, the fallback's key. */
  readonly model: string
  readonly type: string | null
  readonly brand: string | null
  /** The complete embodied footprint in milligrams. */
  readonly whole: number
}

export interface DeviceDimension {
  /** Must be called with a chunk before any device of it is requested. */
  readonly prepare: (chunk: ColumnChunk) => Promise<void>
  /** Null for the empty text. @throws RangeError if the release of the device does not contain its footprint */
  readonly of: (text: string) => DeviceDimensionRow | null
  readonly referenceDataOf: (releaseId: number) => ReferenceData
  /** By model id: the model's name in its newest release, for all devices requested so far. */
  readonly modelNames: () => ReadonlyMap<string, string>
  /** Names of all releases loaded so far. */
  readonly releases: () => readonly string[]
}

export function createDeviceDimension(referenceDataOf: (releaseId: number) => Promise<ReferenceData>): DeviceDimension {
  const referenceDataById = new Map<number, ReferenceData>()
  const devices = new Map<string, DeviceDimensionRow | null>()
  const add = async (releaseId: number) => {
    if (!referenceDataById.has(releaseId)) referenceDataById.set(releaseId, await referenceDataOf(releaseId))
  }
  return {
    prepare: async (chunk) => {
      for (const text of chunk.text('device').values) {
        const device = decodeDevice(text)
        if (device && !devices.has(text)) await add(device.releaseId)
      }
      for (const text of chunk.text('mix').values) if (text !== '') await add(decodeFactorMix(text).releaseId)
    },
    of: (text) => {
      const known = devices.get(text)
      if (known !== undefined) return known
      const device = decodeDevice(text)
      const made = device && toReported(device, referenceDataById.get(device.releaseId)!)
      devices.set(text, made)
      return made
    },
    referenceDataOf: (releaseId) => referenceDataById.get(releaseId)!,
    modelNames: () => namesOf(devices.values()),
    releases: () => [...new Set([...referenceDataById.values()].map(({ release }) => release))].sort(),
  }
}

function namesOf(devices: Iterable<DeviceDimensionRow | null>): ReadonlyMap<string, string> {
  const newest = new Map<string, DeviceDimensionRow>()
  for (const device of devices) {
    if (device && device.releaseId >= (newest.get(device.model)?.releaseId ?? -Infinity))
      newest.set(device.model, device)
  }
  return new Map([...newest].map(([model, { footprint }]) => [model, footprint.name]))
}

function toReported(device: FactDevice, referenceData: ReferenceData): DeviceDimensionRow {
  const { footprintId, weightKg } = device
  const footprint = footprintById(footprintId, weightKg === '' ? ONE : fromExactText(weightKg), referenceData)
  const { model, known, fallback, typeDefault, embodied } = footprint
  const type = model?.type ?? fallback?.fallback.type ?? typeDefault.type
  return {
    ...device,
    footprint,
    model: model?.id ?? (known ? `known:${known.id}` : (fallback?.key ?? footprintId)),
    type: type === 'any' ? null : type,
    brand: model?.brand ?? known?.brand ?? fallback?.fallback.brand ?? null,
    whole: Number(toMilligrams(embodied)),
  }
}
