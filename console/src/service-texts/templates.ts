// Texts that are made from templates, put into another language: a whole text is matched, and its gaps are kept or
// put into that language themselves.

/**
 * By kind, each template with what it becomes: `{gap}` is kept, `{gap:kind}` has to be of that kind, and so has
 * `{gap:^kind}`, which begins with a small letter where the template of its kind begins with a capital.
 */
export type Templates = Readonly<Record<string, Readonly<Record<string, string>>>>

/** What is no template, like a number: what becomes of a text that is of this kind; null where it is not. */
export type Kinds = Readonly<Record<string, (text: string) => string | null>>

/** @returns null where no template of the kind matches */
export type Translate = (text: string, kind?: string) => string | null

interface Gap {
  readonly name: string
  /** Null for a text that is kept as it is. */
  readonly kind: string | null
  readonly isLowered: boolean
}

export interface Template {
  readonly text: string
  readonly translation: string
  /** What stands before each gap and, at the end, after the last. */
  readonly constants: readonly string[]
  readonly gaps: readonly Gap[]
}

interface Index {
  /** Of those that begin with a word of their own. */
  readonly byWord: ReadonlyMap<string, readonly Template[]>
  readonly others: readonly Template[]
}

export const SENTENCE = 'sentence'
/** Longer texts are no sentences of the service. */
const LENGTH_MAX = 2000
/** So many places of gaps are tried for a text: texts in gaps may be made to look like what stands around them. */
const TRIES_MAX = 5000
const KNOWN_MAX = 2000

/**
 * Takes time in proportion to a text, however it is made: what is tried is bounded, and what was found is kept.
 * @param onUse is told of each template that a text was matched by
 */
export function createTranslate(templates: Templates, kinds: Kinds, onUse?: (used: Template) => void): Translate {
  const indexes = new Map(Object.entries(templates).map(([kind, own]) => [kind, indexOf(own)]))
  const known = new Map<string, string | null>()
  let tries = 0
  const translate = (text: string, kind: string): string | null => {
    const own = kinds[kind]
    if (own) return own(text)
    const index = indexes.get(kind)
    if (!index) throw new RangeError(`There are no templates of the kind "${kind}"`)
    if (text.length > LENGTH_MAX) return null
    for (const template of candidates(index, text)) {
      const values = fit(template, text)
      if (values === null) continue
      onUse?.(template)
      return template.translation.replace(/\{(\w+)\}/g, (_, name: string) => values.get(name)!)
    }
    return null
  }
  /** The texts of the gaps, by their names, for the first places where all of them are of their kinds. */
  const fit = ({ constants, gaps }: Template, text: string): ReadonlyMap<string, string> | null => {
    const [first = '', last = ''] = [constants[0], constants.at(-1)]
    if (!text.startsWith(first)) return null
    if (gaps.length === 0) return text === first ? new Map() : null
    if (!text.endsWith(last)) return null
    const values = new Map<string, string>()
    const place = (at: number, from: number): boolean => {
      if (at === gaps.length) return true
      const isLast = at === gaps.length - 1
      const after = constants[at + 1]!
      const { name, kind, isLowered } = gaps[at]!
      let end = isLast ? text.length - last.length : text.indexOf(after, from + 1)
      while (end > from && (tries += 1) <= TRIES_MAX) {
        const written = text.slice(from, end)
        const value = kind === null ? written : translate(isLowered ? capitalised(written) : written, kind)
        if (value !== null && place(at + 1, end + after.length)) {
          values.set(name, value)
          return true
        }
        end = isLast ? -1 : text.indexOf(after, end + 1)
      }
      return false
    }
    return place(0, first.length) ? values : null
  }
  return (text, kind = SENTENCE) => {
    const key = `${kind} ${text}`
    const before = known.get(key)
    if (before !== undefined) return before
    tries = 0
    const translated = translate(text, kind)
    if (known.size >= KNOWN_MAX) known.clear()
    known.set(key, translated)
    return translated
  }
}

function* candidates({ byWord, others }: Index, text: string): Generator<Template> {
  yield* byWord.get(firstWord(text)) ?? []
  yield* others
}

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

const firstWord = (text: string): string => text.split(' ', 1)[0]!

function indexOf(own: Templates[string]): Index {
  const all = Object.entries(own)
    .map(([text, translation]) => readTemplate(text, translation))
    .sort((a, b) => weight(b) - weight(a))
  const isOfWord = ({ gaps, constants }: Template) => gaps.length === 0 || constants[0]!.includes(' ')
  return {
    byWord: Map.groupBy(all.filter(isOfWord), ({ constants }) => firstWord(constants[0]!)),
    others: all.filter((template) => !isOfWord(template)),
  }
}

/** What says more by itself is tried first. */
const weight = ({ constants }: Template): number => constants.join('').length

/** A template taken apart at its gaps. */
export function readTemplate(text: string, translation: string): Template {
  const pieces = text.split(/\{(\w+)(?::(\^?\w+))?\}/)
  const constants = pieces.filter((_, at) => at % 3 === 0)
  const gaps = pieces.flatMap((name, at) => {
    const kind = pieces[at + 1]
    return at % 3 === 1
      ? [{ name, kind: kind?.replace('^', '') ?? null, isLowered: kind?.startsWith('^') === true }]
      : []
  })
  return { text, translation, constants, gaps }
}
