// How a file is read: the detected settings, and those that the user requests instead.
import type { Schemas } from '../api/client.ts'
import type { Problem } from '../api/problem.ts'
import type { Choice } from '../components/fields.tsx'
import type { ServiceMessage } from '../service-texts/messages.ts'

export type ImportState = Schemas['ImportResponse']

const SETTINGS = ['format', 'layout', 'encoding', 'delimiter', 'decimal', 'dates', 'sheet'] as const
export type SettingName = (typeof SETTINGS)[number]

/** By header; `-` ignores the column. */
export type RequestedColumns = Readonly<Record<string, string>>
/** '' for a setting that is to be detected. */
export type RequestedSettings = Readonly<Partial<Record<SettingName, string>>> & {
  readonly columns: RequestedColumns
  /** The name of a profile. */
  readonly profile?: string
  /** JSON: what is stated for all devices of a list without orders. */
  readonly register?: string
  /** JSON: what the words of a column mean, by the column. */
  readonly values?: string
}

export const NOTHING_ASKED: RequestedSettings = { columns: {} }
export const IGNORED = '-'

/** As the API names them; names of sheets are those of the file. */
export const CHOICES: Readonly<Partial<Record<SettingName, readonly string[]>>> = {
  format: ['csv', 'xlsx', 'jsonl'],
  layout: ['items', 'orders', 'events'],
  encoding: ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252', 'windows-1250'],
  delimiter: ['comma', 'semicolon', 'tab', 'pipe'],
  decimal: ['point', 'comma'],
  dates: [
    'YYYY-MM-DD',
    'YYYY/MM/DD',
    'DD.MM.YYYY',
    'DD/MM/YYYY',
    'DD-MM-YYYY',
    'MM/DD/YYYY',
    'MM-DD-YYYY',
    'DD.MM.YY',
    'DD/MM/YY',
    'DD-MM-YY',
    'MM/DD/YY',
    'MM-DD-YY',
  ],
}

const DELIMITERS: Readonly<Record<string, string>> = { ',': 'comma', ';': 'semicolon', '\t': 'tab', '|': 'pipe' }

/** A setting that is shown, or changed. */
export interface Setting {
  readonly name: SettingName
  /** '' if it could not be detected. */
  readonly value: string
  readonly because: ServiceMessage
  /** Possible values that depend on the file, such as its sheets. */
  readonly choices?: readonly string[]
}

export interface FileColumn {
  readonly header: string
  /** Null if the column is ignored; '' if it is still unknown. */
  readonly member: string | null
  readonly likely: readonly string[]
}

/** Columns of Cradle's own exports beside those of orders: they are ignored, and not shown one by one. */
const OF_EXPORTS = /^\s*export[._]/i
export const isOfExport = ({ header, member }: FileColumn): boolean => member === null && OF_EXPORTS.test(header)

export interface Reading {
  readonly settings: readonly Setting[]
  readonly columns: readonly FileColumn[]
}

const isSetting = (name: string): name is SettingName => (SETTINGS as readonly string[]).includes(name)

/** Of a file that was accepted. */
export const readingOf = ({ settings, columns }: Pick<ImportState, 'settings' | 'columns'>): Reading => ({
  settings: settings.flatMap(({ setting: name, value, because: message, ...reason }) =>
    isSetting(name) ? [{ name, value: DELIMITERS[value] ?? value, because: { message, ...reason } }] : [],
  ),
  columns: columns.map((column) => ({ ...column, likely: [] })),
})

const settingOf = ({ settings }: Pick<ImportState, 'settings'>, name: string): string | undefined =>
  settings.find(({ setting }) => setting === name)?.value

export const formatOf = (one: Pick<ImportState, 'settings'>): string | undefined => settingOf(one, 'format')

/** Of the file of rejected rows, which is CSV for a workbook too. */
export const delimiterOf = (one: Pick<ImportState, 'settings'>): string => settingOf(one, 'delimiter') ?? ','

