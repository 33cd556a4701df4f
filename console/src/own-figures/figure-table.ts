// Own figures as a table in the catalogue's columns, which the service reads, too.
import type { ChartTable } from '../charts/csv.ts'
import type { FigureKind } from './kinds.ts'
import type { OwnFigure } from './use-figures.ts'

/** Between the aliases in a cell. */
const ALIAS_SEPARATOR = '|'

const columnsOf = ({ ids, fields }: FigureKind): readonly string[] => [
  ...new Set([...ids, ...fields.map(({ name }) => name)]),
]

/** @returns a header alone for no figures: a template to fill in */
export const tableOf = (kind: FigureKind, figures: readonly OwnFigure[]): ChartTable => ({
  columns: columnsOf(kind),
  rows: figures.map((figure) => {
    const ids = idsOf(kind, figure.id)
    return columnsOf(kind).map((name) => ids[name] ?? cellOf(figure[name]))
  }),
})

/** What an id is made of, by column. */
export const idsOf = ({ ids }: FigureKind, id: string): Readonly<Record<string, string>> => {
  const [first = '', ...others] = ids
  if (others.length === 0) return { [first]: id }
  const at = id.lastIndexOf('-')
  return { [first]: id.slice(0, at), [others[0]!]: id.slice(at + 1) }
}

const cellOf = (value: unknown): string | number | null => {
  if (Array.isArray(value)) return value.join(ALIAS_SEPARATOR)
  return typeof value === 'string' || typeof value === 'number' ? value : null
}
