// ICU messages with their values filled in, as the language counts and writes numbers and days.
import { TYPE, type MessageFormatElement } from '@formatjs/icu-messageformat-parser/no-parser.js'
import { numberForm } from './number-form.ts'

export type Values = Readonly<Record<string, string | number>>

/** A text that names no value, or a parsed message: scripts/build-console.ts parses those that name values. */
export type IcuMessage = string | readonly MessageFormatElement[]

/** Of `{mass, number, exact}`: more digits than any figure of the API has. */
const EXACT = { maximumFractionDigits: 20 } as const
/** A day is that day everywhere, whatever the zone of the reader. */
const DAY = { dateStyle: 'medium', timeZone: 'UTC' } as const

/**
 * Values stand as `{name}` (a number as the language writes it), `{name, number}`, `{name, number, exact}`,
 * `{name, date, day}`, or choose among texts: `{name, plural, …}` (exact numbers like `=0` first), `{name, select, …}`.
 * @param values days are YYYY-MM-DD
 * @throws TypeError for a message that is not parsed; RangeError for one that lacks a value, or has an element of
 * another kind
 */
export function formatMessage(message: IcuMessage, values: Values, language: string): string {
  if (typeof message !== 'string') return formatElements(message, values, language, 0)
  if (message.includes('{')) throw new TypeError(`The message is not parsed: ${message}`)
  return message
}

/** @param count the number that `#` stands for */
function formatElements(
  elements: readonly MessageFormatElement[],
  values: Values,
  language: string,
  count: number,
): string {
  return elements.map((element) => formatElement(element, values, language, count)).join('')
}

function formatElement(element: MessageFormatElement, values: Values, language: string, count: number): string {
  if (element.type === TYPE.literal) return element.value
  if (element.type === TYPE.pound) return numberForm(language).format(count)
  const value = values[element.value]
  if (value === undefined) throw new RangeError(`The message lacks the value of "${element.value}"`)
  switch (element.type) {
    case TYPE.argument:
      return typeof value === 'number' ? numberForm(language).format(value) : value
    case TYPE.number:
      // Of a decimal that is a text every digit is kept.
      return numberForm(language, element.style === 'exact' ? EXACT : {}).format(value as number)
    case TYPE.date:
      return new Intl.DateTimeFormat(language, DAY).format(new Date(value))
    case TYPE.plural:
    case TYPE.select: {
      const isPlural = element.type === TYPE.plural
      const choice = isPlural ? new Intl.PluralRules(language).select(Number(value)) : String(value)
      const exact = isPlural ? element.options[`=${value}`] : undefined
      const { value: chosen } = exact ?? element.options[choice] ?? element.options['other']!
      return formatElements(chosen, values, language, isPlural ? Number(value) : count)
    }
    default:
      throw new RangeError(`A message has no elements of the kind ${element.type}`)
  }
}
