// The manufacturer named in a brand field or a product text, as spelt in the catalogue.
import { joinNames } from './joined-names.ts'
import { typeOfWord, withoutMarks, type MatchLexicon } from './match-lexicon.ts'

/** Lower-case words of a text, without accents. */
export const normalisedWords = (text: string): readonly string[] => withoutMarks(text).match(/[a-z\d]+/g) ?? []

const makerOfWord = (word: string, { meanings }: MatchLexicon): string | undefined =>
  meanings.brand.get(word) ?? meanings.product_line.get(word)

/**
 * The manufacturer in a brand field ("Hewlett Packard", "Surface"); the field itself if no known one is named, null if
 * it names none, or a type of device ("Notebook").
 */
export function brandOfField(brand: string | null, lexicon: MatchLexicon): string | null {
  const words = normalisedWords(joinNames(brand ?? '', lexicon))
  const field = words.join(' ')
  const isType = words.every((word) => typeOfWord(word, lexicon) !== undefined)
  if (field === '' || isType || lexicon.words.no_brand.has(field)) return null
  return brandInText(words, lexicon) ?? field
}

/** The manufacturer whose name or product line comes first in a text; null if none is known. */
export const brandInText = (words: readonly string[], lexicon: MatchLexicon): string | null =>
  words.map((word) => makerOfWord(word, lexicon)).find((maker) => maker !== undefined) ?? null

/** The first word of a text, with the characters around it. */
const FIRST_WORD = /^[^a-z\d]*([a-z\d]+)[^a-z\d]*/

/** Replaces the manufacturer's name at the start of a text by the catalogue's spelling: "Hewlett-Packard Inc." */
export function expandBrand(text: string, maker: string, lexicon: MatchLexicon): string {
  const rest = withoutMaker(text, maker, lexicon)
  return rest === text ? text : `${maker} ${rest.replace(/^inc\b[^a-z\d]*/i, '')}`
}

/** A brand that is also one of the manufacturer's product lines is not removed, because it names the family. */
function withoutMaker(text: string, maker: string, lexicon: MatchLexicon): string {
  const [start = '', word = ''] = FIRST_WORD.exec(text.toLowerCase()) ?? []
  const isMaker = lexicon.meanings.brand.get(word) === maker && !lexicon.words.brand_in_family.has(word)
  return isMaker ? withoutMaker(text.slice(start.length), maker, lexicon) : text
}
