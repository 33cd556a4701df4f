// Adds up the facts of a quality board: by what each device is charged by, how old that is, and whether a country is told.
import { USUAL_VIEW } from '../engine/books.ts'
import type { FactorBook } from '../engine/factor-book.ts'
import type { FactChunk } from './chunk.ts'
import { footingsOf } from './count-chunk.ts'
import { createReportedDevices, type ReportedDevices } from './devices.ts'
import { KINDS, MASS_COLUMNS, dayOf, type DayNo } from './fact.ts'
import { LANE, createFootings, type Footings } from './footings.ts'
import { readMix, type Mix } from './mix.ts'
import { createPairIndex } from './pair-index.ts'
import { before } from './periods.ts'
import { createTally, type Tally } from './tally.ts'

export interface QualityQuery {
  readonly accountId: number
  /** Days of the order date, both inclusive. */
  readonly from: DayNo
  readonly to: DayNo
  /** Null for all. */
  readonly customerId: string | null
}

/** What of a fact its quality hangs on, beside its footing; facts that are alike in it are added up. */
export interface Trait {
  /** As facts have them; '' for none. */
  readonly device: string
  readonly product: string
  readonly isCountryTold: boolean
  /** From the year of the source to that of the order; null where either is not told. */
  readonly deviceAge: number | null
  readonly packagingAge: number | null
  readonly transportationAge: number | null
}

export interface QualityCounter {
  readonly devices: ReportedDevices
  readonly footings: Footings
  readonly traits: readonly Trait[]
  /** By trait and footing, with the lanes of LANE. */
  readonly tally: Tally
  readonly take: (chunk: FactChunk) => Promise<void>
}

export function createQualityCounter(
  query: QualityQuery,
  bookOf: (releaseId: number) => Promise<FactorBook>,
): QualityCounter {
  const devices = createReportedDevices(bookOf)
  const footings = createFootings(USUAL_VIEW, devices)
  const tally = createTally()
  const traits: Trait[] = []
  const numbers = new Map<string, number>()
  const traitOf = (trait: Trait): number => {
    const key = Object.values(trait).join('\0')
    const known = numbers.get(key)
    if (known !== undefined) return known
    numbers.set(key, traits.length)
    return traits.push(trait) - 1
  }
  return {
    devices,
    footings,
    traits,
    tally,
    take: async (chunk) => {
      await devices.prepare(chunk)
      countChunk(chunk, query, { devices, footings, tally, traitOf })
    },
  }
}

interface Counting extends Pick<QualityCounter, 'devices' | 'footings' | 'tally'> {
  readonly traitOf: (trait: Trait) => number
}

function countChunk(chunk: FactChunk, query: QualityQuery, counting: Counting): void {
  const { tally, footings } = counting
  const isWanted = wantedIn(chunk, query)
  const traits = traitsOf(chunk, counting)
  const rests = footingsOf(chunk, counting)
  const masses = MASS_COLUMNS.map((name) => chunk.number(name))
  const most = masses.reduce((sum, { values }) => sum + greatestOf(values), 0)
  for (let fact = 0; fact < chunk.count; fact += 1) {
    if (!isWanted(fact)) continue
    // Nearly nothing to do: of what a single fact says, a double holds the sum of very many.
    tally.expect(most)
    const at = tally.at(traits[fact]!, rests[fact]!, footings.coarse)
    const [embodied, use, packaging, transportation] = masses.map(({ values, at: places }) => values[places[fact]!]!)
    const { otherPackaging } = footings.at(rests[fact]!)
    const other = otherPackaging === null ? 0 : before(packaging!, otherPackaging)
    tally.add(at, LANE.embodied, embodied!)
    tally.add(at, LANE.use, use!)
    tally.add(at, LANE.packaging, packaging! - other)
    tally.add(at, LANE.otherPackaging, other)
    tally.add(at, LANE.transportation, transportation!)
  }
}

function greatestOf(values: Float64Array): number {
  let greatest = 0
  for (const value of values) greatest = Math.max(greatest, Math.abs(value))
  return greatest
}

/** Whether a fact was posted, to an order that is asked for. */
function wantedIn(chunk: FactChunk, { from, to, customerId }: QualityQuery): (fact: number) => boolean {
  const [day, kind, customer] = [chunk.number('orderDay'), chunk.number('kind'), chunk.text('customer')] as const
  const isDay = Array.from(day.values, (no) => no >= from && no <= to)
  const isPosted = Array.from(kind.values, (flags) => (flags & KINDS.refurbishment) === 0)
  const isCustomer = customer.values.map((one) => customerId === null || one === customerId)
  return (fact) => isDay[day.at[fact]!]! && isPosted[kind.at[fact]!]! && isCustomer[customer.at[fact]!]!
}

/** Places of columns are told apart two by two, so that a trait is put together once for many facts. */
function traitsOf(chunk: FactChunk, { devices, traitOf }: Counting): Int32Array {
  const [device, product, country] = [chunk.text('device'), chunk.text('product'), chunk.text('country')] as const
  const [mix, day] = [chunk.text('mix'), chunk.number('orderDay')] as const
  const years = Int32Array.from(day.values, (no) => Number(dayOf(no).slice(0, 4)))
  const firstYear = years.reduce((least, year) => Math.min(least, year), 9_999)
  const toldAt = country.values.map((one) => (one === '' ? 0 : 1))
  const [left, right, both] = [createPairIndex(), createPairIndex(), createPairIndex()]
  const known: number[] = []
  const found = new Int32Array(chunk.count)
  for (let fact = 0; fact < chunk.count; fact += 1) {
    const [a, b, c] = [device.at[fact]!, product.at[fact]!, mix.at[fact]!]
    const [year, told] = [years[day.at[fact]!]!, toldAt[country.at[fact]!]!]
    const no = both.of(left.of(a, 2 * (year - firstYear) + told), right.of(b, c))
    known[no] ??= traitOf({
      device: device.values[a]!,
      product: product.values[b]!,
      isCountryTold: told === 1,
      deviceAge: ageOf(year, devices.of(device.values[a]!)?.footprint.source.year ?? null),
      ...agesOfMix(year, mix.values[c]!, devices),
    })
    found[fact] = known[no]
  }
  return found
}

const ageOf = (year: number, published: number | null): number | null => published && Math.max(0, year - published)

/** Of several factors, the oldest. */
function agesOfMix(year: number, text: string, devices: ReportedDevices) {
  if (text === '') return { packagingAge: null, transportationAge: null }
  const mix = readMix(text)
  const book = devices.bookOf(mix.releaseId)
  const oldest = (parts: Mix['packaging'], factors: FactorBook['packagings'] | FactorBook['transports']) => {
    const published = parts.map(([id]) => factors.get(id)!.source.year)
    return published.length === 0 || published.includes(null) ? null : ageOf(year, Math.min(...(published as number[])))
  }
  return {
    packagingAge: oldest(mix.packaging, book.packagings),
    transportationAge: oldest(mix.transportation, book.transports),
  }
}
