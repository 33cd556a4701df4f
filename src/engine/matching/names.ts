// The names and code numbers of a model, from the catalogue and its aliases.
import { aliasKey, type DeviceModel, type ReferenceData } from '../reference/reference-data.ts'
import type { ImpliedTraits } from './match-facts.ts'
import { machineTypeOf } from './machine-type.ts'
import type { MatchLexicon } from './match-lexicon.ts'
import { tokenise } from './normalise-text.ts'
import { platformOf } from './processor.ts'

export interface Name {
  readonly text: string
  readonly tokens: readonly string[]
}

const CODE = /^(?:[a-z]\d{4}|(?=.*\d)[a-z\d]{5})$/
const compact = (text: string): string => text.replace(/[^a-z\d]/g, '')

/** A key for a name's tokens, without those that texts often omit. */
export const nameKey = (tokens: readonly string[], { meanings }: MatchLexicon): string =>
  tokens.filter((token) => !meanings.brand.has(token) && token !== 'pc' && token !== 'monitor').join('')

/** A part number or model number in the form used for comparison: lower case, without separators. */
export const codeOf = (alias: string): string => (alias.includes(',') ? alias.replace(',', '') + ',' : compact(alias))

/** True for a code that a text can contain as one word; others, such as `Surface_Pro_1796`, only name a whole model. */
export const isReadable = (alias: string): boolean => /^(?=.*\d)[a-z\d,-]{3,}$/.test(alias)

/** True for an alias that is a number given by the manufacturer rather than a name. */
export const isCode = (alias: string, { brand }: DeviceModel, codes: ReadonlySet<string>): boolean =>
  codes.has(alias) ||
  (brand === 'Apple' && CODE.test(alias)) ||
  /^[a-z]+\d+,\d+$/.test(alias) ||
  alias.startsWith('sm-') ||
  isMachineNumber(alias, brand)

/** Lenovo's part numbers begin with the machine type, by which they are compared. */
export const isMachineNumber = (alias: string, brand: string): boolean =>
  brand === 'Lenovo' && machineTypeOf(alias) !== null

const spellingOf = (name: string): string => name.toLowerCase().replace(/monitor|display|inch|[^a-z\d.+]/g, '')

/** The model's own name first, then each part of a name that lists several, then its aliases that are names. */
export function namesOf(
  model: DeviceModel,
  aliases: readonly string[],
  implied: ImpliedTraits,
  { matching: lexicon, codes }: Pick<ReferenceData, 'matching' | 'codes'>,
): readonly Name[] {
  const names = [model.name, ...partsOfName(model.name), ...(implied.names ?? [])]
  const brand = aliasKey(model.brand).replace(/\s/g, '-')
  for (const alias of aliases) {
    const isId = alias.startsWith(`${brand}-`)
    if (isId || isCode(alias, model, codes) || alias.includes('/') || /\.\s?(?:lenovo|thinkpad|[a-z]\d)/.test(alias))
      continue
    names.push(alias)
  }
  const byTokens = new Map<string, Name>()
  const spellings = new Set<string>()
  for (const name of names) {
    // Skips aliases that differ only in separators and common words.
    if (spellings.has(spellingOf(name))) continue
    spellings.add(spellingOf(name))
    const text = name.replace(/\(sm-[^)]*\)/i, ' ').replace(/[–—]/g, ' ')
    const tokens = tokenise(namedByBrand(text, aliasKey(model.brand), lexicon), lexicon)
    const key = nameKey(tokens, lexicon)
    if (!byTokens.has(key)) byTokens.set(key, { text, tokens })
  }
  return [...byTokens.values()]
}

/** "ThinkPad T560 / P50s" contains two names; so does "T2364pA (ThinkVision T2364p)". */
function partsOfName(name: string): readonly string[] {
  const inBrackets = /^(\S+) \((Think\w+ \S+)\)$/.exec(name)
  if (inBrackets) return inBrackets.slice(1)
  const parts = name.split(' / ')
  if (parts.length === 1) return []
  const family = /^(ThinkPad|ThinkVision|IdeaPad|Yoga|Legion)\b/.exec(name)?.[1]
  const isBare = (part: string) => !/^(?:Think|Idea|Yoga|Legion|Xiao|Tian|Yang|Flex|[A-Z]\d\d-)/.test(part)
  return parts.map((part) => (family !== undefined && isBare(part) ? `${family} ${part}` : part))
}

/** The words that occur in names of the catalogue, without common words. */
export function significantTerms(names: readonly Name[], lexicon: MatchLexicon): ReadonlySet<string> {
  const terms = new Set<string>()
  for (const { text, tokens } of names) {
    const lower = text.toLowerCase()
    for (const match of lower.matchAll(/\b(1[1-7](?:at|[a-z])?)-([a-z]{2})\b(?!n)/g)) {
      if (match[2] !== 'in') terms.add(compact(match[0]))
    }
    for (const token of tokens) if (isTerm(token, lexicon)) terms.add(token)
  }
  return terms
}

const isTerm = (token: string, lexicon: MatchLexicon): boolean =>
  token.length > 1 &&
  /[a-z]/.test(token) &&
  platformOf(token, lexicon) === null &&
  !/^(?:[\d.]+(?:inch|gb|ghz|core|ports)|(?:cpu)?gen\d+|g\d|g1[0-4]|m[1-5]|intel)$/.test(token) &&
  !lexicon.words.ignored.has(token) &&
  !lexicon.meanings.device_type.has(token) &&
  !lexicon.meanings.feature.has(token) &&
  !lexicon.words.variant.has(token) &&
  (!lexicon.meanings.brand.has(token) || lexicon.words.brand_in_model_name.has(token))

/** "Phone (1)" and "Fairphone 4": the brand is part of the family's name. */
const namedByBrand = (name: string, brand: string, { words }: MatchLexicon): string =>
  words.brand_in_model_name.has(brand) ? `${brand} ${name}` : name
