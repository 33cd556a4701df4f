// The product family within a brand, from a name: "MacBook Air 13 M3 256GB" gives macbook-air. METHODOLOGY.md#families
import type { MatchLexicon } from '../matching/match-lexicon.ts'

/** A family has at most this many leading words of the name; later words distinguish models of the same family. */
const LEADING_WORDS_MAX = 2

/** The form in which brands are compared: lower-case letters and digits, joined by hyphens. */
export const brandKey = (brand: string): string => wordsOf(brand).join('-')

/** Lower-case words of a text, without accents; a `+` after a word counts as the word "plus", as in "S25+". */
const wordsOf = (text: string): readonly string[] =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/(?<=[a-z0-9])\+/g, ' plus ')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')

/**
 * The family of a device by its name, or null if the name does not indicate one. If the name contains several names
 * separated by " / ", the first is used; text in brackets is ignored. The family consists of the first words that are
 * neither generic nor contain a digit. A word with a digit contributes the letters before its first digit (T490: t,
 * U2722DE: u) and ends the family. Grades after it are added: "iPhone 15 Pro Max" gives iphone-pro-max.
 * @param brand skipped if the name begins with it
 */
export function productFamily(name: string, brand: string, lexicon: MatchLexicon): string | null {
  const words = wordsOf(name.split(' / ')[0]!.replaceAll(/\([^)]*\)/g, ' '))
  const own = wordsOf(brand)
  const begins = own.every((word, at) => words[at] === word)
  return join(begins ? words.slice(own.length) : words, lexicon.words)
}

/** Grades are size or grade words after the number of a generation: an iPhone 15 Pro Max is not an iPhone 15. */
function join(
  words: readonly string[],
  { ignored_in_family: generic, family_grade: grades }: MatchLexicon['words'],
): string | null {
  const family: string[] = []
  for (const word of words) {
    if (family.length === LEADING_WORDS_MAX) break
    const hasDigit = /\d/.test(word)
    const letters = hasDigit ? /^[a-z]*/.exec(word)![0] : word
    if (letters !== '' && !generic.has(letters)) family.push(letters)
    if (hasDigit && family.length > 0) break
  }
  if (family.length === 0) return null
  for (const word of words) if (grades.has(word) && !family.includes(word)) family.push(word)
  return family.join('-')
}
