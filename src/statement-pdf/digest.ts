// What of a statement its PDF shows: small enough to be handed to a thread that draws it.
import type { Steps } from '../engine/steps.ts'
import type { Statement, StatementDevice } from '../statement/statement.ts'

/** All that a PDF may list; its table takes some 30 devices a page. */
export const DEVICES_MAX = 50_000

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

export interface Digest extends Omit<Statement, 'devices' | 'orders' | 'grounds'> {
  /** The highest emissions of the year first. */
  readonly models: readonly ModelLine[]
  readonly devices: DeviceColumns
  /** Of all devices that `devices` leaves out. */
  readonly unlisted: Balance
  /** Of all devices. */
  readonly ofDevices: Balance
}

const MILLIGRAMS = 1_000_000
const NOTHING: Balance = { opening: 0, year: 0, closing: 0 }

export const milligramsOf = (kilograms: number): number => Math.round(kilograms * MILLIGRAMS)
export const kilogramsOf = (milligrams: number): number => milligrams / MILLIGRAMS

/** Of how many devices at a time, so that others have their turn in between. */
const DEVICES_A_STEP = 500

/** @param devicesMax how many devices are listed one by one */
export function* digestOf(statement: Statement, devicesMax = DEVICES_MAX): Steps<Digest> {
  const { devices, ...rest } = statement
  const { orders: _, grounds: __, ...shown } = rest
  const listed = Math.min(devices.length, devicesMax)
  const serialNumbers: string[] = []
  const groups = new Map<string, Group>()
  const groupOfEach = new Uint32Array(listed)
  const balances = new Float64Array(3 * listed)
  const [ofDevices, unlisted] = [{ ...NOTHING }, { ...NOTHING }]
  for (const [at, device] of devices.entries()) {
    if (at % DEVICES_A_STEP === 0) yield
    const balance = balanceOf(device)
    const group = groupFor(device, groups)
    group.devices++
    group.year += balance.year
    addTo(ofDevices, balance)
    if (at >= listed) {
      addTo(unlisted, balance)
      continue
    }
    serialNumbers.push(device.serial_number)
    groupOfEach[at] = group.no
    balances.set([balance.opening, balance.year, balance.closing], 3 * at)
  }
  const models = [...groups.values()].sort((one, other) => other.year - one.year || one.no - other.no)
  const placeOf = new Map(models.map(({ no }, place) => [no, place]))
  return {
    ...shown,
    models,
    devices: { serialNumbers, models: groupOfEach.map((no) => placeOf.get(no)!), balances },
    unlisted,
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

function addTo(sum: { -readonly [Key in keyof Balance]: number }, { opening, year, closing }: Balance): void {
  sum.opening += opening
  sum.year += year
  sum.closing += closing
}
