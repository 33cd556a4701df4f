// A statement to be drawn: a year of a customer with as many devices as a test wants; it is not signed.
import { PARTS, type Part } from '../src/engine/numbers/emission.ts'
import {
  STATEMENT_FORMAT,
  type Amounts,
  type CalculationBasis,
  type Statement,
  type StatementDevice,
  statementBoundary,
} from '../src/statements/statement.ts'

const MILLIGRAMS = 1_000_000
const MODELS = [
  ['apple-macbook-air-13-m3-256gb', 'Apple MacBook Air 13 M3 256GB', 'model'],
  ['lenovo-thinkpad-t14-g5', 'Lenovo ThinkPad T14 Gen 5', 'model'],
  ['dell-latitude-5440', 'Dell Latitude 5440', 'model'],
  ['apple-iphone-15-128gb', 'Apple iPhone 15 128GB', 'model'],
  ['family:hp/elitebook', 'HP EliteBook', 'family'],
  ['samsung-galaxy-s24', 'Samsung Galaxy S24', 'model'],
  ['dell-p2723de', 'Dell P2723DE', 'model'],
  ['type:monitor', 'monitor', 'type'],
  ['microsoft-surface-pro-10', 'Microsoft Surface Pro 10', 'model'],
  ['apple-ipad-air-11-m2', 'Apple iPad Air 11 M2', 'model'],
  ['brand-fit:acer/laptop@1.7kg,14in', 'Acer laptop', 'brand-fit'],
  ['google-pixel-8', 'Google Pixel 8', 'model'],
] as const
const CATEGORIES: Readonly<Record<Part, readonly [scope: string, category: string]>> = {
  product_embodied_emission: ['3', 'Category 1: Purchased goods and services'],
  product_use: ['2', 'Electricity'],
  packaging: ['3', 'Category 1: Purchased goods and services'],
  transportation: ['3', 'Category 4: Upstream transportation and distribution'],
}

type Milligrams = Readonly<Record<Part, number>>

const amountsOf = (milligrams: Milligrams): Amounts => ({
  ...mapParts((part) => milligrams[part] / MILLIGRAMS),
  total_emission: totalOf(milligrams) / MILLIGRAMS,
})
const mapParts = (valueOf: (part: Part) => number): Record<Part, number> =>
  Object.fromEntries(PARTS.map((part) => [part, valueOf(part)])) as Record<Part, number>
const totalOf = (milligrams: Milligrams): number => PARTS.reduce((sum, part) => sum + milligrams[part], 0)
const addUp = (those: readonly Milligrams[]): Milligrams =>
  mapParts((part) => those.reduce((sum, one) => sum + one[part], 0))

interface Drawn {
  readonly device: StatementDevice
  readonly year: Milligrams
  readonly opening: Milligrams
}

function deviceNo(no: number): Drawn {
  const [id, name, level] = MODELS[Math.floor(((no * no) % 151) / 13)]!
  const opening = mapParts((part) => (no % 3 === 0 ? 0 : (no * 7919 + part.length * 104729) % 41_000_003))
  const year = mapParts((part) => {
    const size = { product_embodied_emission: 60e6, product_use: 18e6, transportation: 4e6, packaging: 0.6e6 }[part]
    return Math.round((size * (40 + ((no * 31) % 60))) / 100) + (no % 7)
  })
  const device: StatementDevice = {
    device_id: `dev_${no.toString(16).padStart(32, '0')}`,
    serial_number: `C02${(no * 48271).toString(36).toUpperCase().padStart(7, '0')}H${no % 10}`,
    model: { id, name, brand: null, type: 'laptop', match_level: level, dataset_release: '2026.11' },
    is_held_at_opening: no % 3 !== 0,
    is_held_at_closing: no % 5 !== 0,
    opening: amountsOf(opening),
    year: amountsOf(year),
    closing: amountsOf(addUp([opening, year])),
    posted_later: amountsOf(mapParts(() => 0)),
    rentals: [],
  }
  return { device, year, opening }
}

