// The products of the demo fleet: catalogue models, named in each way that clients name theirs, and a few products
// without a known model.
import type { DeviceModel, DeviceType, ReferenceData } from '../engine/reference/reference-data.ts'

export interface FleetProduct {
  readonly type: DeviceType
  /** As the orders name the product. */
  readonly named: {
    readonly product_id: string
    readonly product_name?: string
    readonly brand?: string
    readonly device_type?: DeviceType
  }
  readonly weightKg: number
  /** The model to which the account maps its product id; null if there is no mapping. */
  readonly mappedTo: string | null
}

interface Share {
  readonly type: DeviceType
  readonly devices: number
  readonly models: number
  readonly weightKg: number
  readonly letter: string
}

/** Final number of devices of each type, and their number of models. */
export const FLEET_SHARES: readonly Share[] = [
  { type: 'laptop', devices: 200, models: 7, weightKg: 1.6, letter: 'N' },
  { type: 'mobile', devices: 100, models: 5, weightKg: 0.19, letter: 'P' },
  { type: 'tablet', devices: 60, models: 4, weightKg: 0.5, letter: 'T' },
  { type: 'monitor', devices: 75, models: 4, weightKg: 6.2, letter: 'M' },
  { type: 'gaming_console', devices: 25, models: 2, weightKg: 4.1, letter: 'C' },
  { type: 'headphone', devices: 40, models: 2, weightKg: 0.25, letter: 'H' },
]

/** Fictional: none of these will ever be in the catalogue. */
const UNKNOWN: readonly FleetProduct[] = [
  {
    type: 'laptop',
    named: { product_id: 'KN-15', product_name: 'Kestrel Nova 15', brand: 'Kestrel', device_type: 'laptop' },
    weightKg: 1.75,
    mappedTo: null,
  },
  {
    type: 'mobile',
    named: { product_id: 'TRAIL-3', product_name: 'Marlow Trail 3', brand: 'Marlow', device_type: 'mobile' },
    weightKg: 0.23,
    mappedTo: null,
  },
  {
    type: 'monitor',
    named: { product_id: 'STUDIO-DISPLAY-WALL', product_name: 'Hollis wall panel' },
    weightKg: 11.5,
    mappedTo: null,
  },
]

/** Products by type. Models are spread over the catalogue, so that there are several brands. */
export function fleetProducts({ models }: ReferenceData): ReadonlyMap<DeviceType, readonly FleetProduct[]> {
  const all = [...models.values()]
  return new Map(
    FLEET_SHARES.map((share) => {
      const known = all.filter(({ type }) => type === share.type)
      const chosen = Array.from({ length: Math.min(share.models, known.length) }, (_, at) => {
        const model = known[Math.floor(((at + 0.5) * known.length) / share.models)]!
        return toProduct(model, share, at)
      })
      return [share.type, [...chosen, ...UNKNOWN.filter(({ type }) => type === share.type)]]
    }),
  )
}

/** Two of three products are named by the id of the model, the third by its name, and one per type by a mapping. */
function toProduct(model: DeviceModel, { type, weightKg, letter }: Share, at: number): FleetProduct {
  const own = `${letter}-${1001 + at}`
  const { id, name, brand } = model
  if (at === 1) return { type, named: { product_id: own, device_type: type }, weightKg, mappedTo: id }
  if (at % 3 === 2)
    return {
      type,
      named: { product_id: own, product_name: name, brand, device_type: type },
      weightKg,
      mappedTo: null,
    }
  return { type, named: { product_id: id, brand }, weightKg, mappedTo: null }
}