/** Settings that read the rejected rows, which are a CSV file of Cradle, as the original file was read. */
export function requestedAsRead(one: Pick<ImportState, 'settings' | 'columns'>): RequestedSettings {
  const kept = (['layout', 'decimal', 'dates'] as const).map((name) => [name, settingOf(one, name) ?? ''] as const)
  const columns = one.columns.map(({ header, member }) => [header, member ?? IGNORED] as const)
  const delimiter = DELIMITERS[delimiterOf(one)] ?? ''
  return {
    ...Object.fromEntries(kept),
    format: 'csv',
    encoding: 'utf-8',
    delimiter,
    columns: Object.fromEntries(columns),
  }
}

/** A column that the file omits, with the column that implies its values. */
export interface ImpliedColumn {
  readonly column: string
  readonly by: string
}

/** What the sender states beside the columns. */
const STATED: ReadonlySet<string> = new Set(['header_row', 'values', 'register'])

export const impliedColumns = ({ settings }: Pick<ImportState, 'settings'>): readonly ImpliedColumn[] =>
  settings.flatMap(({ setting, value }) =>
    isSetting(setting) || STATED.has(setting) ? [] : [{ column: setting, by: value.replace(/^by /, '') }],
  )

/** Of a file that was rejected: what could not be detected and only the user can specify. */
export function unclearIn({ details }: Pick<Problem, 'details'>): Reading {
  const settings = details.flatMap(({ path, message, suggestions: choices, ...reason }) => {
    const name = path.replace(/^\?/, '')
    // A file of an unknown format cannot be read with any setting.
    const isAnswerable = isSetting(name) && !(name === 'format' && choices === undefined)
    return isAnswerable ? [{ name, value: '', because: { message, ...reason }, ...(choices && { choices }) }] : []
  })
  const columns = details.flatMap(({ path, suggestions = [] }) => {
    const header = /^\?columns\/(.+)$/s.exec(path)?.[1]
    if (header === undefined) return []
    return [{ header: unescapePointer(header), member: '', likely: suggestions }]
  })
  return { settings, columns }
}

/** Names of profiles for files with the header of the rejected one. */
export const profilesFor = ({ details }: Pick<Problem, 'details'>): readonly string[] =>
  details.flatMap(({ path, code, suggestions = [] }) =>
    path === '?profile' && code === 'profile_offered' ? suggestions : [],
  )

/** True if the file is a list of devices, of which something has to be stated. */
export const isOfRegister = ({ details }: Pick<Problem, 'details'>): boolean =>
  details.some(({ path }) => path.startsWith('?register'))

const unescapePointer = (text: string): string => text.replaceAll('~1', '/').replaceAll('~0', '~')

/** What a column may be mapped to: likely members first, then all of the layout. */
export function memberChoices({ header, member, likely }: FileColumn, names: readonly string[]): readonly string[] {
  const label = header.replace(/^metadata\./i, '')
  const own = label === '' ? [] : [`metadata.${label}`]
  return [...new Set([...(member ? [member] : []), ...likely, ...names, ...own])].filter((name) => name !== IGNORED)
}

/** The most likely member of each column that the user has not set yet; all different. */
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

type Words = Readonly<Record<string, string>>
const valuesOf = ({ values }: RequestedSettings) => JSON.parse(values || '{}') as Readonly<Record<string, Words>>

/** The columns of whose words the meaning can be stated here. */
export const WORD_COLUMNS = ['device_type', 'transportation_id'] as const
export type WordColumn = (typeof WORD_COLUMNS)[number]

/** What the words of a column mean: a value of it, or `-` for rows that are left out. */
export const wordsOf = (asked: RequestedSettings, column: WordColumn): Words => valuesOf(asked)[column] ?? {}

/** @param meaning '' if the word has no meaning of its own any more */
export function withWord(
  asked: RequestedSettings,
  column: WordColumn,
  word: string,
  meaning: string,
): RequestedSettings {
  const { [column]: words = {}, ...others } = valuesOf(asked)
  const rest = Object.entries(words).filter(([other]) => other !== word)
  const left = Object.fromEntries(meaning === '' ? rest : [...rest, [word, meaning]])
  const values = Object.keys(left).length > 0 ? { ...others, [column]: left } : others
  return { ...asked, values: Object.keys(values).length > 0 ? JSON.stringify(values) : '' }
}

export const choicesOf = (names: readonly string[], labelOf: (name: string) => string): readonly Choice[] =>
  names.map((value) => ({ value, label: labelOf(value) }))
