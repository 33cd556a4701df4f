// The countries to choose from, in the language of the reader: the browser knows their names.

/** Codes that browsers name, and that are no countries of ISO 3166-1: reserved ones, unions, and stand-ins. */
const NO_COUNTRIES = new Set('AC CP CQ DG EA EU EZ IC QO TA UN XA XB ZZ'.split(' '))
const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']

/** A code that stands for another by now, like DD, is left out: the browser writes it as that other. */
const isCurrent = (code: string): boolean => new Intl.Locale(`und-${code}`).region === code && !NO_COUNTRIES.has(code)

/** @returns codes and names, in the sequence of the language's alphabet */
export function countriesIn(language: string): readonly { readonly value: string; readonly label: string }[] {
  const names = new Intl.DisplayNames(language, { type: 'region', fallback: 'none' })
  return LETTERS.flatMap((one) => LETTERS.map((other) => one + other))
    .filter(isCurrent)
    .flatMap((value) => {
      const label = names.of(value)
      return label === undefined ? [] : [{ value, label }]
    })
    .sort((one, other) => one.label.localeCompare(other.label, language))
}
