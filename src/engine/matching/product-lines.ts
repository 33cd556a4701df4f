// What the product line or the form of a device in a text says: its maker, and its type or that it is none of ours.

/** The type of a row of `matching/lines.csv` that names a thing of which there are no figures, such as a server. */
export const NO_DEVICE = 'none'

export interface ProductLine {
  /** Lower-case letters and digits with hyphens; null for a form, which every maker has. */
  readonly brand: string | null
  /** As in the file: `#` stands for a digit, `*` at the end of a word for any further characters. */
  readonly words: string
  /** A type of device, or `NO_DEVICE`. */
  readonly type: string
  /** True if the words mean this line even if no maker is known. */
  readonly isOwnWord: boolean
}

interface LinePattern extends ProductLine {
  readonly pattern: RegExp
}

/** By the letters with which a line's first word begins. It holds only plain values, like the lexicon. */
export type ProductLines = ReadonlyMap<string, readonly LinePattern[]>

const lettersOf = (word: string): string => /^[a-z]*/.exec(word)![0]

export const indexLines = (lines: readonly ProductLine[]): ProductLines =>
  Map.groupBy(
    lines.map((line) => ({ ...line, pattern: linePattern(line.words) })),
    ({ words }) => lettersOf(words),
  )

/** Matches the line's words at the start of a text in which words are separated by single blanks. */
const linePattern = (words: string): RegExp =>
  new RegExp(`^${words.replaceAll('#', String.raw`\d`).replaceAll('*', String.raw`[a-z\d]*`)}(?= |$)`)

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
 * The line that a text names: a form or thing that is none of our types if there is one, else the only type of the
 * lines named. Of two that overlap, the longer counts: "Pixel Watch" is no Pixel. Null if none is named, or if the
 * lines are of several types.
 * @param words of the text, as `normalisedWords` gives them
 * @param maker the key of the known maker; null if none is known
 */
export function lineInWords(words: readonly string[], maker: string | null, lines: ProductLines): NamedLine | null {
  const hits = words.flatMap((word, at) => hitsAt(words.slice(at).join(' '), word, at, maker, lines))
  const longest = hits.filter((hit) => !hits.some((other) => other !== hit && isInside(hit, other)))
  const excluding = longest.find(({ line }) => line.type === NO_DEVICE)
  if (excluding) return excluding
  return new Set(longest.map(({ line }) => line.type)).size === 1 ? longest[0]! : null
}

function hitsAt(text: string, word: string, from: number, maker: string | null, lines: ProductLines): readonly Hit[] {
  return (lines.get(lettersOf(word)) ?? []).flatMap((line) => {
    const words = isOf(line, maker) ? line.pattern.exec(text)?.[0] : undefined
    return words === undefined ? [] : [{ line, words, from, to: from + words.split(' ').length }]
  })
}

const isOf = ({ brand, isOwnWord }: ProductLine, maker: string | null): boolean =>
  brand === null || (maker === null ? isOwnWord : brand === maker)

const isInside = (hit: Hit, other: Hit): boolean =>
  other.from <= hit.from && other.to >= hit.to && other.to - other.from > hit.to - hit.from
