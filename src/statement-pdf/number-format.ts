// Number formats by language: three significant digits in charts and prose, all digits in tables.
import type { Kilograms } from '../statements/statement.ts'
import type { Language } from './theme.ts'

const LOCALES: Readonly<Record<Language, string>> = { en: 'en-GB', de: 'de-DE' }
const DIGITS_MAX = 6
const SIGNIFICANT = 3

export interface MassUnit {
  /** Such as `kg CO₂e`. */
  readonly name: string
  readonly kilograms: number
}

/** Separates a number from its unit. */
const NO_BREAK = '\u00a0'
const KILOGRAM: MassUnit = { name: `kg${NO_BREAK}CO₂e`, kilograms: 1 }
const TONNE: MassUnit = { name: `t${NO_BREAK}CO₂e`, kilograms: 1000 }

/** Tonnes from 1,000 kg upwards. */
export const unitFor = (largest: Kilograms): MassUnit => (Math.abs(largest) >= TONNE.kilograms ? TONNE : KILOGRAM)

export class Numbers {
  readonly #locale: string
  readonly #significant: Intl.NumberFormat
  readonly #point: string
  readonly #count: Intl.NumberFormat
  readonly #percent: Intl.NumberFormat

  constructor(language: Language) {
    this.#locale = LOCALES[language]
    const make = (options: Intl.NumberFormatOptions): Intl.NumberFormat => new Intl.NumberFormat(this.#locale, options)
    this.#significant = make({ maximumSignificantDigits: SIGNIFICANT, minimumSignificantDigits: SIGNIFICANT })
    this.#point = make({})
      .formatToParts(0.5)
      .find(({ type }) => type === 'decimal')!.value
    this.#count = make({ maximumFractionDigits: DIGITS_MAX })
    this.#percent = make({ minimumFractionDigits: 1, maximumFractionDigits: 1 })
  }

  count(value: number): string {
    return signed(this.#count.format(value))
  }

  /** Three significant digits, such as `12.3`. */
  short(value: number): string {
    if (value === 0) return '0'
    const rounded = Number(value.toPrecision(SIGNIFICANT))
    return signed(
      Math.abs(rounded) >= 10 ** SIGNIFICANT ? this.#count.format(rounded) : this.#significant.format(rounded),
    )
  }

  /** Three significant digits with a suitable unit, such as `12.3 t CO₂e`. */
  mass(value: Kilograms, unit: MassUnit = unitFor(value)): string {
    return `${this.short(value / unit.kilograms)}${NO_BREAK}${unit.name}`
  }

  percent(value: number | null): string {
    return value === null ? '–' : `${signed(this.#percent.format(value))}${NO_BREAK}%`
  }

  /** Formats numbers exactly to a millionth, all with as many decimals as the longest of `values` needs. */
  exact(values: Iterable<number>): (value: number) => string {
    let digits = 0
    for (const value of values) digits = Math.max(digits, digitsOf(value))
    const format = new Intl.NumberFormat(this.#locale, { minimumFractionDigits: digits, maximumFractionDigits: digits })
    return (value) => signed(format.format(value))
  }

  /** An exact decimal with all its digits and the language's decimal sign. */
  decimal(text: string): string {
    return signed(text.replace('.', this.#point))
  }

  /** The short month name for a month such as `2025-12`. */
  month(month: string): string {
    return new Intl.DateTimeFormat(this.#locale, { month: 'short', timeZone: 'UTC' }).format(new Date(`${month}-01`))
  }

  monthInFull(month: string): string {
    return new Intl.DateTimeFormat(this.#locale, { month: 'long', timeZone: 'UTC' }).format(new Date(`${month}-01`))
  }

  /** Date and time in UTC. */
  moment(at: string): string {
    const format = new Intl.DateTimeFormat(this.#locale, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })
    return `${format.format(new Date(at))} UTC`
  }
}

/** Replaces a leading hyphen with a true minus sign. */
const signed = (text: string): string => text.replace(/^-/, '−')

function digitsOf(value: number): number {
  const [, decimals = ''] = value.toFixed(DIGITS_MAX).split('.')
  return decimals.replace(/0+$/, '').length
}
