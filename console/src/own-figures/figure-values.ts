// An own figure as it is filled in, each value as a text, and as it is sent.
import { idsOf } from './figure-table.ts'
import type { FigureKind } from './kinds.ts'
import type { Body, OwnFigure } from './use-figures.ts'

/** By field, and by the columns that make the id. */
export type Values = Readonly<Record<string, string>>

export function valuesOf(kind: FigureKind, figure: OwnFigure | null): Values {
  if (figure === null) return {}
  const members = kind.fields.map(({ name }): readonly [string, string] => [name, textOf(figure[name])])
  return { ...Object.fromEntries(members), ...idsOf(kind, figure.id) }
}

/** Of names, one a line. */
function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.join('\n')
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

export const idOf = ({ ids }: FigureKind, values: Values): string =>
  ids.map((name) => (values[name] ?? '').trim()).join('-')

const isFilled = (values: Values, name: string): boolean => (values[name] ?? '').trim() !== ''

export const isComplete = ({ ids, fields }: FigureKind, values: Values): boolean =>
  ids.every((name) => isFilled(values, name)) &&
  fields.every(({ name, isRequired }) => !isRequired || isFilled(values, name))

/** What is empty is not stated. */
export const toBody = ({ fields }: FigureKind, values: Values): Body =>
  Object.fromEntries(
    fields
      .filter(({ name }) => isFilled(values, name))
      .map(({ name, form }): readonly [string, unknown] => {
        const text = values[name]!.trim()
        if (form === 'number') return [name, Number(text)]
        return [name, form === 'names' ? linesOf(text) : text]
      }),
  )

const linesOf = (text: string): readonly string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