/** @param devices how many; the same number gives the same statement */
export function statementToDraw(devices: number): Statement {
  const drawn = Array.from({ length: devices }, (_, at) => deviceNo(at + 1))
  const year = addUp(drawn.map((one) => one.year))
  const opening = addUp(drawn.map((one) => one.opening))
  const total = totalOf(year)
  const shareOf = (milligrams: number) => ({
    emission: milligrams / MILLIGRAMS,
    share_percent: total === 0 ? null : Math.round((milligrams / total) * 1e6) / 1e4,
  })
  const byPart = PARTS.map((part) => {
    const [scope, category] = CATEGORIES[part]
    return { part, ghg_scope: scope, ghg_category: category, reason: '', ...shareOf(year[part]) }
  })
  const byCategory = [...Map.groupBy(byPart, (line) => line.ghg_category)].map(([category, lines]) => ({
    ghg_scope: lines[0]!.ghg_scope,
    ghg_category: category,
    parts: lines.map(({ part }) => part),
    ...shareOf(lines.reduce((sum, { part }) => sum + year[part], 0)),
  }))
  const halves = (names: readonly string[]) => {
    const first = Math.floor(total * 0.7)
    return [first, total - first].map((milligrams, at) => ({ name: names[at]!, ...shareOf(milligrams) }))
  }
  return {
    media_type: STATEMENT_FORMAT,
    issued: {
      by: 'cradle',
      version: '0.1.0',
      method: '2026.2',
      at: '2026-01-15T09:30:00.000Z',
      known_at: '2026-01-15T09:29:59.000Z',
    },
    issuer: { account: 'Northwind Rentals' },
    customer_id: 'Müller & Söhne GmbH',
    year: 2025,
    is_preliminary: false,
    inventory_boundary: statementBoundary('operational'),
    emission_unit: 'kgCO2e',
    summary: {
      total_emission: total / MILLIGRAMS,
      total_emission_excluding_indicative: Math.floor(total * 0.7) / MILLIGRAMS,
      uncertainty: { low: (total * 0.873) / MILLIGRAMS, high: (total * 1.141) / MILLIGRAMS, level: 0.95, gsd: 1.0706 },
      opening_emission: totalOf(opening) / MILLIGRAMS,
      closing_emission: (totalOf(opening) + total) / MILLIGRAMS,
      posted_later_emission: 0,
      corrections_emission: -1.25,
      number_of_orders: Math.ceil(devices / 4),
      number_of_devices: devices,
      devices_held_at_opening: drawn.filter(({ device }) => device.is_held_at_opening).length,
      devices_held_at_closing: drawn.filter(({ device }) => device.is_held_at_closing).length,
      primary_data_share: 0,
      data_quality_rating: 2.31,
    },
    by_category: byCategory,
    by_part: byPart,
    by_month: monthsOf(year),
    by_type: halves(['estimated', 'indicative']),
    by_match_level: halves(['model', 'family']),
    by_data_quality: halves(['2', '3']),
    devices: drawn.map(({ device }) => device),
    orders: [],
    calculation_bases: [] as CalculationBasis[],
    factors: [
      {
        no: 1,
        symbol: 'E',
        id: 'apple-macbook-air-13-m3-256gb:embodied',
        value: '109.35',
        unit: 'kgCO2e',
        dataset_release: '2026.11',
        source: 1,
      },
      {
        no: 2,
        symbol: 'g',
        id: 'grid-DE-2025',
        value: '0.344142857142857',
        unit: 'kgCO2e/kWh',
        dataset_release: '2026.11',
        source: 2,
      },
      {
        no: 3,
        symbol: 'g',
        id: 'road-van-diesel',
        value: '0.78225',
        unit: 'kgCO2e/t·km',
        dataset_release: '2026.11',
        source: 3,
      },
    ],
    sources: [
      {
        no: 1,
        title: 'Product Environmental Report, 13-inch MacBook Air with M3',
        publisher: 'Apple',
        year: 2024,
        url: 'https://www.apple.com/environment/pdf/products/notebooks/13-inch_MacBook_Air_M3_PER_Mar2024.pdf',
        licence: 'figures, with attribution',
      },
      {
        no: 2,
        title: 'Yearly Electricity Data',
        publisher: 'Ember',
        year: 2025,
        url: 'https://ember-energy.org/data/yearly-electricity-data/',
        licence: 'CC BY 4.0',
      },
      {
        no: 3,
        title: 'Greenhouse gas reporting: conversion factors 2025',
        publisher: 'DESNZ',
        year: 2025,
        url: 'https://www.gov.uk/government/publications/greenhouse-gas-reporting-conversion-factors-2025',
        licence: 'OGL v3.0',
      },
    ],
    releases: [{ name: '2026.11', content_hash: '3f'.repeat(32) }],
    basis: [
      'The year contains the months of each rental that lie in it, and transport and packaging of what was ' +
        'dispatched in it.',
    ],
    exclusions: ['The work of people and computers at the rental company is not counted.'],
    notes: ['A later statement of the same year contains corrections that were posted since.'],
    signed_by: { algorithm: 'ed25519', public_key: '', fingerprint: 'a1'.repeat(32) },
    hash: { algorithm: 'sha256', of: '', value: '5e'.repeat(32) },
    signature: { algorithm: 'EdDSA', of: '', value: '' },
  }
}

/** Twelve months, each part spread over them unevenly, adding up to it. */
function monthsOf(year: Milligrams): Statement['by_month'] {
  const weights = Array.from({ length: 12 }, (_, at) => 6 + ((at * 5) % 7))
  const all = weights.reduce((sum, weight) => sum + weight, 0)
  const left = { ...year }
  return weights.map((weight, at) => {
    const amounts = mapParts((part) => {
      const value = at === 11 ? left[part] : Math.floor((year[part] * weight) / all)
      left[part] -= value
      return value
    })
    return { month: `2025-${String(at + 1).padStart(2, '0')}`, ...amountsOf(amounts) }
  })
}
