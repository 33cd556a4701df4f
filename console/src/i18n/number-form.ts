// Numbers as a language writes them, for pages: what is less than 0 has a minus sign (U+2212), which is as wide as a
// plus, and no hyphen, after which a line may be broken. Files and fields of forms have hyphens, as programs read them.

const MINUS = '\u2212'

const withMinus = (written: string): string => written.replace('-', MINUS)

export interface NumberForm {
  readonly format: (value: number) => string
}

export function numberForm(language: string, options: Intl.NumberFormatOptions = {}): NumberForm {
  const form = new Intl.NumberFormat(language, options)
  return { format: (value) => withMinus(form.format(value)) }
}

/** Of a formula: where a number begins, not between two of them, where the minus sign stands already. */
export const withMinuses = (formula: string): string => formula.replace(/(?<=^|[\s(])-(?=\d)/g, MINUS)
