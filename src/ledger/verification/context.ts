// What verification shares: differences, findings, and cached figures of devices with the same footprint.
import type { ReferenceDataOf } from '../../engine/reference/reference-data.ts'
import type { DeviceFootprint } from '../../engine/post-entries.ts'
import type { Comparable } from '../../engine/stated-entries.ts'
import type { Difference } from '../../strict-json/exact-tree.ts'
import type { PossibleMatch, StoredDevice, StoredFootprint } from '../records.ts'
import { deviceStateOf } from '../codec.ts'

/** A stored value that differs from the recomputed one: its place is the order or device, and what of it differs. */
export interface RowDifference extends Difference {
  readonly accountId: number
}

export const NOT_STORED = 'nothing'

export const deviceSubject = (serialNumber: string): string => `device "${serialNumber}"`

/** Collects the differences of one order or device. */
export class VerificationFindings {
  readonly differences: RowDifference[] = []
  readonly #accountId: number
  readonly #subject: string

  constructor(accountId: number, subject: string) {
    this.#accountId = accountId
    this.#subject = subject
  }

  /** @param member a column, an entry and its column, or an event */
  add(member: string, found: string, expected: string): void {
    this.differences.push({ accountId: this.#accountId, place: `${this.#subject}: ${member}`, found, expected })
  }

  compare(member: string, stored: Comparable, recomputed: Comparable): void {
    if (stored !== recomputed) this.add(member, String(stored ?? NOT_STORED), String(recomputed ?? NOT_STORED))
  }

  /** Records a failed recomputation as a difference, so that the rest of the database is still verified. */
  attempt(compute: () => void): void {
    try {
      compute()
    } catch (error) {
      this.add('the whole', 'as it stands', `nothing: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
}

/** Compares the product id and match method of a device with a proxy match or a mapping. */
export function compareMatch(
  serial: string,
  device: StoredFootprint,
  guess: PossibleMatch | null,
  findings: VerificationFindings,
): void {
  findings.compare(`device "${serial}" product_id`, device.possibleMatch?.productId ?? null, guess?.productId ?? null)
  findings.compare(
    `device "${serial}" match_method`,
    device.possibleMatch?.matchMethod ?? null,
    guess?.matchMethod ?? null,
  )
}

type FiguresOf = (device: StoredDevice) => DeviceFootprint

export interface VerifyContext {
  /** @throws Error if the database has no such release */
  readonly referenceDataOf: ReferenceDataOf
  readonly figuresOf: FiguresOf
}

/** Weight-based fallbacks have as many bases as there are weights. */
const KNOWN_MAX = 10_000

/** Devices of one basis share their figures; those whose footprint depends on their weight have their own. */
export function createVerifyContext(referenceDataOf: ReferenceDataOf): VerifyContext {
  const known = new Map<number, Map<string, DeviceFootprint>>()
  const read: FiguresOf = (device) => deviceStateOf({ device, entries: [] }, referenceDataOf).figures
  const figuresOf: FiguresOf = (device) => {
    if (device.weightKg !== null) return read(device)
    const group = 2 * device.releaseId + (device.isCapped ? 1 : 0)
    const byBasis = known.get(group) ?? new Map<string, DeviceFootprint>()
    const footprint = byBasis.get(device.footprintId)
    if (footprint) return footprint
    if (byBasis.size >= KNOWN_MAX) byBasis.clear()
    const figures = read(device)
    known.set(group, byBasis.set(device.footprintId, figures))
    return figures
  }
  return { referenceDataOf, figuresOf }
}
