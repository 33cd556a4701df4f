// Names as their makers spell them: "Elite Book", "Mac Book Pro" joined, and words of other scripts in Latin letters.
import { withoutMarks, type MatchLexicon } from './match-lexicon.ts'

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

/** Scripts without blanks between words. */
const UNSEPARATED = /^[\p{Script=Han}\p{Script=Katakana}\p{Script=Hiragana}\p{Script=Hangul}\u30fc]+$/u
/** Letters of a word, the most first. */
const LENGTHS = [12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1]

/**
 * Words of other scripts that the release knows by their meaning: "Ноутбук Acer" is "laptop Acer". Where words are not
 * separated, the first one may name the maker, and the last one names the thing: "联想笔记本电脑" is a laptop of Lenovo,
 * "手机壳" no phone.
 */
const inLatin = (text: string, { meanings: { other_script: known } }: MatchLexicon): string =>
  text.replace(OTHER_SCRIPT, (word) => {
    const plain = withoutMarks(word)
    const found = known.get(plain)
    if (!UNSEPARATED.test(word)) return found ?? word
    if (found !== undefined) return ` ${found} `
    const lengthOf = (part: (length: number) => string, most: number): number =>
      LENGTHS.find((length) => length <= most && known.has(part(length))) ?? 0
    const last = plain.length - lengthOf((length) => plain.slice(-length), plain.length - 1)
    const first = lengthOf((length) => plain.slice(0, length), last)
    const meanings = [plain.slice(0, first), plain.slice(last)].map((part) => known.get(part) ?? '')
    // What is not known remains: it may be the grade of a model.
    return ` ${meanings[0]} ${plain.slice(first, last)} ${meanings[1]} `
  })

/** Latin letters that are no letter with an accent: no normalisation makes "Słuchawki" into "Sluchawki". */
const OTHER_LATIN: Readonly<Record<string, string>> = {
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ħ: 'h',
  ı: 'i',
}
const HAS_OTHER_LATIN = /[æœøłđðþħı]/gi

/** Letters of Cyrillic that look like Latin ones, as they are typed in codes: the М of "М2", the Х of "Х1". */
const LOOKALIKES: Readonly<Record<string, string>> = Object.fromEntries(
  Array.from('авекмнорстхуі', (letter, at) => [letter, 'abekmhopctxyi'[at]!]),
)
const LOOKALIKE_IN_CODE =
  /(?<![\p{L}\d])[авекмнорстхуі]{1,2}(?=\d)|(?<=(?<![\p{L}\d])\d{1,4})[авекмнорстхуі](?![\p{L}\d])/giu

const withLatinCodes = (text: string): string =>
  text.replace(LOOKALIKE_IN_CODE, (letters) =>
    Array.from(letters.toLowerCase(), (letter) => LOOKALIKES[letter]!).join(''),
  )

/** A text of the usual letters has none of them, and is not searched. */
const HAS_OTHER = /[^\0-\u02af]/

/** The text with the names joined, and words of other scripts in Latin letters where they are known. */
export const joinNames = (text: string, lexicon: MatchLexicon): string =>
  (HAS_OTHER.test(text) ? inLatin(withLatinCodes(text), lexicon) : text)
    .replace(HAS_OTHER_LATIN, (letter) => OTHER_LATIN[letter.toLowerCase()]!)
    .replace(
      patternOf(lexicon),
      (name) => lexicon.meanings.joined_name.get(name.toLowerCase().replace(/[\s_-]/, ' ')) ?? name,
    )
