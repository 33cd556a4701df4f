// Numbers and days as the chosen language writes them: short where they are read, in full where they are asked for.
import { useMemo } from 'react'
import type { ServiceMessage } from '../service-texts/messages.ts'
import { useLanguage } from './language.tsx'
import { numberForm } from './number-form.ts'

const SIGNIFICANT_DIGITS = 3
/** More than any figure of the API has. */
const DIGITS_MAX = 20

export interface Format {
  /** Three significant digits. */
  readonly short: (value: number) => string
  /** Every digit that the API sent. */
  readonly full: (value: number) => string
  readonly percent: (share: number) => string
  readonly day: (iso: string) => string
  readonly time: (iso: string) => string
  /** Of 2026-01. */
  readonly month: (yearAndMonth: string) => string
  /** Of an ISO code, as the language calls it; the code itself where it calls it nothing. */
  readonly country: (code: string) => string
  /** What the service said, where only text can stand; `Tell` also marks what has no German. */
  readonly told: (text: string | ServiceMessage) => string
}

export function useFormat(): Format {
  const { language, translateMessage } = useLanguage()
  return useMemo(() => createFormat(language, translateMessage), [language, translateMessage])
}

function createFormat(language: string, translateMessage: (one: ServiceMessage) => string | null): Format {
  const short = numberForm(language, { maximumSignificantDigits: SIGNIFICANT_DIGITS })
  const full = numberForm(language, { maximumFractionDigits: DIGITS_MAX })
  const percent = numberForm(language, { style: 'percent', maximumFractionDigits: 1 })
  // A day is that day everywhere, whatever the zone of the reader.
  const day = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' })
  const time = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' })
  const month = new Intl.DateTimeFormat(language, { month: 'short', year: '2-digit', timeZone: 'UTC' })
  const countries = new Intl.DisplayNames(language, { type: 'region' })
  // An address may name any day: what is none is told as it stands.
  const written = (form: Intl.DateTimeFormat, iso: string, date = new Date(iso)) =>
    Number.isNaN(date.getTime()) ? iso : form.format(date)
  return {
    short: (value) => short.format(value),
    full: (value) => full.format(value),
    percent: (share) => percent.format(share),
    day: (iso) => written(day, iso),
    time: (iso) => written(time, iso),
    month: (yearAndMonth) => written(month, `${yearAndMonth}-01`),
    country: (code) => (/^[A-Z]{2}$/.test(code) ? (countries.of(code) ?? code) : code),
    told: (text) => (typeof text === 'string' ? text : (translateMessage(text) ?? text.message)),
  }
}
