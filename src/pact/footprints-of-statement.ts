// Product footprints from a customer's statement: of each rental, and of the customer's year.
import { hash } from 'node:crypto'
import { allocate } from '../engine/allocation.ts'
import { addEmissions, NO_EMISSIONS, type EmissionsByPart } from '../engine/ledger-history.ts'
import type { Milligrams, Part } from '../engine/numbers/emission.ts'
import { milligramsOf, partsOf } from '../statements/periods.ts'
import type { CalculationBasis, StatementContent, StatementDevice, StatementRental } from '../statements/statement.ts'
import { kilograms } from './decimals.ts'
import { dataQualityOf, intervalOfLines, type WeightedBasis } from './quality-of-lines.ts'
import {
  EXTENSION_VERSION,
  type FootprintContent,
  type RentalCarbonFootprint,
  type RentalData,
} from './product-footprint.ts'
import { publishedBy, urnOf, type Publisher } from './publisher.ts'
import { PACT_TEXTS } from './texts.ts'

/** A statement, and the root of the Merkle tree of its orders. */
export interface StatementWithRoot {
  readonly content: StatementContent
  readonly ordersRoot: string
}

/** What one device's rental under an order emits, over all revisions of the order. */
interface RentalSum {
  readonly device: StatementDevice
  readonly orderId: string
  readonly from: string
  readonly until: string
  readonly emissions: EmissionsByPart
  /** Embodied emission and packaging. */
  readonly lines: readonly WeightedBasis[]
  readonly useBasis: CalculationBasis | null
  /** Of all parts. */
  readonly bases: readonly CalculationBasis[]
}

/**
 * One footprint for each rental that emits anything.
 * @param statement with all orders of the customer
 */
export function* rentalFootprints(publisher: Publisher, statement: StatementContent): Generator<FootprintContent> {
  const bases = new Map(statement.calculation_bases.map((basis) => [basis.no, basis]))
  for (const device of statement.devices) {
    for (const rentals of Map.groupBy(device.rentals, (rental) => rental.order_id).values()) {
      const sum = sumRentals(device, rentals, bases)
      if (sum.from < sum.until && hasEmissions(sum.emissions)) yield rentalFootprint(publisher, statement, sum)
    }
  }
}

const hasEmissions = (emissions: EmissionsByPart): boolean => Object.values(emissions).some((one) => one !== 0n)

/** @param rentals of one order, the latest revision last; all but the last add up to 0 unless they were closed */
function sumRentals(
  device: StatementDevice,
  rentals: readonly StatementRental[],
  bases: ReadonlyMap<number, CalculationBasis>,
): RentalSum {
  const latest = rentals.reduce((a, b) => ((b.revision ?? 1) > (a.revision ?? 1) ? b : a))
  const useBasis = latest.entries.findLast(({ use_basis: basis }) => basis !== null)?.use_basis ?? null
  return {
    device,
    orderId: latest.order_id,
    from: latest.from,
    until: latest.until,
    emissions: rentals.map(emissionsOf).reduce(addEmissions, NO_EMISSIONS),
    lines: rentals.flatMap((rental) => linesOf(rental, bases)),
    useBasis: useBasis === null ? null : (bases.get(useBasis) ?? null),
    bases: [...new Set(rentals.flatMap(basisNumbersOf))].map((no) => bases.get(no)!),
  }
}

const basisNumbersOf = ({ embodied_basis: embodied, entries, shares }: StatementRental): readonly number[] => [
  embodied,
  ...entries.flatMap(({ use_basis: use }) => use ?? []),
  ...shares.map((share) => share.calculation_basis),
]

const emissionsOf = ({ entries }: StatementRental): EmissionsByPart =>
  entries.map(partsOf).reduce(addEmissions, NO_EMISSIONS)

function linesOf(rental: StatementRental, bases: ReadonlyMap<number, CalculationBasis>): readonly WeightedBasis[] {
  const { product_embodied_emission: embodied, packaging } = emissionsOf(rental)
  const boxes = rental.shares.filter((share) => bases.get(share.calculation_basis)?.part === 'packaging')
  const weights = boxes.map(({ emission }) => milligramsOf(emission))
  const parts = weights.some((weight) => weight !== 0n) ? allocate(packaging, weights) : []
  return [
    { basis: bases.get(rental.embodied_basis)!, emission: embodied },
    ...parts.map((emission, at) => ({ basis: bases.get(boxes[at]!.calculation_basis)!, emission })),
  ]
}

function rentalFootprint(publisher: Publisher, statement: StatementContent, sum: RentalSum): FootprintContent {
  const { device, orderId, from, until, emissions, lines, useBasis, bases } = sum
  const country = countryOf(useBasis, statement)
  return footprint(publisher, statement, {
    product: urnOf(publisher, 'product-id', 'rental', orderId, device.serial_number),
    name: PACT_TEXTS.rentalName(device.model.name),
    description: PACT_TEXTS.rentalDescription({ model: device.model.name, serial: device.serial_number, orderId }),
    from,
    until,
    emissions,
    lines,
    bases,
    country,
  })
}

/** The country of the grid factor; null if the use of the device was not computed by a grid. */
function countryOf(useBasis: CalculationBasis | null, { factors }: StatementContent): string | null {
  if (useBasis?.method !== 'use-by-grid') return null
  const numbers = new Set(useBasis.factors)
  const grids = factors.flatMap(({ no, id }) => (numbers.has(no) ? [/^grid-([A-Z]{2})$/.exec(id)?.[1]] : []))
  return grids.find((country) => country !== undefined) ?? null
}

