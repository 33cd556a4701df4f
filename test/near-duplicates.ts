// Texts that almost name a model: one number, generation, chip or letter of a code is another.
import type { DeviceModel } from '../src/engine/reference/reference-data.ts'

export interface NearMiss {
  readonly text: string
  /** The word of the text that the model does not bear. */
  readonly changed: string
}

const STEPS = [1, -1, 2, -2, 10, -10]
/** Letters that makers end the codes of monitors and the like with. */
const LETTERS = ['D', 'E', 'H', 'X', 'Q', 's']
/** Numbers that tell variants of one model apart, or that a screen's size is rounded to. */
const EQUIPMENT = /^\(?[45]G\)?$|^4K$|^Touch-|Hz|GHz|GB|TB|-core|inch|^Thunderbolt|^\d+\.\d+$/

/** A name without what its variants differ in: storage, stand, palm rest, words that describe. */
export const namesMeant = (name: string): string =>
  name
    .replace(/\b\d+[GT]B\b|\b\d\.\dGHz\b|\b(?:\d+|dual|quad)-core(?: [CG]PU)?|, \w+ palm rest|\(\d{4}\)/g, ' ')
    .replace(/\((?:without stand|SM-\w+)\)|with(?:out)? stand|\d+(?:\.\d)?-inch|Wi-Fi \+ Cellular/g, ' ')
    .replace(/\b(?:Notebook|PC|Monitor|Convertible|FHD|Mobile|Workstation|ENERGY|STAR|Retina|Laptop)\b/gi, ' ')
    .replace(/\b(EliteBook|ProBook|Pavilion|Fortis|ZHAN)\b(.*?)\b1[1-7]\b/, '$1$2')
    .replace('/ IdeaPad Flex', '/ Flex')
    .replace(/\s+/g, ' ')
    .trim()

/** Every number of the name a little off, and every code with a letter more or less. */
export function nearMissesOf({ name }: DeviceModel): readonly NearMiss[] {
  if (name.includes(' / ')) return []
  const words = name.replace(/\((SM-.*|without stand)\)/, '').split(' ')
  return words.flatMap((word, at) => {
    const bare = word.replace(/[(),]/g, '')
    if (EQUIPMENT.test(word) || (words[at - 1] ?? '') === 'Thunderbolt') return []
    return [...withOtherNumbers(bare), ...withOtherLetters(bare)].map((changed) => ({
      text: words.with(at, word.replace(bare, changed)).join(' '),
      changed,
    }))
  })
}

function withOtherNumbers(word: string): readonly string[] {
  return [...word.matchAll(/\d+/g)].flatMap(({ 0: digits, index }) =>
    STEPS.map((step) => Number(digits) + step)
      .filter((number) => number > 0)
      .map((number) => word.slice(0, index) + String(number) + word.slice(index + digits.length)),
  )
}

function withOtherLetters(word: string): readonly string[] {
  if (!/^[A-Z]{1,2}\d{2,4}[A-Za-z]*$/.test(word)) return []
  return [...(/[A-Za-z]$/.test(word) ? [word.slice(0, -1)] : []), ...LETTERS.map((letter) => word + letter)]
}

/** True when one of the names bears the word, or the number of an ordinal. */
export function telling(names: readonly string[], word: string): boolean {
  // Lenovo's letters for the processor are equipment, unless a sheet is for some of them alone.
  const lower = word
    .toLowerCase()
    .replaceAll('+', ' plus')
    .replace(/(-1[0-7])[ai][a-z]{2}$/, '$1')
  const ordinal = /^(?:gen ?|g)?(\d+)(?:st|nd|rd|th)?$/.exec(lower)?.[1]
  return names.some((name) => {
    const text = name.toLowerCase().replaceAll('+', ' plus')
    return text.includes(lower) || (ordinal !== undefined && new RegExp(`(?<!\\d)${ordinal}(?!\\d)`).test(text))
  })
}
