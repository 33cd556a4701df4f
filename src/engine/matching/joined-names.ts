// Names that texts spell apart, joined as their makers spell them: "Elite Book", "Mac Book Pro".
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

/** The text with the names joined. */
export const joinNames = (text: string, lexicon: MatchLexicon): string =>
  text.replace(
    patternOf(lexicon),
    (name) => lexicon.meanings.joined_name.get(name.toLowerCase().replace(/[\s_-]/, ' ')) ?? name,
  )
