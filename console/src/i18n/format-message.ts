// ICU messages with their values filled in, as the language counts and writes numbers and days.
import { IntlMessageFormat } from 'intl-messageformat'
import { numberForm } from './number-form.ts'

export type Values = Readonly<Record<string, string | number>>

type Element = ReturnType<IntlMessageFormat['getAst']>[number]
/** The build puts parsed messages in place of those that name values: the console comes without the parser. */
export type IcuMessage = string | readonly Element[]

/** Kinds of elements of a parsed message, as the parser numbers them. */
const ARGUMENT: Element['type'] = 1
const DATE: Element['type'] = 3

/** Styles that messages name: `{mass, number, exact}`, `{from, date, day}`. */
const FORMATS = {
  // More digits than any figure of the API has.
  number: { exact: { maximumFractionDigits: 20 } },
  // A day is that day everywhere, whatever the zone of the reader.
  date: { day: { dateStyle: 'medium', timeZone: 'UTC' } },
} as const

interface Compiled {
  readonly format: (values: Readonly<Record<string, unknown>>) => string
  /** Names that stand for a value as it is: numbers among these are written as the language writes them. */
  readonly plain: readonly string[]
  readonly days: readonly string[]
}

const compiled = new Map<string, Map<IcuMessage, Compiled>>()

/** @param values days are YYYY-MM-DD */
export function formatMessage(message: IcuMessage, values: Values, language: string): string {
  if (typeof message === 'string' && !message.includes('{')) return message
  const ofLanguage = compiled.get(language) ?? new Map<IcuMessage, Compiled>()
  compiled.set(language, ofLanguage)
  const known = ofLanguage.get(message) ?? compile(message, language)
  ofLanguage.set(message, known)
  const written: Record<string, unknown> = { ...values }
  for (const name of known.plain) {
    const value = values[name]
    if (typeof value === 'number') written[name] = numberForm(language).format(value)
  }
  for (const name of known.days) written[name] = new Date(values[name]!)
  return known.format(written)
}

function compile(message: IcuMessage, language: string): Compiled {
  const source = typeof message === 'string' ? message : [...message]
  const parsed = new IntlMessageFormat(source, language, FORMATS, { ignoreTag: true, formatters: FORMATTERS })
  const elements = [...withNested(parsed.getAst())]
  const namesOf = (type: Element['type']) =>
    elements.flatMap((one) => (one.type === type && 'value' in one ? [one.value] : []))
  const format = (values: Readonly<Record<string, unknown>>) => String(parsed.format(values))
  return { format, plain: namesOf(ARGUMENT), days: namesOf(DATE) }
}

function* withNested(elements: readonly Element[]): Generator<Element> {
  for (const element of elements) {
    yield element
    if ('options' in element) for (const { value } of Object.values(element.options)) yield* withNested(value)
  }
}

const FORMATTERS = {
  getNumberFormat: (language: unknown, options?: Intl.NumberFormatOptions) =>
    numberForm(String(language), options) as Intl.NumberFormat,
  getDateTimeFormat: (...given: ConstructorParameters<typeof Intl.DateTimeFormat>) => new Intl.DateTimeFormat(...given),
  getPluralRules: (...given: ConstructorParameters<typeof Intl.PluralRules>) => new Intl.PluralRules(...given),
}
