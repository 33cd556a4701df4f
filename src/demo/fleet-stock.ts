// The devices of the demo fleet while it is planned: bought over the months, rented out, returned and decommissioned.
import type { DeviceType } from '../engine/reference/reference-data.ts'
import type { Random } from './draw.ts'
import { FLEET_SHARES, type FleetProduct } from './fleet-products.ts'

export interface StockDevice {
  readonly serial: string
  readonly product: FleetProduct
  rentals: number
  /** Days since the first day; Infinity once the device is decommissioned. */
  freeFrom: number
}

export interface Stock {
  /** A device that is available on that day, either returned or newly bought; null if neither is possible. */
  readonly take: (type: DeviceType, day: number) => StockDevice | null
  /** A new device of the same product, in place of one that failed. */
  readonly replace: (device: StockDevice) => StockDevice
}

const SERIAL_CHARACTERS = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ'
const SERIAL_LENGTH = 8
/** Share of the fleet that exists on the first day; it is complete from day WHOLE_FROM_DAY on. */
const SHARE_AT_FIRST = 0.4
const WHOLE_FROM_DAY = 600
/** Share of orders that get a new device although a returned one is free, while the fleet still grows. */
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
