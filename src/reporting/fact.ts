// A fact: what an entry adds to reports by one rule of time, with all that they group, filter and weigh it by.

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
export const NUMBER_COLUMNS = ['orderDay', 'dispatchDay', 'sharedDay', 'kind'] as const
/** Milligrams, by the parts of engine/numbers/emission.ts. */
export const MASS_COLUMNS = ['embodied', 'use', 'packaging', 'transportation'] as const

/** Whose a fact is, in the account's own words; in all else, many facts are the same. */
export const PER_FACT_COLUMNS = ['customer', 'product', 'metadata'] as const

export type TextColumn = (typeof TEXT_COLUMNS)[number]
export type PerFactColumn = (typeof PER_FACT_COLUMNS)[number]
export type NumberColumn = (typeof NUMBER_COLUMNS)[number]
export type MassColumn = (typeof MASS_COLUMNS)[number]

/**
 * `device`: what it is charged by, as encodeDevice writes it. `product`: what of the account's own words that was taken
 * for, as encodeProduct writes it; '' where they name it. `country`: of use. `metadata`: the order's, in JSON.
 * `mix`: of what the order's transport and packaging consist, as encodeFactorMix writes it. `terms`: over what the
 * embodied and the use are spread, as encodeTerms writes it; '' where there is no device. `sharedDay`: on which
 * packaging and transport count where the months of rentals do.
 */
export type Fact = Readonly<Record<TextColumn, string> & Record<NumberColumn, number> & Record<MassColumn, bigint>>

/** Flags of `kind`, and above them the score of time of the grid factors that its use rests on (0: none). */
export const ENTRY_KINDS = {
  /** The first entry of its order: who counts these counts orders. */
  firstOfOrder: 1,
  /** The first entry of a device under its order: who counts these counts rentals. */
  firstOfRental: 2,
  firstOfDevice: 4,
  /** No entry of an order: a refurbishment, whose burden R stands in `embodied` and was not posted there. */
  refurbishment: 8,
  /** Use is estimated; otherwise it is indicative. */
  useEstimated: 16,
  /** What it is the first of counts one less. */
  takenBack: 32,
} as const
const GRID_SCORE = 64

export const gridScoreOf = (kind: number): number => Math.floor(kind / GRID_SCORE)
export const withGridScore = (flags: number, score: number): number => flags + score * GRID_SCORE

/** Between members of a text; no id has a control character. */
const BETWEEN = '\u001f'

export interface FactDevice {
  readonly releaseId: number
  readonly basis: string
  /** As it is kept of devices that are charged by their weight; else ''. */
  readonly weightKg: string
}

export const encodeDevice = ({ releaseId, basis, weightKg }: FactDevice): string =>
  [releaseId, basis, weightKg].join(BETWEEN)

/** Null for the fact of an order without devices. */
export function decodeDevice(text: string): FactDevice | null {
  if (text === '') return null
  const [releaseId, basis, weightKg] = text.split(BETWEEN) as [string, string, string]
  return { releaseId: Number(releaseId), basis, weightKg }
}

export interface FactTerms {
  readonly start: string
  /** As entries keep them: digits, or a fraction. */
  readonly months: string
  /** On no day before this one, YYYY-MM-DD; null for what counts as if it had always been known. */
  readonly knownOn: string | null
}

export const encodeTerms = ({ start, months, knownOn }: FactTerms): string =>
  knownOn === null ? `${start} ${months}` : `${start} ${months} ${knownOn}`

/** Null for the fact of an order without devices. */
export function decodeTerms(text: string): FactTerms | null {
  if (text === '') return null
  const [start, months, knownOn = null] = text.split(' ') as [string, string, string?]
  return { start, months, knownOn }
}

/** The product id of a device that was guessed or mapped, and how it was found (engine/reference/product-match.ts). */
export interface FactProduct {
  readonly productId: string
  readonly found: string
}

export const encodeProduct = ({ productId, found }: FactProduct): string => [found, productId].join(BETWEEN)

/** Null for a device whose order named it. */
export function decodeProduct(text: string): FactProduct | null {
  if (text === '') return null
  const at = text.indexOf(BETWEEN)
  return { found: text.slice(0, at), productId: text.slice(at + 1) }
}
