// The devices of the demo fleet while it is planned: bought over the months, rented out, back again, and gone.
import type { DeviceType } from '../engine/reference/reference-data.ts'
import type { Random } from './draw.ts'
import { FLEET_SHARES, type FleetProduct } from './fleet-products.ts'

export interface StockDevice {
  readonly serial: string
  readonly product: FleetProduct
  rentals: number
  /** Days since the first; Infinity once it is gone. */
  freeFrom: number
}

export interface Stock {
  /** A device that is there on that day: of what came back, or bought. Null where neither is to be had. */
  readonly take: (type: DeviceType, day: number) => StockDevice | null
  /** A new one of the same kind, in place of one that failed. */
  readonly replace: (device: StockDevice) => StockDevice
}

const SERIAL_CHARACTERS = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ'
const SERIAL_LENGTH = 8
/** So much of the fleet is there on the first day; all of it on a later one. */
const SHARE_AT_FIRST = 0.4
const WHOLE_FROM_DAY = 250
/** Of orders that could have a device that came back, so many get a new one while the fleet still grows. */
const NEW_SHARE = 0.35

export function createStock(products: ReadonlyMap<DeviceType, readonly FleetProduct[]>, draw: Random): Stock {
  const devices = new Map<DeviceType, StockDevice[]>(FLEET_SHARES.map(({ type }) => [type, []]))
  const serials = new Set<string>()

  function newSerial(letter: string): string {
    const characters = Array.from({ length: SERIAL_LENGTH }, () => draw.oneOf([...SERIAL_CHARACTERS]))
    const serial = letter + characters.join('')
    if (serials.has(serial)) return newSerial(letter)
    serials.add(serial)
    return serial
  }

  function buy(product: FleetProduct): StockDevice {
    const { letter } = FLEET_SHARES.find(({ type }) => type === product.type)!
    const device = { serial: newSerial(letter), product, rentals: 0, freeFrom: 0 }
    devices.get(product.type)!.push(device)
    return device
  }

  return {
    take: (type, day) => {
      const owned = devices.get(type)!
      const whole = FLEET_SHARES.find((share) => share.type === type)!.devices
      const share = Math.min(1, SHARE_AT_FIRST + ((1 - SHARE_AT_FIRST) * day) / WHOLE_FROM_DAY)
      const mayBuy = owned.length < whole * share
      const free = owned.filter(({ freeFrom }) => freeFrom <= day)
      if (mayBuy && (free.length === 0 || draw.chance(NEW_SHARE))) return buy(draw.oneOf(products.get(type)!))
      return free.length === 0 ? null : draw.oneOf(free)
    },
    replace: ({ product }) => buy(product),
  }
}
