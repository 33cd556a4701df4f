// Processor data in a text: the maker, and the first year in which devices had the processor.
import type { MatchLexicon } from './match-lexicon.ts'

type Years = MatchLexicon['processorYears']

/** The release year of the newest processor or graphics chip named in the text; null if there is none. */
export function processorYearOf(text: string, { processorYears: years }: MatchLexicon): number | null {
  const found = [intelYear(text, years), ryzenYear(text, years), graphicsYear(text, years), reusedYear(text, years)]
  const known = found.filter((year) => year !== null && year !== undefined)
  return known.length === 0 ? null : Math.max(...known)
}

function intelYear(text: string, years: Years): number | null | undefined {
  const ultra = /\b(?:core[\s-]ultra[\s-]?(?:[579][\s-]?)?|(?:ultra |u)[579][\s-])(\d?)(?:\d\d[uhv])?/i.exec(text)
  if (ultra) return years.intel_ultra.get(ultra[1]!) ?? years.intel_ultra.get('1')
  const gen = intelGenOf(text, years)
  if (gen === null) return null
  if (gen < 6) return 2009 + gen
  // The fast processors of some generations were released later than the others.
  const fast = firstKnown(text, /\bi[3579][\s-]?(\d|1\d)\d{3}h/gi, years.intel_fast)
  const delay = fast ? fast.year - (intelReleaseYear(Number(fast.code), years) ?? fast.year) : 0
  return (intelReleaseYear(gen, years) ?? 0) + delay
}

const ryzenYear = (text: string, { ryzen_series: years }: Years) =>
  firstKnown(text, /\b(?:ryzen(?:[\s-]ai)?[\s-]?[3579]?|r[3579])[\s-]?(?:pro)?[\s-]?(\d)\d{3}[a-z]{0,2}\b/gi, years)
    ?.year

/** Nvidia's graphics chips for portable computers. */
const graphicsYear = (text: string, { rtx_series: years }: Years) =>
  (/\brtx[\s-]?a\d000/i.test(text) ? years.get('a') : undefined) ??
  firstKnown(text, /\brtx[\s-]?(\d)0\d0/gi, years)?.year

/** Lenovo's letters after the size, for processors that were also used a year later in devices of the same name. */
const LETTERS_AFTER_SIZE = /\b1[3-7]s?[\s-]([a-z]{3})\b/gi

const reusedYear = (text: string, { lenovo_letters_reused: years }: Years) =>
  firstKnown(text, LETTERS_AFTER_SIZE, years)?.year

/** The first code in the text that the list has, with its year. */
function firstKnown(text: string, pattern: RegExp, years: ReadonlyMap<string, number>) {
  for (const [, found = ''] of text.matchAll(pattern)) {
    const code = found.toLowerCase()
    const year = years.get(code)
    if (year !== undefined) return { code, year }
  }
  return undefined
}

/** The generation of the Intel processor in the text, such as 11 for i5-1135G7; null if there is none. */
export function intelGenOf(text: string, years: Years): number | null {
  if (firstKnown(text, LETTERS_AFTER_SIZE, years.lenovo_letters_reused)?.code === 'itl') return 11
  const number = /\bi[3579][\s-]?(\d{4,5})/i.exec(text)?.[1]
  return number === undefined ? null : Number(number.slice(0, number.startsWith('1') ? 2 : 1))
}

/** The release year of an Intel generation; null if the list does not have it. */
export const intelReleaseYear = (gen: number, years: Years): number | null =>
  years.intel_generation.get(String(gen)) ?? null

/** "14iwl", "15ikbn": the size in inches, the letters of the processor and its year; null for any other token. */
export function platformOf(token: string, { processorYears }: MatchLexicon) {
  const [, inches, letters] = /^(1[0-7])([ai][a-z]{2})n?(?:05h?)?$/.exec(token) ?? []
  const year = processorYears.lenovo_letters.get(letters ?? '')
  return year === undefined ? null : { inches: Number(inches), letters: letters!, year }
}

/** True for processors that are not Intel's or AMD's, or the name under which such computers are sold. */
export const isArm = (text: string, { words }: MatchLexicon): boolean =>
  text
    .toLowerCase()
    .match(/[a-z\d]+/g)
    ?.some((word) => words.arm_processor.has(word)) ?? false
