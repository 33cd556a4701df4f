// English and German words for the names in the reference data: used for suggestions only, never applied automatically.
import { foldCase } from './fold-case.ts'
import { SUGGESTIONS_MAX, closestMatches } from './suggestions.ts'

/** Enough to distinguish words, and a limit on the work a hostile text can cause. */
const CHARACTERS_MAX = 60

/** Names that a word suggests, in order, by words as foldCase() returns them. */
export type Synonyms = ReadonlyMap<string, readonly string[]>

/** Synonyms of the values that requests may have. Those of transportations and packagings belong to the release. */
const VALUES: readonly (readonly [string, string])[] = [
  [
    'laptop',
    'notebook laptop laptops notebooks ultrabook chromebook subnotebook klapprechner portable ' +
      'portables portatil portatiles portatile portatili ordinateurportable pcportable laptopcomputer ' +
      'notebookcomputer',
  ],
  [
    'mobile',
    'smartphone smartphones phone mobilephone cellphone handy handys telefon mobiltelefon ' +
      'mobilgeraet telephone telephoneportable telephonemobile movil telefonomovil cellulare',
  ],
  ['tablet', 'tablet tablets tabletpc tabletcomputer tablette tablettes tableta tabletas'],
  [
    'monitor',
    'bildschirm bildschirme display displays screen monitore monitors moniteur moniteurs ecran ' +
      'ecrans ecranlcd pantalla pantallas schermo schermi',
  ],
  ['gaming_console', 'console konsole konsolen spielkonsole spielekonsole gameconsole videogame spielgeraet'],
  ['headphone', 'kopfhoerer headphones headset headsets earphones earbuds ohrhoerer'],
  ['product', 'geraet device produkt artikel laptop notebook smartphone tablet monitor'],
  ['transportation', 'versand lieferung shipping shipment delivery fracht freight'],
  ['packaging', 'verpackung karton box carton'],
]

/** Devices of other types: a similar spelling means nothing. */
const NO_DEVICES = new Set(
  (
    'desktop desktops desktoppc tower minitower workstation pc cpu computer server servers dock ' +
    'docks docking dockingstation ' +
    'printer printers drucker imprimante impresora stampante scanner router switch fixe fix ' +
    'peripherique peripheral station'
  ).split(' '),
)

const synonymsOf = (names: readonly (readonly [string, string])[]): Synonyms => {
  const pairs = names.flatMap(([name, words]) => words.split(' ').map((word) => [word, name] as const))
  return new Map(
    [...Map.groupBy(pairs, ([word]) => word)].map(([word, found]) => [word, found.map(([, name]) => name)]),
  )
}
const SYNONYMS_OF_VALUES = synonymsOf(VALUES)

/** Vehicle codes, three-letter codes, and names that are in no list. */
const COUNTRIES: readonly (readonly [string, string])[] = [
  ['AT', 'a aut'],
  ['BE', 'b bel'],
  ['CH', 'che'],
  ['CZ', 'cze czechrepublic tschechischerepublik'],
  ['DE', 'd deu ger brd'],
  ['ES', 'e esp'],
  ['FR', 'f fra'],
  ['GB', 'uk gbr greatbritain grossbritannien england'],
  ['GR', 'el grc'],
  ['IT', 'i ita'],
  ['LU', 'lux'],
  ['NL', 'nld holland'],
  ['PL', 'pol'],
  ['US', 'usa unitedstatesofamerica'],
]

/** Named regions that are never a country of use: unions, islands without an own code, and pseudo-regions. */
const NO_COUNTRIES = new Set('AC CP CQ DG EA EU EZ IC QO TA UN XA XB ZZ'.split(' '))
const wordOf = (text: string): string => foldCase(text.slice(0, CHARACTERS_MAX).normalize('NFC').toLowerCase())

/**
 * The names for which the text is a synonym or a title; otherwise the names with the most similar spelling.
 * @param textsOf other texts that may be used for a name, such as its title
 * @param likely names instead of those with a similar spelling; null if it is not known what the text means
 */
export function resolveSynonym(
  text: string,
  names: Iterable<string>,
  synonyms: Synonyms = SYNONYMS_OF_VALUES,
  textsOf?: (name: string) => readonly string[],
  likely: readonly string[] | null = null,
): readonly string[] {
  const known = new Set(names)
  const word = wordOf(text)
  const same = [...known].filter((name) => wordOf(name) === word)
  const titled = [...known].filter((name) => textsOf?.(name).some((title) => wordOf(title) === word))
  if (same.length === 0 && known.has('laptop') && NO_DEVICES.has(word)) return []
  const candidates = [same, synonyms.get(word) ?? [], titled.slice(0, SUGGESTIONS_MAX), likely ?? []].map((those) =>
    those.filter((name) => known.has(name)),
  )
  const found = word === '' ? undefined : candidates.find(({ length }) => length > 0)
  return found ?? (likely === null ? closestMatches(text, known, textsOf) : [])
}

/**
 * The code of the country that the text names in English, German, French, Italian, Spanish or in
 * another form; empty if there is none.
 */
export function resolveCountry(text: string): readonly string[] {
  const code = (codeOfWord ??= codesByWord()).get(wordOf(text))
  return code === undefined ? [] : [code]
}

/** The code of the country with this name, in any case; null if the text is a code or no name. */
export const countryOfName = (text: string): string | null =>
  text.length > 3 ? (resolveCountry(text)[0] ?? null) : null

let codeOfWord: ReadonlyMap<string, string> | null = null

/** Country codes by the names of each country and by the code itself. */
function codesByWord(): ReadonlyMap<string, string> {
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
  const codes = letters
    .flatMap((first) => letters.map((second) => first + second))
    .filter((code) => !NO_COUNTRIES.has(code) && Intl.getCanonicalLocales(`und-${code}`)[0] === `und-${code}`)
  const named = ['es', 'it', 'fr', 'de', 'en'].flatMap((language) => {
    const names = new Intl.DisplayNames([language], { type: 'region', fallback: 'none' })
    return codes.map((code) => [code, names.of(code)] as const).filter(([, name]) => name !== undefined)
  })
  return new Map([
    ...named.flatMap(([code, name]) => [code.toLowerCase(), wordOf(name!)].map((word) => [word, code] as const)),
    ...COUNTRIES.flatMap(([code, words]) => words.split(' ').map((word) => [word, code] as const)),
  ])
}
