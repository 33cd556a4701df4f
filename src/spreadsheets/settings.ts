// The settings for reading a file: given by the sender, or detected and shown.
import type { Message, MessageParams } from '../engine/message.ts'
import { DATE_FORMS, DECIMALS, type DateForm, type Decimal } from './cells.ts'
import { LAYOUTS, type Layout } from './columns.ts'
import type { Register } from './register-members.ts'
import type { ValueTables } from './value-table.ts'

const FORMATS = ['csv', 'xlsx', 'jsonl'] as const
export type Format = (typeof FORMATS)[number]

export const ENCODINGS = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252', 'windows-1250'] as const
export type Encoding = (typeof ENCODINGS)[number]

export const DELIMITERS = [',', ';', '\t', '|'] as const
export type Delimiter = (typeof DELIMITERS)[number]
export const DELIMITER_NAMES: Readonly<Record<Delimiter, string>> = {
  ',': 'comma',
  ';': 'semicolon',
  '\t': 'tab',
  '|': 'pipe',
}

export interface Settings {
  readonly format: Format
  readonly layout: Layout
  /** Both are null for XLSX. The delimiter is also null for JSON lines. */
  readonly encoding: Encoding | null
  readonly delimiter: Delimiter | null
  readonly decimal: Decimal
  readonly dates: DateForm
  /** The name of the sheet; null for other formats. */
  readonly sheet: string | null
  /** By header as written in the file: the name of its column, or `-` to ignore it. */
  readonly columns: Readonly<Record<string, string>>
  /** The number of the row with the headers, if rows above it have content. Absent: the first row with content. */
  readonly header_row?: number
  /** By column that the file does not have: its value in every row, with a decimal point, and days as YYYY-MM-DD. */
  readonly constants?: Readonly<Record<string, string>>
  /** Values instead of texts of cells, by column. */
  readonly values?: ValueTables
  /** Present for a file of devices without orders. */
  readonly register?: Register
}

/** The permitted values of each setting that has a fixed list. */
export const SETTING_VALUES: Readonly<Partial<Record<keyof Settings, readonly string[]>>> = {
  format: FORMATS,
  layout: LAYOUTS,
  encoding: ENCODINGS,
  delimiter: DELIMITERS,
  decimal: DECIMALS,
  dates: DATE_FORMS,
}

/** The detected value of a setting, or of a column that the file omits, and the evidence for it. */
export interface DetectionEvidence {
  readonly setting: string
  readonly value: string
  /** The sentence in English. */
  readonly because: string
  readonly code: string
  /** The values of the sentence, if it has any. */
  readonly params?: MessageParams
}

export const evidenceOf = (setting: string, value: string, { message, code, params }: Message): DetectionEvidence => ({
  setting,
  value,
  because: message,
  code,
  ...(Object.keys(params).length > 0 && { params }),
})
