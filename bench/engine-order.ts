// The measured order as the engine takes it, and a small factor book with the figures of the published example.
import { estimate } from '../src/engine/estimate.ts'
import type {
  DeviceModel,
  ReferenceData,
  PackagingFactor,
  Source,
  TransportFactor,
} from '../src/engine/reference/reference-data.ts'
import type { Order } from '../src/engine/order.ts'
import { shippedReferenceData } from '../test/shipped-book.ts'
import { ZERO, parseDecimal, whole } from '../src/engine/numbers/rational.ts'
import { adjustmentsByMode } from '../src/engine/transport.ts'

// Different orders, so that neither the compiler nor a cache can answer for the engine.
const ORDERS = 1024

/** Estimates the next of the orders each time it is called; throws if the engine refuses one. */
export function prepareEstimate(): () => void {
  const referenceData = exampleBook()
  const orders = Array.from({ length: ORDERS }, (_, number) => exampleOrder(number))
  let next = 0
  return () => {
    const order = orders[next++ % ORDERS]!
    const { ok } = estimate(order, referenceData)
    if (!ok) throw new Error(`the engine refused ${order.orderId}`)
  }
}

function exampleOrder(number: number): Order {
  const weightKg = parseDecimal('1.5')
  return {
    customerId: 'bench-customer',
    orderId: `bench-order-${number}`,
    orderDate: '2024-12-12',
    tenureStartDate: '2025-01-01',
    country: null,
    items: [
      {
        type: 'product',
        productId: MODEL.id,
        serialNumber: `BENCH-SN-${number}`,
        tenureMonths: 1 + (number % 36),
        weightKg: parseDecimal('1.24'),
        deviceType: null,
        modelId: null,
        productName: null,
        brand: null,
        country: null,
      },
      {
        type: 'transportation',
        transportationId: TRANSPORT.id,
        transportationMode: TRANSPORT.mode,
        distanceKm: whole(1 + number),
        weightKg,
        distanceBasis: null,
      },
      { type: 'packaging', packagingId: PACKAGING.id, weightKg: parseDecimal('1.775') },
    ],
  }
}

const SOURCE: Source = {
  title: 'Worked example',
  publisher: 'Cradle',
  year: 2025,
  url: 'https://example.org/',
  licence: 'Apache-2.0',
}

const MODEL: DeviceModel = {
  id: 'apple-macbook-air-13-m3',
  name: 'MacBook Air 13 M3',
  brand: 'Apple',
  type: 'laptop',
  total: whole(135),
  production: null,
  transportation: null,
  productUse: parseDecimal('25.65'),
  endOfLife: null,
  lifetimeMonths: 48,
  weightKg: parseDecimal('1.24'),
  screenInches: null,
  yearlyEnergyKwh: null,
  useRegion: null,
  uncertaintyRatio: null,
  source: SOURCE,
  quotedVia: null,
}

const TRANSPORT: TransportFactor = {
  id: 'road-van',
  name: 'Van',
  mode: 'road',
  vehicle: 'van',
  factor: parseDecimal('0.121'),
  factorTankToWheel: ZERO,
  distanceBasis: 'actual',
  region: 'EU',
  source: SOURCE,
}

const PACKAGING: PackagingFactor = {
  id: 'cardboard',
  name: 'Cardboard',
  material: 'paper',
  recycledContentPercent: null,
  factor: parseDecimal('0.83'),
  endOfLife: { landfill: null, incineration: null, recycling: null },
  standsIn: false,
  source: SOURCE,
}

function exampleBook(): ReferenceData {
  return {
    release: 'bench',
    hash: '',
    models: new Map([[MODEL.id, MODEL]]),
    knownDevices: new Map(),
    gridSeries: new Map(),
    gridLosses: new Map(),
    aliases: new Map(),
    codes: new Set(),
    fallbacks: new Map(),
    typeDefaults: new Map([
      [
        'laptop',
        {
          type: 'laptop',
          embodied: whole(200),
          embodiedSheets: 1,
          useShare: parseDecimal('0.19'),
          lifetimeMonths: 48,
          yearlyEnergyKwh: null,
          weightKg: null,
          assumed: false,
          source: SOURCE,
        },
      ],
    ]),
    itEquipment: { factor: whole(24), source: SOURCE },
    transports: new Map([[TRANSPORT.id, TRANSPORT]]),
    distanceAdjustments: adjustmentsByMode([]),
    packagings: new Map([[PACKAGING.id, PACKAGING]]),
    grid: new Map(),
    matching: shippedReferenceData().referenceData.matching,
  }
}
