// The part of a statement that its PDF shows, small enough to be passed to the thread that draws it.
import type { Resumable } from '../engine/numbers/steps.ts'
import type { Statement, StatementDevice } from '../statements/statement.ts'

/** In whole milligrams, far below 2^53, so that sums are exact. */
export interface Balance {
  readonly opening: number
  readonly year: number
  readonly closing: number
}

export interface ModelLine {
  readonly id: string
  readonly name: string
  readonly isStandIn: boolean
  readonly devices: number
  /** In milligrams. */
  readonly year: number
}

/** One element per device, in columns, which pass between threads as blocks of memory. */
export interface DeviceColumns {
  readonly serialNumbers: readonly string[]
  /** The index of each device's model in `models`. */
  readonly models: Uint32Array
  /** Opening, year and closing of each device, in milligrams. */
  readonly balances: Float64Array
}

export interface StatementModel extends Omit<Statement, 'devices'> {
  /** Sorted by the year's emission, largest first. */
  readonly models: readonly ModelLine[]
  readonly devices: DeviceColumns
  /** The sum over all devices. */
  readonly ofDevices: Balance
}

const MILLIGRAMS = 1_000_000

export const milligramsOf = (kilograms: number): number => Math.round(kilograms * MILLIGRAMS)
export const kilogramsOf = (milligrams: number): number => milligrams / MILLIGRAMS

/** Number of devices processed per step, so that other work can run in between. */
const DEVICES_A_STEP = 500

export function* statementModel(statement: Statement): Resumable<StatementModel> {
  const { devices } = statement
  const groups = new Map<string, Group>()
  const groupOfEach = new Uint32Array(devices.length)
  const balances = new Float64Array(3 * devices.length)
  const ofDevices = { opening: 0, year: 0, closing: 0 }
  for (const [at, device] of devices.entries()) {
    if (at % DEVICES_A_STEP === 0) yield
    const balance = balanceOf(device)
    const group = groupFor(device, groups)
    group.devices++
    group.year += balance.year
    groupOfEach[at] = group.no
    balances.set([balance.opening, balance.year, balance.closing], 3 * at)
    ofDevices.opening += balance.opening
    ofDevices.year += balance.year
    ofDevices.closing += balance.closing
  }
  const models = [...groups.values()].sort((one, other) => other.year - one.year || one.no - other.no)
  const placeOf = new Map(models.map(({ no }, place) => [no, place]))
  return {
    // Long lists that the PDF does not show are omitted, such as the entries of every rental.
    ...{ ...statement, orders: [], calculation_bases: [] },
    models,
    devices: {
      serialNumbers: devices.map((device) => device.serial_number),
      models: groupOfEach.map((no) => placeOf.get(no)!),
      balances,
    },
    ofDevices,
  }
}

/** A model while its devices are being counted. */
interface Group extends ModelLine {
  readonly no: number
  devices: number
  year: number
}

function groupFor({ model: { id, name, match_level: level } }: StatementDevice, groups: Map<string, Group>): Group {
  const known = groups.get(id)
  if (known) return known
  const made = { no: groups.size, id, name, isStandIn: level !== 'model', devices: 0, year: 0 }
  groups.set(id, made)
  return made
}

const balanceOf = ({ opening, year, closing }: StatementDevice): Balance => ({
  opening: milligramsOf(opening.total_emission),
  year: milligramsOf(year.total_emission),
  closing: milligramsOf(closing.total_emission),
})
