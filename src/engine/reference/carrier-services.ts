// What carriers and forwarders call things ("DHL Paket", "fret aérien"): used for suggestions only.
import { foldCase } from './fold-case.ts'

/** Ids of transportations by the letters and digits of a name, in order; none if the name means no transport. */
export type CarrierServices = ReadonlyMap<string, readonly string[]>

/** A row of matching/carriers.csv. */
export interface CarrierServiceRow {
  readonly words: string
  /** Empty if the words mean no transport. */
  readonly id: string
}

/** Enough for a service with its options, and a limit on the work that a hostile text can cause. */
const CHARACTERS_MAX = 60
/** No name in the file has more words. */
const WORDS_MAX = 5

export const carrierServicesOf = (rows: readonly CarrierServiceRow[]): CarrierServices =>
  new Map(
    [...Map.groupBy(rows, ({ words }) => words.replaceAll(' ', ''))].map(([name, found]) => [
      name,
      found.flatMap(({ id }) => (id === '' ? [] : [id])),
    ]),
  )

/**
 * The transportations that the longest name in the text suggests, whatever stands around it; none if that name means no
 * transport, null if the text has no such name. Blanks and hyphens between the words of a name do not matter.
 */
export function serviceNamedIn(text: string, services: CarrierServices): readonly string[] | null {
  const words = wordsOf(text)
  const longest = words
    .flatMap((_, from) =>
      words.slice(from, from + WORDS_MAX).map((_, count) => words.slice(from, from + count + 1).join('')),
    )
    .filter((name) => services.has(name))
    .reduce((best, name) => (name.length > best.length ? name : best), '')
  return services.get(longest) ?? null
}

const wordsOf = (text: string): readonly string[] =>
  text
    .slice(0, CHARACTERS_MAX)
    .normalize('NFC')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .map(foldCase)
    .filter((word) => word !== '')
