// Who made a device: the maker that a brand field or a product text names, as the catalogue files it.
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

/** The maker that a brand field names ("Hewlett Packard", "Surface"); the field itself where it names nobody known. */
export function brandOfField(brand: string | null): string | null {
  const words = normalisedWords(brand ?? '')
  if (words.length === 0 || NOBODYS_BRAND.test(words.join(' '))) return null
  return brandInText(words) ?? words.join(' ')
}

/** The maker whose name, or whose line, comes first in a text; null where none is known. */
export const brandInText = (words: readonly string[]): string | null =>
  words.map(makerOfWord).find((maker) => maker !== undefined) ?? null

/** The first word of a text, with what stands around it. */
const FIRST_WORD = /^[^a-z\d]*([a-z\d]+)[^a-z\d]*/

/** A text with its maker's name as the catalogue spells it, however it begins: "Hewlett-Packard Inc." */
export function expandBrand(text: string, maker: string): string {
  const rest = withoutMaker(text, maker)
  return rest === text ? text : `${maker} ${rest.replace(/^inc\b[^a-z\d]*/i, '')}`
}

/** A brand that is a line of its maker's too is not dropped: it names the family. */
function withoutMaker(text: string, maker: string): string {
  const [start = '', word = ''] = FIRST_WORD.exec(text.toLowerCase()) ?? []
  const isMaker = word !== 'alienware' && BRANDS.get(word) === maker
  return isMaker ? withoutMaker(text.slice(start.length), maker) : text
}

/** The one type of device that a text names; null where it names none, or several. */
export function deviceTypeInText(words: readonly string[]): DeviceType | null {
  const types = new Set(words.flatMap((word) => TYPE_WORDS.get(word) ?? []))
  const [type] = types
  return types.size === 1 ? (type as DeviceType) : null
}
