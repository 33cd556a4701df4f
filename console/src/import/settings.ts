// How a file is read: what was found out of it, and what its sender says in place of that.
import type { Schemas } from '../api/client.ts'
import type { Problem } from '../api/problem.ts'
import type { Choice } from '../components/fields.tsx'

export type ImportState = Schemas['ImportResponse']

export const SETTINGS = ['format', 'layout', 'encoding', 'delimiter', 'decimal', 'dates', 'sheet'] as const
export type SettingName = (typeof SETTINGS)[number]

/** By header; `-` passes it over. */
export type AskedColumns = Readonly<Record<string, string>>
/** '' where it is to be found out. */
export type AskedSettings = Readonly<Partial<Record<SettingName, string>>> & { readonly columns: AskedColumns }

export const NOTHING_ASKED: AskedSettings = { columns: {} }
export const PASSED_OVER = '-'

/** As the API calls them; a sheet is called whatever it is called. */
export const CHOICES: Readonly<Partial<Record<SettingName, readonly string[]>>> = {
  format: ['csv', 'xlsx', 'jsonl'],
  layout: ['items', 'orders'],
  encoding: ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252', 'windows-1250'],
  delimiter: ['comma', 'semicolon', 'tab', 'pipe'],
  decimal: ['point', 'comma'],
  dates: ['YYYY-MM-DD', 'YYYY/MM/DD', 'DD.MM.YYYY', 'DD/MM/YYYY', 'DD-MM-YYYY', 'MM/DD/YYYY', 'MM-DD-YYYY'],
}

const DELIMITERS: Readonly<Record<string, string>> = { ',': 'comma', ';': 'semicolon', '\t': 'tab', '|': 'pipe' }

/** One setting to look at, or to say otherwise. */
export interface Setting {
  readonly name: SettingName
  /** '' where it could not be found out. */
  readonly value: string
  readonly because: string
}

export interface FileColumn {
  readonly header: string
  /** Null where it is passed over; '' where nobody knows yet. */
  readonly member: string | null
  readonly likely: readonly string[]
}

export interface Reading {
  readonly settings: readonly Setting[]
  readonly columns: readonly FileColumn[]
}

const isSetting = (name: string): name is SettingName => (SETTINGS as readonly string[]).includes(name)

/** Of a file that was taken in. */
export const readingOf = ({ settings, columns }: Pick<ImportState, 'settings' | 'columns'>): Reading => ({
  settings: settings.flatMap(({ setting: name, value, because }) =>
    isSetting(name) ? [{ name, value: DELIMITERS[value] ?? value, because }] : [],
  ),
  columns: columns.map((column) => ({ ...column, likely: [] })),
})

/** Of a file that was refused: only what it does not tell, and nobody can do but its sender. */
export function unclearIn({ details }: Pick<Problem, 'details'>): Reading {
  const settings = details.flatMap(({ path, message }) => {
    const name = path.replace(/^\?/, '')
    return isSetting(name) ? [{ name, value: '', because: message }] : []
  })
  const columns = details.flatMap(({ path, message, suggestions = [] }) => {
    const header = /^\?columns\/(.+)$/s.exec(path)?.[1]
    if (header === undefined) return []
    return [{ header: unescapePointer(header), member: '', likely: suggestions, message }]
  })
  return { settings, columns }
}

const unescapePointer = (text: string): string => text.replaceAll('~1', '/').replaceAll('~0', '~')

/** What a column may be: what is likely first, then all that the layout has. */
export function memberChoices({ header, member, likely }: FileColumn, names: readonly string[]): readonly string[] {
  const label = header.replace(/^metadata\./i, '')
  const own = label === '' ? [] : [`metadata.${label}`]
  return [...new Set([...(member ? [member] : []), ...likely, ...names, ...own])].filter((name) => name !== PASSED_OVER)
}

export const choicesOf = (names: readonly string[], labelOf: (name: string) => string): readonly Choice[] =>
  names.map((value) => ({ value, label: labelOf(value) }))
