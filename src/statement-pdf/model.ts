// What of a statement its PDF shows: small enough to be handed to a thread that draws it.
import type { Resumable } from '../engine/numbers/steps.ts'
import type { Statement, StatementDevice } from '../statements/statement.ts'

/** In milligrams, so that sums are exact: whole numbers, far below 2^53. */
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

/** Device by device, in columns: they pass between threads as blocks of memory. */
export interface DeviceColumns {
  readonly serialNumbers: readonly string[]
  /** Each device's place in `models`. */
  readonly models: Uint32Array
  /** Opening, year and closing of each, in milligrams. */
  readonly balances: Float64Array
}

export interface StatementModel extends Omit<Statement, 'devices'> {
  /** The highest emissions of the year first. */
  readonly models: readonly ModelLine[]
  readonly devices: DeviceColumns
  /** Of all devices. */
  readonly ofDevices: Balance
}

const MILLIGRAMS = 1_000_000

export const milligramsOf = (kilograms: number): number => Math.round(kilograms * MILLIGRAMS)
export const kilogramsOf = (milligrams: number): number => milligrams / MILLIGRAMS

/** Of how many devices at a time, so that others have their turn in between. */
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
    // What is long is left behind: the entries of every rental, and what they rest on.
    ...{ ...statement, orders: [], grounds: [] },
    models,
    devices: {
      serialNumbers: devices.map((device) => device.serial_number),
      models: groupOfEach.map((no) => placeOf.get(no)!),
      balances,
    },
    ofDevices,
  }
}

/** A model while its devices are counted. */
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
