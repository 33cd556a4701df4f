// What a column of a dataset file may contain.

export type CellFormat =
  | { readonly kind: 'id' | 'text' | 'url' | 'origin' | 'source' }
  | { readonly kind: 'country' }
  | { readonly kind: 'number'; readonly min: string; readonly max: string; readonly whole: boolean }
  | { readonly kind: 'choice'; readonly choices: readonly string[] }
  | { readonly kind: 'spelling'; readonly form: RegExp; readonly says: string }

export interface Column {
  readonly form: CellFormat
  /** An empty cell means that the source does not state the value. */
  readonly optional: boolean
}

export interface Dataset {
  /** Columns of the unique key, compared without case. */
  readonly key: readonly string[]
  readonly columns: Readonly<Record<string, Column>>
  /** True if the file has a single row. */
  readonly single?: boolean
}

export const required = (form: CellFormat): Column => ({ form, optional: false })
export const optional = (column: Column): Column => ({ ...column, optional: true })
export const decimal = (min: string, max: string): Column => required({ kind: 'number', min, max, whole: false })
export const whole = (min: string, max: string): Column => required({ kind: 'number', min, max, whole: true })
export const choice = (choices: readonly string[]): Column => required({ kind: 'choice', choices })

export const spelling = (form: RegExp, says: string): Column => required({ kind: 'spelling', form, says })

// Columns that several files have.
export const ID = required({ kind: 'id' })
export const TEXT = required({ kind: 'text' })
export const NOTE = optional(TEXT)
export const SOURCE = required({ kind: 'source' })
export const YES_NO = choice(['yes', 'no'])
export const YEAR = whole('1990', '2100')
export const COUNTRY = required({ kind: 'country' })
export const REGION = choice(['world', 'EU', 'US', 'North America', 'Asia'])
