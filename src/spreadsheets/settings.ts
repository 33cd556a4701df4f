// How a file is to be read: what its sender says of it, or what was found in it and shown.
import { DATE_FORMS, DECIMALS, type DateForm, type Decimal } from './cells.ts'
import { LAYOUTS, type Layout } from './columns.ts'

const FORMATS = ['csv', 'xlsx', 'jsonl'] as const
export type Format = (typeof FORMATS)[number]

export const ENCODINGS = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252', 'windows-1250'] as const
export type Encoding = (typeof ENCODINGS)[number]

export const DELIMITERS = [',', ';', '\t', '|'] as const
export type Delimiter = (typeof DELIMITERS)[number]

export interface Settings {
  readonly format: Format
  readonly layout: Layout
  /** Null for XLSX, like the delimiter, which JSON lines lack, too. */
  readonly encoding: Encoding | null
  readonly delimiter: Delimiter | null
  readonly decimal: Decimal
  readonly dates: DateForm
  /** The name of the sheet; null for what is not XLSX. */
  readonly sheet: string | null
  /** By each header of the file, as it stands there: the name of the column that it is, or `-` to pass it over. */
  readonly columns: Readonly<Record<string, string>>
}

/** What each setting may be, where that is a list. */
export const SETTING_VALUES: Readonly<Partial<Record<keyof Settings, readonly string[]>>> = {
  format: FORMATS,
  layout: LAYOUTS,
  encoding: ENCODINGS,
  delimiter: DELIMITERS,
  decimal: DECIMALS,
  dates: DATE_FORMS,
}

/** What was found of a setting, or of a column that the file leaves out, and by what. */
export interface DetectionEvidence {
  readonly setting: string
  readonly value: string
  readonly because: string
}
