// A fact: the emission an entry adds to reports under one date rule, with all attributes for grouping and filtering.

/** Calendar days in reports: days since 1970-01-01, negative before. */
export type DayNo = number

const DAY_MS = 86_400_000

/** @param day YYYY-MM-DD, an existing calendar day */
export const dayNoOf = (day: string): DayNo => Math.round(Date.parse(`${day}T00:00:00Z`) / DAY_MS)

/** The day as YYYY-MM-DD. */
export const dayOf = (no: DayNo): string => new Date(no * DAY_MS).toISOString().slice(0, 10)

/** Text columns; '' for no value. Each distinct text is stored once in the dictionary of a chunk. */
export const TEXT_COLUMNS = ['customer', 'device', 'product', 'country', 'metadata', 'mix', 'terms'] as const
/** Days, and the flags of ENTRY_KINDS. */
export const NUMBER_COLUMNS = ['orderDay', 'dispatchDay', 'sharedDay', 'kind'] as const
/** Milligrams of the parts in engine/numbers/emission.ts. */
export const MASS_COLUMNS = ['embodied', 'use', 'packaging', 'transportation'] as const

/** Columns that identify a fact in the account's own terms; all other columns are the same for many facts. */
export const PER_FACT_COLUMNS = ['customer', 'product', 'metadata'] as const

export type TextColumn = (typeof TEXT_COLUMNS)[number]
export type PerFactColumn = (typeof PER_FACT_COLUMNS)[number]
export type NumberColumn = (typeof NUMBER_COLUMNS)[number]
export type MassColumn = (typeof MASS_COLUMNS)[number]

/**
 * `device`: its footprint, encoded by encodeDevice. `product`: the account's own product id and its match method,
 * encoded by encodeProduct; '' if the order names the model. `country`: country of use. `metadata`: the order's, as
 * JSON. `mix`: the factors of the order's transport and packaging, encoded by encodeFactorMix. `terms`: the period over
 * which embodied emission and use are spread, encoded by encodeTerms; '' if there is no device. `sharedDay`: the day on
 * which packaging and transport count when reports are by tenure.
 */
export type Fact = Readonly<Record<TextColumn, string> & Record<NumberColumn, number> & Record<MassColumn, bigint>>

/**
 * Flags of `kind`. Above them are the temporal score of the grid factors used (0: none), and in thousandths how far the
 * series of grid factors are apart.
 */
export const ENTRY_KINDS = {
  /** The first entry of its order. Counting these facts counts orders. */
  firstOfOrder: 1,
  /** The first entry of a device under its order. Counting these facts counts rentals. */
  firstOfRental: 2,
  firstOfDevice: 4,
  /** Not an entry of an order, but a refurbishment. Its burden R is in `embodied` and was not posted there. */
  refurbishment: 8,
  /** Use is estimated; otherwise it is indicative. */
  useEstimated: 16,
  /** Reduces the count of what the fact is the first of by one. */
  takenBack: 32,
  /** The emission of the refurbishment is a default. */
  byDefault: 512,
  /** A device is held over the months of the terms. Counting them counts device-months. */
  held: 1024,
  /** It is not held over these months any more. */
  heldNoMore: 2048,
} as const
const GRID_SCORE = 64
/** One more than the highest score. */
const GRID_SCORES = 8

export const gridScoreOf = (kind: number): number => Math.floor(kind / GRID_SCORE) % GRID_SCORES
/** Above the last flag. */
const GRID_SPREAD = 4096
const SPREAD_STEPS = 1000

export const gridSpreadOf = (kind: number): number => Math.floor(kind / GRID_SPREAD) / SPREAD_STEPS
export const withGridErrors = (flags: number, score: number, spread: number): number =>
  flags + score * GRID_SCORE + Math.round(spread * SPREAD_STEPS) * GRID_SPREAD

/** Separates the members of a text; no id contains control characters. */
const BETWEEN = '\u001f'

export interface FactDevice {
  readonly releaseId: number
  readonly footprintId: string
  /** As stored for devices with a weight-based footprint; otherwise ''. */
  readonly weightKg: string
}

export const encodeDevice = ({ releaseId, footprintId, weightKg }: FactDevice): string =>
  [releaseId, footprintId, weightKg].join(BETWEEN)

/** Null for the fact of an order without devices. */
export function decodeDevice(text: string): FactDevice | null {
  if (text === '') return null
  const [releaseId, basis, weightKg] = text.split(BETWEEN) as [string, string, string]
  return { releaseId: Number(releaseId), footprintId: basis, weightKg }
}

export interface FactTerms {
  readonly start: string
  /** As stored in entries: digits or a fraction. */
  readonly months: string
  /** The emission counts on no day before this one, YYYY-MM-DD; null if it counts in the months that it concerns. */
  readonly countsFrom: string | null
}

export const encodeTerms = ({ start, months, countsFrom }: FactTerms): string =>
  countsFrom === null ? `${start} ${months}` : `${start} ${months} ${countsFrom}`

/** Null for the fact of an order without devices. */
export function decodeTerms(text: string): FactTerms | null {
  if (text === '') return null
  const [start, months, countsFrom = null] = text.split(' ') as [string, string, string?]
  return { start, months, countsFrom }
}

/** The product id of a device that was guessed or mapped, and its match method (engine/reference/product-match.ts). */
export interface FactProduct {
  readonly productId: string
  readonly matchMethod: string
}

export const encodeProduct = ({ productId, matchMethod }: FactProduct): string => [matchMethod, productId].join(BETWEEN)

/** Null for a device whose model is named by its order. */
export function decodeProduct(text: string): FactProduct | null {
  if (text === '') return null
  const at = text.indexOf(BETWEEN)
  return { matchMethod: text.slice(0, at), productId: text.slice(at + 1) }
}
