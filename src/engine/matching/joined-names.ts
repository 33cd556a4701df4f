// Names as their makers spell them: "Elite Book", "Mac Book Pro" joined, and words of other scripts in Latin letters.
import type { MatchLexicon } from './match-lexicon.ts'

const patterns = new WeakMap<MatchLexicon, RegExp>()

/** The words of a pair may be separated by a blank, a hyphen or an underscore. */
function patternOf(lexicon: MatchLexicon): RegExp {
  const known = patterns.get(lexicon)
  if (known) return known
  const names = [...lexicon.meanings.joined_name.keys()].map((name) => name.replace(' ', '[\\s_-]'))
  const pattern = new RegExp(names.length === 0 ? '(?!)' : `(?<![a-z\\d])(?:${names.join('|')})(?![a-z])`, 'gi')
  patterns.set(lexicon, pattern)
  return pattern
}

const OTHER_SCRIPT = /(?:(?!\p{Script=Latin})\p{L}|\p{M})+/gu

/** Words of other scripts that the release knows by their meaning: "Ноутбук Acer" is "laptop Acer". */
const inLatin = (text: string, { meanings }: MatchLexicon): string =>
  text.replace(
    OTHER_SCRIPT,
    (word) => meanings.other_script.get(word.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()) ?? word,
  )

/** A text of the usual letters has none of them, and is not searched. */
const HAS_OTHER = /[^\0-\u02af]/

/** The text with the names joined, and words of other scripts in Latin letters where they are known. */
export const joinNames = (text: string, lexicon: MatchLexicon): string =>
  (HAS_OTHER.test(text) ? inLatin(text, lexicon) : text).replace(
    patternOf(lexicon),
    (name) => lexicon.meanings.joined_name.get(name.toLowerCase().replace(/[\s_-]/, ' ')) ?? name,
  )
