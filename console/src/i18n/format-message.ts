// Messages with their gaps filled in, as the language counts and writes numbers.
import { numberForm } from './number-form.ts'

export type Values = Readonly<Record<string, string | number>>

/** `{name}` is replaced; of `one thing | {count} things` that is taken which goes with the count. */
export function fillIn(message: string, values: Values, language: string): string {
  const forms = message.split(' | ')
  const isOne = new Intl.PluralRules(language).select(Number(values['count'] ?? 0)) === 'one'
  const form = forms.length === 2 ? forms[isOne ? 0 : 1]! : message
  return form.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = values[name]
    return typeof value === 'number' ? numberForm(language).format(value) : (value ?? whole)
  })
}
