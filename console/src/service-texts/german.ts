// What the service says in English, in German. Loaded only where German is chosen.
import calculations from './calculations.de.json' with { type: 'json' }
import catalogue from './catalogue.de.json' with { type: 'json' }
import imports from './imports.de.json' with { type: 'json' }
import json from './json.de.json' with { type: 'json' }
import matching from './matching.de.json' with { type: 'json' }
import problems from './problems.de.json' with { type: 'json' }
import reports from './reports.de.json' with { type: 'json' }
import { SENTENCE, createTranslate, type Kinds, type Templates, type Translate } from './templates.ts'

/** More than any figure of the API has. */
const DIGITS_MAX = 100
const NUMBER = new Intl.NumberFormat('de', { maximumFractionDigits: DIGITS_MAX })
const DAY = new Intl.DateTimeFormat('de', { dateStyle: 'medium', timeZone: 'UTC' })

const number = (text: string): string | null =>
  // Of a text every digit is kept, however many there are.
  /^-?\d+(\.\d+)?$/.test(text) ? NUMBER.format(text as unknown as number) : null

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
  quoted: (text) => (/^".*"$/s.test(text) ? `„${text.slice(1, -1)}“` : null),
  word: like(/^\S+$/),
  year: like(/^\d{4}$/),
  /** What is to be sent, word for word. */
  setting: like(/^columns: \{.*\}$/s),
}

const FILES: readonly Templates[] = [calculations, catalogue, imports, json, matching, problems, reports]
const kindsOfFiles = [...new Set([SENTENCE, ...FILES.flatMap((file) => Object.keys(file))])]
export const TEMPLATES: Templates = Object.fromEntries(
  kindsOfFiles.map((kind) => [kind, Object.assign({}, ...FILES.map((file) => file[kind] ?? {}))]),
)

export const translate: Translate = createTranslate(TEMPLATES, KINDS)
