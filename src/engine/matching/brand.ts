// The manufacturer named in a brand field or a product text, as spelt in the catalogue.
import { BRANDS, BRAND_BY_PRODUCT_LINE, TYPE_WORDS } from './match-lexicon.ts'
import type { DeviceType } from '../reference/reference-data.ts'

const NOBODYS_BRAND = /^(?:unknown|unbekannt|n a|na|none|other|others|sonstiges?|diverse|div|generic|no ?name)$/

/** Lower-case words of a text, without accents. */
export const normalisedWords = (text: string): readonly string[] =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[\u0300-\u036f]/g, '')
    .match(/[a-z\d]+/g) ?? []

const makerOfWord = (word: string): string | undefined => BRANDS.get(word) ?? BRAND_BY_PRODUCT_LINE.get(word)

/** The manufacturer in a brand field ("Hewlett Packard", "Surface"); the field itself if no known one is named. */
export function brandOfField(brand: string | null): string | null {
  const words = normalisedWords(brand ?? '')
  if (words.length === 0 || NOBODYS_BRAND.test(words.join(' '))) return null
  return brandInText(words) ?? words.join(' ')
}

/** The manufacturer whose name or product line comes first in a text; null if none is known. */
export const brandInText = (words: readonly string[]): string | null =>
  words.map(makerOfWord).find((maker) => maker !== undefined) ?? null

/** The first word of a text, with the characters around it. */
const FIRST_WORD = /^[^a-z\d]*([a-z\d]+)[^a-z\d]*/

/** Replaces the manufacturer's name at the start of a text by the catalogue's spelling: "Hewlett-Packard Inc." */
export function expandBrand(text: string, maker: string): string {
  const rest = withoutMaker(text, maker)
  return rest === text ? text : `${maker} ${rest.replace(/^inc\b[^a-z\d]*/i, '')}`
}

/** A brand that is also one of the manufacturer's product lines is not removed, because it names the family. */
function withoutMaker(text: string, maker: string): string {
  const [start = '', word = ''] = FIRST_WORD.exec(text.toLowerCase()) ?? []
  const isMaker = word !== 'alienware' && BRANDS.get(word) === maker
  return isMaker ? withoutMaker(text.slice(start.length), maker) : text
}

/** The only type of device named in a text; null if it names none or several. */
export function deviceTypeInText(words: readonly string[]): DeviceType | null {
  const types = new Set(words.flatMap((word) => TYPE_WORDS.get(word) ?? []))
  const [type] = types
  return types.size === 1 ? (type as DeviceType) : null
}
