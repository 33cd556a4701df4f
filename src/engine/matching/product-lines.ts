// What the product line or the form of a device in a text says: its maker, and its type or that it is none of ours.

/** The type of a row of `matching/lines.csv` that names a thing of which there are no figures, such as a server. */
export const NO_DEVICE = 'none'

export interface ProductLine {
  /** Lower-case letters and digits with hyphens; null for a form, which every maker has. */
  readonly brand: string | null
  /** As in the file: `#` stands for a digit, at the end of a word `@` for letters, and `*` for any characters. */
  readonly words: string
  /** A type of device, or `NO_DEVICE`. */
  readonly type: string
  /** True if the words mean this line even if no maker is known. */
  readonly isOwnWord: boolean
}

interface LinePattern extends ProductLine {
  readonly pattern: RegExp
}

/**
 * By the letters with which a line's first word begins, and `*` if any further letters may follow: "vpc*" is VPCCB35FG.
 * It holds only plain values, like the lexicon.
 */
export type ProductLines = ReadonlyMap<string, readonly LinePattern[]>

const lettersOf = (word: string): string => /^[a-z]*/.exec(word)![0]

const keyOfLine = ({ words }: ProductLine): string => {
  const letters = lettersOf(words)
  return /^[*@]/.test(words.slice(letters.length)) ? `${letters}*` : letters
}

/** The keys under which the lines stand that may begin with the word. */
function keysOfWord(word: string): readonly string[] {
  const letters = lettersOf(word)
  return [letters, ...Array.from(letters, (_letter, at) => `${letters.slice(0, at + 1)}*`)]
}

export const indexLines = (lines: readonly ProductLine[]): ProductLines =>
  Map.groupBy(
    lines.map((line) => ({ ...line, pattern: linePattern(line.words) })),
    keyOfLine,
  )

/** Matches the line's words at the start of a text in which words are separated by single blanks. */
const linePattern = (words: string): RegExp =>
  new RegExp(
    `^${words
      .replaceAll('#', String.raw`\d`)
      .replaceAll('*', String.raw`[a-z\d]*`)
      .replaceAll('@', '[a-z]*')}(?= |$)`,
  )

export interface NamedLine {
  readonly line: ProductLine
  /** The words of the text that name it. */
  readonly words: string
}

interface Hit extends NamedLine {
  readonly from: number
  readonly to: number
}

/**
 * The line that a text names. Of two that overlap, the longer counts: "Pixel Watch" is no Pixel. Of those that remain,
 * a form or thing that is none of our types counts first, then the line of the maker that spells most characters, so
 * that a name ("LifeBook") counts more than the pattern of a code (`e###`), and "SH-08E" more than `sh ##*`; last a
 * form, such as "convertible". Null if none is named, or if those that spell most are of several types.
 * @param words of the text, as `normalisedWords` gives them
 * @param maker the key of the known maker; null if none is known
 * @param isPossible false for a line that the product cannot be of, whatever its text says; it is passed over
 */
export function lineInWords(
  words: readonly string[],
  maker: string | null,
  lines: ProductLines,
  isPossible: (line: ProductLine) => boolean = () => true,
): NamedLine | null {
  const hits = words.flatMap((_word, at) => hitsAt(words, at, maker, lines)).filter(({ line }) => isPossible(line))
  const longest = hits.filter(
    (hit) => !hits.some((other) => other !== hit && (isInside(hit, other) || isContinued(hit, other))),
  )
  const excluding = longest.find(
    (hit) => hit.line.type === NO_DEVICE && !isPattern(hit.line) && !isPartOfName(hit, longest),
  )
  if (excluding) return excluding
  const meant = longest.filter((hit) => !isPartBehindDevice(hit, longest))
  const ofMakers = meant.filter(({ line }) => line.brand !== null)
  const named = ofMakers.length > 0 ? ofMakers : meant
  const most = Math.max(...named.map(spelt))
  const clearest = named.filter((hit) => spelt(hit) === most)
  const isOne = new Set(clearest.map(({ line }) => line.type)).size === 1
  return isOne ? clearest[0]! : (clearest.find(({ line }) => line.type === NO_DEVICE) ?? null)
}

/** A line that spells fewer letters than this is a code, which other things of the maker may have, too. */
const NAME_LETTERS_MIN = 4

export const isName = ({ words }: ProductLine): boolean => words.replaceAll(/[^a-z]/g, '').length >= NAME_LETTERS_MIN

/** True for the pattern of a code, which other things may have, too. */
export const isPattern = ({ words }: ProductLine): boolean => /[#@*]/.test(words)

/** True for a word of a maker right behind one of its lines of devices: the Prime of "ZenBook Prime". */
const isPartOfName = ({ line, from }: Hit, hits: readonly Hit[]): boolean =>
  line.brand !== null && hits.some((other) => other.to === from && other.line.type !== NO_DEVICE)

/** The code of a part behind a device that has it: the GTX 1050 of "GP62M, GTX 1050". */
const isPartBehindDevice = ({ line, from }: Hit, hits: readonly Hit[]): boolean =>
  line.type === NO_DEVICE &&
  isPattern(line) &&
  hits.some((other) => other.from < from && other.line.brand === line.brand && other.line.type !== NO_DEVICE)

/** How many characters of a text the line spells. */
const spelt = ({ line }: Hit): number => line.words.replaceAll(/[#@* ]/g, '').length

function hitsAt(words: readonly string[], from: number, maker: string | null, lines: ProductLines): readonly Hit[] {
  const own = keysOfWord(words[from]!).flatMap((key) => lines.get(key)?.filter((line) => isOf(line, maker)) ?? [])
  if (own.length === 0) return []
  const text = words.slice(from).join(' ')
  return own.flatMap((line) => {
    const found = line.pattern.exec(text)?.[0]
    return found === undefined ? [] : [{ line, words: found, from, to: from + found.split(' ').length }]
  })
}

const isOf = ({ brand, isOwnWord }: ProductLine, maker: string | null): boolean =>
  brand === null || (maker === null ? isOwnWord : brand === maker)

/** "acer aspire", which "aspire c##" continues behind the maker's name in "Acer Aspire C24". */
const isContinued = (hit: Hit, other: Hit): boolean =>
  hit.line.words.startsWith(`${hit.line.brand} `) && other.from === hit.from + 1 && other.to > hit.to

/** A form inside of the same words of a maker is none: HP's TouchPad is no touchpad. */
const isInside = (hit: Hit, other: Hit): boolean =>
  other.from <= hit.from &&
  other.to >= hit.to &&
  (other.to - other.from > hit.to - hit.from || (hit.line.brand === null && other.line.brand !== null))
