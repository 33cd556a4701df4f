// What family of a brand's devices a name belongs to: "MacBook Air 13 M3 256GB" to macbook-air. METHODOLOGY.md#families

/** A family has at most this many words of a name's beginning; what follows them tells models of one family apart. */
const LEADING_WORDS_MAX = 2

/** Words that say what kind of thing it is, or a feature of it: two devices that share them need not be alike. */
const GENERIC = new Set(
  (
    'by cellular convertible curved dcr display edition education ee energy enterprise fhd fi g gaming gen ' +
    'generation hd hdr in inch lte mobile monitor new notebook of pc portable qhd retina series smartphone star ' +
    'system tablet touch uhd usb webcam wi wide wifi with without workstation wqhd wuxga zoll'
  ).split(' '),
)

/** Sizes and grades of one generation, which stand behind its number: an iPhone 15 Pro Max is no iPhone 15. */
const GRADES = new Set(['max', 'mini', 'plus', 'pro', 'ultra'])

/** The form in which brands are compared: small letters and digits, joined by hyphens. */
export const brandKey = (brand: string): string => wordsOf(brand).join('-')

/** Lower-case words of a text, without accents; a `+` behind a word is one of its own, as in "S25+". */
const wordsOf = (text: string): readonly string[] =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/(?<=[a-z0-9])\+/g, ' plus ')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')

/**
 * The family of a device by its name, or null where the name tells none. Of several names with " / " between them the
 * first counts, and what stands in brackets does not. The family has the first words that are neither generic nor have
 * a digit; a word with a digit gives the letters before its first digit (T490: t, U2722DE: u) and ends them. Grades
 * that stand behind are added: "iPhone 15 Pro Max" gives iphone-pro-max.
 * @param brand left out where the name begins with it
 */
export function productFamily(name: string, brand: string): string | null {
  const words = wordsOf(name.split(' / ')[0]!.replaceAll(/\([^)]*\)/g, ' '))
  const own = wordsOf(brand)
  const begins = own.every((word, at) => words[at] === word)
  return join(begins ? words.slice(own.length) : words)
}

function join(words: readonly string[]): string | null {
  const family: string[] = []
  for (const word of words) {
    if (family.length === LEADING_WORDS_MAX) break
    const hasDigit = /\d/.test(word)
    const letters = hasDigit ? /^[a-z]*/.exec(word)![0] : word
    if (letters !== '' && !GENERIC.has(letters)) family.push(letters)
    if (hasDigit && family.length > 0) break
  }
  if (family.length === 0) return null
  for (const word of words) if (GRADES.has(word) && !family.includes(word)) family.push(word)
  return family.join('-')
}
