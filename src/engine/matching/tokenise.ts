// Tokens as the catalogue spells them: torn codes joined, glued names parted, slips of the keyboard mended.
import { BRANDS, GRADES, LINE_WORDS, STOP_WORDS, OPTIONAL_WORDS, TYPE_WORDS } from './match-lexicon.ts'
import { isWithinOneEdit } from './normalise-text.ts'

/** The words and codes that name the catalogue's models. */
export interface Vocabulary {
  readonly terms: ReadonlySet<string>
  /** The terms and makers long enough for a slip of the keyboard to be told from another word. */
  readonly families: readonly string[]
  /** The terms of five characters and more that have a digit. */
  readonly numbered: readonly string[]
  /** Part numbers, model numbers and the maker's own identifiers, without separators, to the models that bear them. */
  readonly codes: ReadonlyMap<string, readonly string[]>
}

const MIXED = /^(?=.*[a-z])(?=.*\d)[a-z\d.]+$/

/** Tokens with torn codes joined (`U 2722 DE`), glued names parted (`latitude5420`) and slips mended (`Lattitude`). */
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

function joinedAt(raw: readonly string[], at: number, { terms, codes }: Vocabulary) {
  for (let length = Math.min(4, raw.length - at); length > 1; length -= 1) {
    const code = raw.slice(at, at + length).join('')
    if ((terms.has(code) || codes.has(code)) && code.length > 1 && MIXED.test(code)) return { code, length }
  }
  return null
}

function partsOf(token: string, before: string, vocabulary: Vocabulary): readonly string[] {
  if (isKnown(token, vocabulary)) return [token]
  const [, marked, bare] = /^(?:apn([a-z\d]{5})|([a-z\d]{5})[a-z]{1,3})$/.exec(token) ?? []
  const partNumber = marked ?? bare
  if (partNumber !== undefined && vocabulary.codes.has(partNumber)) return [partNumber]
  const parts = token.length <= 40 ? segmented(token, vocabulary) : null
  if (parts) return parts
  const isWord = /^[a-z]+$/.test(token)
  return [(isWord ? mended(token, vocabulary) : null) ?? unswapped(token, before, vocabulary) ?? token]
}

const isMeasure = (token: string): boolean =>
  /^(?:[\d.]+(?:inch|gb|ghz|core|ports)|(?:cpu)?gen\d+|\d+(?:\.\d+)?)$/.test(token)

const isKnown = (token: string, { terms, codes }: Vocabulary): boolean =>
  terms.has(token) ||
  codes.has(token) ||
  isMeasure(token) ||
  LINE_WORDS.has(token) ||
  STOP_WORDS.has(token) ||
  BRANDS.has(token) ||
  TYPE_WORDS.has(token) ||
  OPTIONAL_WORDS.has(token)

/** A glued token as a row of known words, codes and numbers; null unless all of it is known. */
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

function isPart(part: string, token: string, from: number, to: number, { terms }: Vocabulary): boolean {
  if (/^\d+$/.test(part)) {
    const isWhole = !/\d/.test(token[from - 1] ?? '') && !/\d/.test(token[to] ?? '')
    return isWhole && part.length <= 4
  }
  if (/^(?:g\d{1,2}|m[1-9]|\d+[gt]b|gen\d+)$/.test(part)) return !/\d/.test(token[to] ?? '')
  if (part.length < 2) return false
  const isTorn =
    (/\d$/.test(part) && /\d/.test(token[to] ?? '')) || (/^\d/.test(part) && /\d/.test(token[from - 1] ?? ''))
  if (isTorn) return false
  return terms.has(part) || (part.length >= 3 && (LINE_WORDS.has(part) || BRANDS.has(part) || TYPE_WORDS.has(part)))
}

/** The one family name that a single slip parts from the word. */
function mended(token: string, { families }: Vocabulary): string | null {
  if (token.length < 4) return null
  let found: string | null = null
  for (const term of families) {
    if (!isWithinOneEdit(token, term)) continue
    if (found !== null && found !== term) return null
    found = term
  }
  return found
}

/** Words too short for `mended`, and those with a number behind them, with two letters swapped: "mnii", "flpi6". */
function unswapped(token: string, before: string, { terms }: Vocabulary): string | null {
  const [, letters, number = ''] = /^([a-z]{4,12})(\d{0,2})$/.exec(token) ?? []
  if (letters === undefined) return null
  const meant = Array.from(letters.slice(1), (_letter, at) => swappedAt(letters, at) + number).filter(
    (one) => (terms.has(one) || LINE_WORDS.has(one)) && !(/\d/.test(before) && GRADES.includes(one)),
  )
  return meant.length === 1 ? meant[0]! : null
}

const swappedAt = (word: string, at: number): string =>
  word.slice(0, at) + word[at + 1]! + word[at]! + word.slice(at + 2)
