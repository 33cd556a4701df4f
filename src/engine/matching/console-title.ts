// The title of a game that stands with the name of its console, without a word that says so.
import { compare, parseDecimal, type Rational } from '../numbers/rational.ts'
import { normalisedWords } from './brand.ts'
import { typeOfWord, type MatchLexicon } from './match-lexicon.ts'

/**
 * Weights below which no console of the name exists, kg, rounded down. The lightest are the PlayStation 4 Slim and the
 * last PlayStation 3 (2.1 kg), the first PlayStation's small
 * edition (0.55 kg), the Xbox Series S (1.928 kg) and the Switch Lite (0.275 kg).
 */
const LIGHTEST: readonly (readonly [RegExp, Rational])[] = [
  [/\b(?:ps ?|playstation ?)[345]\b/, parseDecimal('1.9')],
  [/\bplaystation\b(?! (?:portable|vita))/, parseDecimal('0.5')],
  [/\bxbox\b/, parseDecimal('1.8')],
  [/\bswitch\b/, parseDecimal('0.2')],
]

/** Numbers of consoles: "CFI-1216A". */
const CONSOLE_CODE = /^(?:cfi|cuh|cech|hac|heg|hdh)/

/**
 * True if a text names more than a console, "PlayStation 5 Elden Ring", and the product weighs less than any console of
 * that name. With the weight of a console, the words are those of a place, an owner or a game that comes with it.
 */
export function isTitleByWeight(text: string, weightKg: Rational, lexicon: MatchLexicon): boolean {
  const words = normalisedWords(text)
  const spaced = words.join(' ')
  const lightest = LIGHTEST.find(([name]) => name.test(spaced))?.[1]
  if (lightest === undefined || compare(weightKg, lightest) >= 0) return false
  const { device_type_weak: weak } = lexicon.meanings
  if (words.some((word) => typeOfWord(word, lexicon) !== undefined || weak.get(word) === 'headphone')) return false
  return words.some((word) => mayBeOfTitle(word, lexicon))
}

/** False for what shops and registers write of a console: its maker, its kind, its colour, its storage. */
const mayBeOfTitle = (word: string, { words, meanings, patterns }: MatchLexicon): boolean =>
  /^[a-z]/.test(word) &&
  word.length > 1 &&
  !/^ps\d$/.test(word) &&
  !CONSOLE_CODE.test(word) &&
  !words.console.has(word) &&
  !words.console_word.has(word) &&
  !words.console_variant.has(word) &&
  !words.ignored.has(word) &&
  !meanings.brand.has(word) &&
  !patterns.accessory.test(word)
