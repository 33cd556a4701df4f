// Converts tokens to the catalogue's spelling: joins split codes, splits joined names, corrects typing errors.
import type { MatchLexicon } from './match-lexicon.ts'
import { isMachineType } from './machine-type.ts'
import { isWithinOneEdit } from './normalise-text.ts'

/** The words and codes in the names of the catalogue's models, and the words of the release. */
export interface Vocabulary {
  readonly lexicon: MatchLexicon
  readonly terms: Pick<ReadonlySet<string>, 'has'>
  /** Terms and manufacturers long enough to distinguish a typing error from another word. */
  readonly families: readonly string[]
  /** Terms of five or more characters that contain a digit. */
  readonly numbered: readonly string[]
  /** Part numbers, model numbers and manufacturers' identifiers, without separators, to the ids of their models. */
  readonly codes: ReadonlyMap<string, readonly string[]>
  /** Lenovo's machine types in small letters, to the ids of their models. */
  readonly machineTypes: ReadonlyMap<string, ReadonlySet<string>>
}

const MIXED = /^(?=.*[a-z])(?=.*\d)[a-z\d.]+$/

/** Joins split codes (`U 2722 DE`), splits joined names (`latitude5420`) and corrects typing errors (`Lattitude`). */
export function splitTokens(raw: readonly string[], vocabulary: Vocabulary): readonly string[] {
  const tokens: string[] = []
  for (let at = 0; at < raw.length; at += 1) {
    const joined = joinedAt(raw, at, vocabulary)
    if (joined) {
      tokens.push(joined.code)
      at += joined.length - 1
    } else tokens.push(...partsOf(raw[at]!, raw[at - 1] ?? '', vocabulary))
  }
  return tokens
}

/** "Galaxy S2 (4)" is no S24: codes are split between letters and digits, not inside of a number. */
const SPLIT_NUMBER = /\d \d/

function joinedAt(raw: readonly string[], at: number, { terms, codes }: Vocabulary) {
  for (let length = Math.min(4, raw.length - at); length > 1; length -= 1) {
    const parts = raw.slice(at, at + length)
    const code = parts.join('')
    if (SPLIT_NUMBER.test(parts.join(' '))) continue
    if ((terms.has(code) || codes.has(code)) && code.length > 1 && MIXED.test(code)) return { code, length }
  }
  return null
}

function partsOf(token: string, before: string, vocabulary: Vocabulary): readonly string[] {
  if (isKnown(token, vocabulary)) return [token]
  const [, marked, bare] = /^(?:apn([a-z\d]{5})|([a-z\d]{5})[a-z]{1,3})$/.exec(token) ?? []
  const partNumber = marked ?? bare
  if (partNumber !== undefined && isApples(partNumber, vocabulary)) return [partNumber]
  const parts = token.length <= 40 ? segmented(token, vocabulary) : null
  if (parts) return parts
  const isWord = /^[a-z]+$/.test(token)
  return [(isWord ? mended(token, vocabulary) : null) ?? unswapped(token, before, vocabulary) ?? token]
}

/** Only Apple's part numbers have letters for the country behind them: another maker's number is another model's. */
const isApples = (partNumber: string, { codes }: Vocabulary): boolean =>
  codes.get(partNumber)?.every((id) => id.startsWith('apple-')) ?? false

const isMeasure = (token: string): boolean =>
  /^(?:[\d.]+(?:inch|gb|ghz|core|ports)|(?:cpu)?gen\d+|\d+(?:\.\d+)?)$/.test(token)

const isKnown = (token: string, { terms, codes, lexicon: { words, meanings } }: Vocabulary): boolean =>
  terms.has(token) ||
  codes.has(token) ||
  isMachineType(token) ||
  isMeasure(token) ||
  words.line.has(token) ||
  words.ignored.has(token) ||
  meanings.brand.has(token) ||
  meanings.device_type.has(token) ||
  meanings.feature.has(token)

/** Splits a token into known words, codes and numbers; null unless every part is known. */
function segmented(token: string, vocabulary: Vocabulary): readonly string[] | null {
  const bestFrom: (readonly string[] | null)[] = Array.from({ length: token.length + 1 }, () => null)
  bestFrom[token.length] = []
  for (let from = token.length - 1; from >= 0; from -= 1) {
    for (let to = token.length; to > from; to -= 1) {
      const rest = bestFrom[to]
      const part = token.slice(from, to)
      if (!rest || !isPart(part, token, from, to, vocabulary)) continue
      const current = bestFrom[from]
      if (!current || rest.length + 1 < current.length) bestFrom[from] = [part, ...rest]
    }
  }
  const parts = bestFrom[0]
  return parts && parts.length > 1 && parts.some((part) => /^[a-z]{2,}/.test(part)) ? parts : null
}

function isPart(part: string, token: string, from: number, to: number, { terms, lexicon }: Vocabulary): boolean {
  if (/^\d+$/.test(part)) {
    const isWhole = !/\d/.test(token[from - 1] ?? '') && !/\d/.test(token[to] ?? '')
    return isWhole && part.length <= 4
  }
  if (/^(?:g\d{1,2}|m[1-9]|\d+[gt]b|gen\d+)$/.test(part)) return !/\d/.test(token[to] ?? '')
  if (part.length < 2) return false
  const isTorn =
    (/\d$/.test(part) && /\d/.test(token[to] ?? '')) || (/^\d/.test(part) && /\d/.test(token[from - 1] ?? ''))
  if (isTorn) return false
  if (terms.has(part)) return true
  const { words, meanings } = lexicon
  return part.length >= 3 && (words.line.has(part) || meanings.brand.has(part) || meanings.device_type.has(part))
}

/** The only family name that is one typing error away from the word; null if there are none or several. */
function mended(token: string, { families, lexicon }: Vocabulary): string | null {
  if (token.length < 4 || lexicon.words.not_misspelt.has(token)) return null
  let found: string | null = null
  for (const term of families) {
    if (!isWithinOneEdit(token, term)) continue
    if (found !== null && found !== term) return null
    found = term
  }
  return found
}

/** Corrects two swapped letters in words too short for `mended` or followed by a number: "mnii", "flpi6". */
function unswapped(token: string, before: string, { terms, lexicon: { words } }: Vocabulary): string | null {
  const [, letters, number = ''] = /^([a-z]{4,12})(\d{0,2})$/.exec(token) ?? []
  if (letters === undefined) return null
  const meant = Array.from(letters.slice(1), (_letter, at) => swappedAt(letters, at) + number).filter(
    (one) => (terms.has(one) || words.line.has(one)) && !(/\d/.test(before) && words.grade.has(one)),
  )
  return meant.length === 1 ? meant[0]! : null
}

const swappedAt = (word: string, at: number): string =>
  word.slice(0, at) + word[at + 1]! + word[at]! + word.slice(at + 2)
