// Formulas as a language writes them: they arrive with a point before decimals and words in English.
import { withMinuses } from '../i18n/number-form.ts'

/** In German a comma stands before decimals, and so a semicolon between terms. */
export function localFormula(formula: string, language: 'en' | 'de'): string {
  const written = withMinuses(formula)
  if (language === 'en') return written
  return written
    .replace(/\b(min|max)\(([^(),]*), /g, '$1($2; ')
    .replace(/\d+\.\d+/g, (decimal) => decimal.replace('.', ','))
    .replace('Σ(months', 'Σ(Monate')
    .replace(/^left = /, 'Rest = ')
}
