// A fact: one entry of a ledger as reports see it, with all that they group, filter and weigh it by.

/** Calendar days as reports count them: whole days since 1970-01-01, below 0 before. */
export type DayNo = number

const DAY_MS = 86_400_000

/** @param day YYYY-MM-DD, a real calendar day */
export const dayNoOf = (day: string): DayNo => Math.round(Date.parse(`${day}T00:00:00Z`) / DAY_MS)

/** The day as YYYY-MM-DD. */
export const dayOf = (no: DayNo): string => new Date(no * DAY_MS).toISOString().slice(0, 10)

/** What of a fact is text: '' where there is none. Each stands in the dictionary of a chunk once. */
export const TEXT_COLUMNS = ['customer', 'device', 'product', 'country', 'metadata', 'mix', 'terms'] as const
/** Days, and the flags of KINDS. */
export const NUMBER_COLUMNS = ['orderDay', 'dispatchDay', 'postedDay', 'kind'] as const
/** Milligrams, by the parts of engine/line.ts. */
export const MASS_COLUMNS = ['embodied', 'use', 'packaging', 'transportation'] as const

export type TextColumn = (typeof TEXT_COLUMNS)[number]
export type NumberColumn = (typeof NUMBER_COLUMNS)[number]
export type MassColumn = (typeof MASS_COLUMNS)[number]

/**
 * `device`: what it is charged by, as deviceText writes it. `product`: what of the account's own words that was taken
 * for, as productText writes it; '' where they name it. `country`: of use. `metadata`: the order's, in JSON.
 * `mix`: of what the order's transport and packaging consist, as mixText writes it. `terms`: of the first entry of a
 * rental, from when and for how many months, as termsText writes it; of any other entry ''.
 */
export type Fact = Readonly<Record<TextColumn, string> & Record<NumberColumn, number> & Record<MassColumn, bigint>>

/** Flags of `kind`, and above them the score of time of the grid factors that its use rests on (0: none). */
export const KINDS = {
  /** The first entry of its order: who counts these counts orders. */
  firstOfOrder: 1,
  /** The first entry of a device under its order: who counts these counts rentals. */
  firstOfRental: 2,
  firstOfDevice: 4,
  /** No entry of an order: a refurbishment, whose burden R stands in `embodied` and was not posted there. */
  refurbishment: 8,
  /** Use is estimated; otherwise it is indicative. */
  useEstimated: 16,
} as const
const GRID_SCORE = 32

export const gridScoreOf = (kind: number): number => Math.floor(kind / GRID_SCORE)
export const withGridScore = (flags: number, score: number): number => flags + score * GRID_SCORE

/** Between members of a text; no id has a control character. */
const BETWEEN = '\u001f'

export interface ChargedDevice {
  readonly releaseId: number
  readonly basis: string
  /** As it is kept of devices that are charged by their weight; else ''. */
  readonly weightKg: string
}

export const deviceText = ({ releaseId, basis, weightKg }: ChargedDevice): string =>
  [releaseId, basis, weightKg].join(BETWEEN)

/** Null for the fact of an order without devices. */
export function readDevice(text: string): ChargedDevice | null {
  if (text === '') return null
  const [releaseId, basis, weightKg] = text.split(BETWEEN) as [string, string, string]
  return { releaseId: Number(releaseId), basis, weightKg }
}

export interface FactTerms {
  readonly start: string
  /** As entries keep them: digits, or a fraction. */
  readonly months: string
}

export const termsText = ({ start, months }: FactTerms): string => `${start} ${months}`

/** Null for a fact that is not the first of its rental. */
export function readTerms(text: string): FactTerms | null {
  if (text === '') return null
  return { start: text.slice(0, 10), months: text.slice(11) }
}

/** The product id of a device that was guessed or mapped, and how it was found (engine/find-product.ts). */
export interface GuessedProduct {
  readonly productId: string
  readonly found: string
}

export const productText = ({ productId, found }: GuessedProduct): string => [found, productId].join(BETWEEN)

/** Null for a device whose order named it. */
export function readProduct(text: string): GuessedProduct | null {
  if (text === '') return null
  const at = text.indexOf(BETWEEN)
  return { found: text.slice(0, at), productId: text.slice(at + 1) }
}
