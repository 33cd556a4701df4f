// The devices of a scenario: what each is charged by, and its ledger as the scenario changes it.
import { orderKey, type OrderKey } from '../../engine/device-timeline.ts'
import type { Resumable } from '../../engine/numbers/steps.ts'
import type { DeviceFootprint } from '../../engine/post-entries.ts'
import { modelIdByAlias } from '../../engine/reference/product-match.ts'
import {
  DEVICE_TYPES,
  type DeviceType,
  type GridFactor,
  type ReferenceDataOf,
} from '../../engine/reference/reference-data.ts'
import {
  isOfType,
  type ElectricityChange,
  type ModelChange,
  type UnchangedReason,
} from '../../engine/scenario/changes.ts'
import { replayLedger, type CountedEntry } from '../../engine/scenario/replay-ledger.ts'
import type { StatedEntry } from '../../engine/stated-entries.ts'
import { decodeEntry, figuresOf } from '../codec.ts'
import { sentKeyOf } from '../naming-order.ts'
import type { DeviceLedger, StoredEntry, StoredFootprint } from '../records.ts'

/** What every order states of one device with each of its events (null: when it was sent), by orderKey. */
export type StatedBySerial = ReadonlyMap<string, ReadonlyMap<string, ReadonlyMap<string | null, StatedEntry>>>

/** A model in place of another one in the footprints of a device, by the id of the dataset release. */
interface Replacement {
  readonly from: string
  readonly toOf: ReadonlyMap<number, string>
}

export interface ScenarioDevice {
  readonly ledger: DeviceLedger
  readonly entries: readonly CountedEntry[]
  /** By which it is charged today. */
  readonly type: DeviceType | null
  readonly replacements: readonly Replacement[]
  /** For each change of a model: null if it concerns the device. */
  readonly models: ReadonlyMap<ModelChange, UnchangedReason | null>
}

export const countedEntry = (stored: StoredEntry): CountedEntry => ({
  ...decodeEntry(stored),
  countsFrom: stored.countsFrom,
  isSpreadUntilEnd: stored.isSpreadUntilEnd,
})

/** @param isInScope of an order under the id that the client sent */
export function scenarioDevice(
  ledger: DeviceLedger,
  changes: readonly ModelChange[],
  isInScope: (order: OrderKey) => boolean,
  referenceDataOf: ReferenceDataOf,
): ScenarioDevice {
  const { device, entries } = ledger
  const { type } = figuresOf(device, referenceDataOf).footprint.typeDefault
  const known = DEVICE_TYPES.find((one) => one === type) ?? null
  const isWhole = entries.every((entry) => entry.orderId === '' || isInScope(sentKeyOf(entry)))
  const replacements: Replacement[] = []
  const models = new Map<ModelChange, UnchangedReason | null>()
  for (const change of changes) {
    const found = replacementBy(change, ledger, known, replacements, isWhole, referenceDataOf)
    if (typeof found !== 'string') replacements.push(found)
    models.set(change, typeof found === 'string' ? found : null)
  }
  return { ledger, entries: entries.map(countedEntry), type: known, replacements, models }
}

/** The model that takes the place of another one, after the changes before; or why it does not. */
function replacementBy(
  change: ModelChange,
  { device, entries }: DeviceLedger,
  type: DeviceType | null,
  before: readonly Replacement[],
  isWhole: boolean,
  referenceDataOf: ReferenceDataOf,
): Replacement | UnchangedReason {
  const from = replaced(device, before).footprintId
  if (from !== modelIdByAlias(change.from, referenceDataOf(device.releaseId))) return 'no_such_model'
  if (!isOfType(type, change)) return 'other_device_type'
  if (!isWhole) return 'orders_outside_scope'
  const toOf = new Map<number, string>()
  for (const footprint of footprintsIn(device, entries)) {
    if (replaced(footprint, before).footprintId !== from) continue
    const to = modelIdByAlias(change.to, referenceDataOf(footprint.releaseId))
    if (to === null) return 'not_in_release'
    toOf.set(footprint.releaseId, to)
  }
  return { from, toOf }
}

const footprintsIn = (device: StoredFootprint, entries: readonly StoredEntry[]): readonly StoredFootprint[] => [
  device,
  ...entries.flatMap(({ footprint }) => footprint ?? []),
]

const replaced = (footprint: StoredFootprint, replacements: readonly Replacement[]): StoredFootprint =>
  replacements.reduce(
    (one, { from, toOf }) => (one.footprintId === from ? { ...one, footprintId: toOf.get(one.releaseId)! } : one),
    footprint,
  )

/** What a device is charged by today, and in the scenario. */
export const chargedBefore = ({ ledger: { device } }: ScenarioDevice): StoredFootprint => device
export const chargedAfter = ({ ledger: { device }, replacements }: ScenarioDevice): StoredFootprint =>
  replaced(device, replacements)

/** The electricity of a rental in the scenario: the last change that concerns it; null if none does. */
export type StatedElectricity = (order: OrderKey, country: string | null) => ElectricityChange | null

/** The ledger as the scenario changes it. */
export function* replayDevice(
  { ledger, entries, replacements }: ScenarioDevice,
  statedOf: StatedBySerial,
  electricityOf: StatedElectricity,
  referenceDataOf: ReferenceDataOf,
): Resumable<readonly CountedEntry[]> {
  const { device } = ledger
  const footprints = new Map(ledger.entries.map(({ no, footprint }) => [no, footprint]))
  const ofSerial = statedOf.get(device.serialNumber)
  const first = ledger.entries[0]?.footprint ?? device
  return yield* replayLedger({
    entries,
    figuresAfter: (entry) => {
      const footprint = footprints.get(entry.no) ?? (entry.no === entries[0]!.no ? first : null)
      return footprint
        ? withElectricity(figuresOf(replaced(footprint, replacements), referenceDataOf), electricityOf)
        : undefined
    },
    statedBy: (order, eventId) => ofSerial?.get(orderKey(order))?.get(eventId),
  })
}

const withElectricity = (figures: DeviceFootprint, electricityOf: StatedElectricity): DeviceFootprint => ({
  ...figures,
  gridOf: (rental) => gridIn(figures.gridOf(rental), electricityOf(rental, rental.country)),
})

/** A factor that is stated applies in every year. Where no factor is known, use is counted by the share as before. */
export function gridIn(grid: readonly GridFactor[], stated: ElectricityChange | null): readonly GridFactor[] {
  const last = grid.at(-1)
  return stated && last ? [{ ...last, factor: stated.factor }] : grid
}