/** The footprint of all that the customer rented in the statement's year, as far as it belongs to that year. */
export function yearFootprint(publisher: Publisher, { content, ordersRoot }: StatementWithRoot): FootprintContent {
  const { year, customer_id: customerId, by_part: byPart, calculation_bases: bases } = content
  const emissionOf = (part: Part): Milligrams => milligramsOf(byPart.find((one) => one.part === part)!.emission)
  return footprint(publisher, content, {
    product: urnOf(publisher, 'product-id', 'customer-year', customerId, String(year)),
    name: PACT_TEXTS.yearName(year),
    description: PACT_TEXTS.yearDescription({ customerId, year, devices: content.summary.number_of_devices }),
    from: `${year}-01-01`,
    until: `${year + 1}-01-01`,
    emissions: {
      product_embodied_emission: emissionOf('product_embodied_emission'),
      product_use: emissionOf('product_use'),
      packaging: emissionOf('packaging'),
      transportation: emissionOf('transportation'),
    },
    lines: bases
      .filter(({ part }) => part === 'product_embodied_emission' || part === 'packaging')
      .map((basis) => ({ basis, emission: milligramsOf(basis.emission) })),
    bases,
    country: null,
    statement: { year, isPreliminary: content.is_preliminary, ordersRoot },
  })
}

interface Footprinted {
  readonly product: string
  readonly name: string
  readonly description: string
  /** First day, and the day after the last day. */
  readonly from: string
  readonly until: string
  readonly emissions: EmissionsByPart
  readonly lines: readonly WeightedBasis[]
  readonly bases: readonly CalculationBasis[]
  readonly country: string | null
  readonly statement?: RentalData['statement']
}

function footprint(publisher: Publisher, statement: StatementContent, one: Footprinted): FootprintContent {
  const interval = intervalOfLines(one.lines)
  return {
    ...publishedBy(publisher),
    productDescription: one.description,
    productIds: [one.product],
    productNameCompany: one.name,
    pcf: carbonFootprint(statement, one),
    extensions: [
      {
        specVersion: EXTENSION_VERSION,
        dataSchema: `https://${publisher.url.host}/3/rental-data.schema.json`,
        data: {
          useEmission: kilograms(one.emissions.product_use),
          useMethod: 'location-based',
          ...(interval && {
            interval: { low: kilograms(interval.low), high: kilograms(interval.high), level: '0.95' },
          }),
          methodVersion: statement.issued.method,
          datasetReleases: releasesOf(one.bases, statement),
          ...(one.statement && { statement: one.statement }),
        },
      },
    ],
  }
}

function carbonFootprint(statement: StatementContent, one: Footprinted): RentalCarbonFootprint {
  const { emissions, lines, country } = one
  // Use is outside the gate, and transport stands apart: decision 29.
  const total = kilograms(emissions.product_embodied_emission + emissions.packaging)
  const dqi = dataQualityOf(lines)
  return {
    declaredUnitOfMeasurement: 'piece',
    declaredUnitAmount: '1',
    productMassPerDeclaredUnit: '0',
    referencePeriodStart: `${one.from}T00:00:00Z`,
    referencePeriodEnd: `${one.until}T00:00:00Z`,
    ...(country !== null && { geographyCountry: country }),
    pcfExcludingBiogenicUptake: total,
    pcfIncludingBiogenicUptake: total,
    fossilGhgEmissions: total,
    fossilCarbonContent: '0',
    packagingEmissionsIncluded: true,
    packagingGhgEmissions: kilograms(emissions.packaging),
    outboundLogisticsGhgEmissions: kilograms(emissions.transportation),
    ipccCharacterizationFactors: ['AR5', 'AR6'],
    crossSectoralStandards: ['GHGP-Product'],
    boundaryProcessesDescription: PACT_TEXTS.boundary,
    allocationRulesDescription: PACT_TEXTS.allocation,
    exemptedEmissionsPercent: '0',
    exemptedEmissionsDescription: statement.exclusions.join(' '),
    primaryDataShare: '0',
    ...(dqi && { dqi }),
    secondaryEmissionFactorSources: sourcesOf(lines, statement),
  }
}

/** Not those of the whole statement: a newer release of another order changes nothing here. */
const releasesOf = (bases: readonly CalculationBasis[], { factors }: StatementContent): readonly string[] => {
  const used = new Set(bases.flatMap((basis) => basis.factors))
  const releases = factors.filter(({ no }) => used.has(no)).map((factor) => factor.dataset_release)
  return [...new Set(releases)].toSorted()
}

/** A source without a year has the version of the release that quotes it. */
function sourcesOf(
  lines: readonly WeightedBasis[],
  { factors, sources }: StatementContent,
): RentalCarbonFootprint['secondaryEmissionFactorSources'] {
  const used = new Set(lines.flatMap(({ basis }) => basis.factors))
  const releases = new Map(factors.filter(({ no }) => used.has(no)).map((one) => [one.source, one.dataset_release]))
  const named = sources
    .filter(({ no }) => releases.has(no))
    .map(({ no, title, year }) => ({ name: title, version: year === null ? releases.get(no)! : String(year) }))
  return [...new Map(named.map((source) => [`${source.name}\0${source.version}`, source])).values()]
}

/**
 * SHA-256 of what a footprint says. The sentences and company names are in it: to change them is to publish again. The
 * data quality is not: its temporal score falls with the age of the sources, and a footprint states that of the day on
 * which it was published.
 * @returns 32 bytes
 */
export const digestOfContent = (content: FootprintContent): Buffer =>
  // `undefined` is not written.
  hash('sha256', JSON.stringify({ ...content, pcf: { ...content.pcf, dqi: undefined } }), 'buffer')
