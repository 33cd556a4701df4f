// How a file is read: what was found out of it, and what its sender says in place of that.
import type { Schemas } from '../api/client.ts'
import type { Problem } from '../api/problem.ts'
import type { Choice } from '../components/fields.tsx'
import type { Format } from '../i18n/format.ts'

export type ImportState = Schemas['ImportResponse']

const SETTINGS = ['format', 'layout', 'encoding', 'delimiter', 'decimal', 'dates', 'sheet'] as const
export type SettingName = (typeof SETTINGS)[number]

/** By header; `-` passes it over. */
export type RequestedColumns = Readonly<Record<string, string>>
/** '' where it is to be found out. */
export type RequestedSettings = Readonly<Partial<Record<SettingName, string>>> & { readonly columns: RequestedColumns }

export const NOTHING_ASKED: RequestedSettings = { columns: {} }
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
  /** What it may be, where only the file tells that, as of its sheets. */
  readonly choices?: readonly string[]
}

export interface FileColumn {
  readonly header: string
  /** Null where it is passed over; '' where nobody knows yet. */
  readonly member: string | null
  readonly likely: readonly string[]
}

/** What Cradle's own exports tell beside what an order is made of: passed over, and of no interest one by one. */
const OF_EXPORTS = /^\s*export[._]/i
export const isOfExport = ({ header, member }: FileColumn): boolean => member === null && OF_EXPORTS.test(header)

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

const settingOf = ({ settings }: Pick<ImportState, 'settings'>, name: string): string | undefined =>
  settings.find(({ setting }) => setting === name)?.value

export const formatOf = (one: Pick<ImportState, 'settings'>): string | undefined => settingOf(one, 'format')

/** Of the file of errors, which is CSV also of a workbook. */
export const delimiterOf = (one: Pick<ImportState, 'settings'>): string => settingOf(one, 'delimiter') ?? ','

/** Its rows are to be read again as they were, out of a file of Cradle's own. */
export function requestedAsRead(one: Pick<ImportState, 'settings' | 'columns'>): RequestedSettings {
  const kept = (['layout', 'decimal', 'dates'] as const).map((name) => [name, settingOf(one, name) ?? ''] as const)
  const columns = one.columns.map(({ header, member }) => [header, member ?? PASSED_OVER] as const)
  const delimiter = DELIMITERS[delimiterOf(one)] ?? ''
  return {
    ...Object.fromEntries(kept),
    format: 'csv',
    encoding: 'utf-8',
    delimiter,
    columns: Object.fromEntries(columns),
  }
}

/** Columns that the file leaves out, with those that tell them. */
export const statedByOthers = ({ settings }: Pick<ImportState, 'settings'>, { told }: Format): readonly string[] =>
  settings.flatMap(({ setting, value }) => (isSetting(setting) ? [] : [`${setting}: ${told(value)}`]))

/** Of a file that was refused: only what it does not tell, and nobody can do but its sender. */
export function unclearIn({ details }: Pick<Problem, 'details'>): Reading {
  const settings = details.flatMap(({ path, message, suggestions: choices }) => {
    const name = path.replace(/^\?/, '')
    // A file without any format that is known is another file: no answer mends it.
    const isAnswerable = isSetting(name) && !(name === 'format' && choices === undefined)
    return isAnswerable ? [{ name, value: '', because: message, ...(choices && { choices }) }] : []
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

/** For columns of which nothing was said yet, what each most probably is; no two of them the same. */
export function likelyMembers(columns: readonly FileColumn[], asked: RequestedColumns): RequestedColumns {
  const taken = new Set(Object.values(asked))
  const members: Record<string, string> = {}
  for (const { header, likely } of columns) {
    const member = likely.find((one) => !taken.has(one))
    if (member === undefined || Object.hasOwn(asked, header)) continue
    members[header] = member
    taken.add(member)
  }
  return members
}

export const choicesOf = (names: readonly string[], labelOf: (name: string) => string): readonly Choice[] =>
  names.map((value) => ({ value, label: labelOf(value) }))
