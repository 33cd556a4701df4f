// What the service says in English, in German: loaded where German is chosen, its texts as data, not as program.
import { withMinus } from '../i18n/number-form.ts'
import type { MessagesByCode } from './messages.ts'
import { SENTENCE, createTranslate, type Kinds, type Templates, type Translate } from './templates.ts'

/** More than any figure of the API has. */
const DIGITS_MAX = 100
const NUMBER = new Intl.NumberFormat('de', { maximumFractionDigits: DIGITS_MAX })
const DAY = new Intl.DateTimeFormat('de', { dateStyle: 'medium', timeZone: 'UTC' })

const number = (text: string): string | null =>
  // Of a text every digit is kept, however many there are.
  /^-?\d+(\.\d+)?$/.test(text) ? withMinus(NUMBER.format(text as unknown as number)) : null

function day(text: string): string | null {
  const date = new Date(/^\d{4}-\d\d-\d\d$/.test(text) ? text : NaN)
  return Number.isNaN(date.getTime()) ? null : DAY.format(date)
}

/** In a formula a comma stands before decimals, and so a semicolon between terms. */
const formula = (text: string): string =>
  text
    .replace(/\b(min|max)\(([^(),]*), /g, '$1($2; ')
    .replace(/\d+\.\d+/g, (decimal) => decimal.replace('.', ','))
    .replace('Σ(months', 'Σ(Monate')
    .replace(/^left = /, 'Rest = ')

const like =
  (form: RegExp) =>
  (text: string): string | null =>
    form.test(text) ? text : null

export const KINDS: Kinds = {
  number,
  day,
  formula,
  /** As names of the catalogue write numbers: 10,000 or 1.305. */
  amount: (text) => number(text.replaceAll(',', '')),
  word: like(/^\S+$/),
  year: like(/^\d{4}$/),
}

/** Templates of texts without a code. Each is a file of its own, which its name here has the build put there. */
export const FILES: readonly URL[] = [
  new URL('./calculations.de.json', import.meta.url),
  new URL('./catalogue.de.json', import.meta.url),
  new URL('./matching.de.json', import.meta.url),
  new URL('./reports.de.json', import.meta.url),
]

/** Messages by code. */
export const MESSAGE_FILES: readonly URL[] = [
  new URL('./imports.de.json', import.meta.url),
  new URL('./json.de.json', import.meta.url),
  new URL('./problems.de.json', import.meta.url),
]

/** The messages of all files. */
export const merged = (files: readonly MessagesByCode[]): MessagesByCode =>
  Object.fromEntries(files.flatMap((file) => Object.entries(file)))

/** Those of all files, kind by kind. */
export function joined(files: readonly Templates[]): Templates {
  const kinds = [...new Set([SENTENCE, ...files.flatMap((file) => Object.keys(file))])]
  return Object.fromEntries(kinds.map((kind) => [kind, Object.assign({}, ...files.map((file) => file[kind] ?? {}))]))
}

export interface ServiceTexts {
  readonly translate: Translate
  readonly messages: MessagesByCode
}

/** @throws where a file cannot be had */
export async function loadGerman(): Promise<ServiceTexts> {
  const [templates, messages] = await Promise.all([
    Promise.all(FILES.map((url) => read<Templates>(url))),
    Promise.all(MESSAGE_FILES.map((url) => read<MessagesByCode>(url))),
  ])
  return { translate: createTranslate(joined(templates), KINDS), messages: merged(messages) }
}

const read = async <Content>(url: URL): Promise<Content> => (await (await fetch(url)).json()) as Content
