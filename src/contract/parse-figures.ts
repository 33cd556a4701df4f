// Checks an account's own figures: what their schemas do not say, and the rows of a CSV file.
import { add, compare, rational, multiply, rationalOfNumber, ZERO } from '../engine/numbers/rational.ts'
import { escapePointer, type Problem } from '../engine/order.ts'
import { ORDER_MESSAGES } from '../engine/messages.ts'
import { distanceBases } from '../engine/transport.ts'
import type { InstrumentBody } from '../engine/electricity/inventory-figures.ts'
import type { OwnModelBody, OwnTransportBody } from '../engine/reference/read-own-figures.ts'
import { DEVICE_TYPES, aliasKey, type ReferenceData } from '../engine/reference/reference-data.ts'
import { PROBLEMS_MAX } from '../engine/validate-order.ts'
import type { Message } from '../engine/message.ts'
import { FIGURE_MESSAGES } from './messages.ts'
import { normaliseId } from './parse-order.ts'
import { OWN_FIGURE_SCHEMAS, type FigureKind } from './own-figure-schema.ts'
import type { Validate } from './validation.ts'

const ID_LENGTH_MAX = 100
const ID_FORM = /^[a-z0-9]+(?:-[a-z0-9]+)*$/
const YEARS_FORM = /^[A-Z]{2}-(?:199\d|20\d\d)$/
const MONTH_FORM = /^(?:199\d|20\d\d)-(?:0[1-9]|1[0-2])$/

type Body = Readonly<Record<string, unknown>>

/** What is wrong with the id of a figure; null if nothing is. */
export function validateFigureId(kind: FigureKind, id: string, { grid }: ReferenceData): Message | null {
  const sent = id.slice(0, ID_LENGTH_MAX)
  switch (kind) {
    case 'lifetime':
      return DEVICE_TYPES.some((type) => type === id)
        ? null
        : FIGURE_MESSAGES.figure_id_type({ id: sent, types: DEVICE_TYPES })
    case 'grid-month': {
      const isMonth = id[2] === '-' && MONTH_FORM.test(id.slice(3)) && grid.has(id.slice(0, 2))
      return isMonth ? null : FIGURE_MESSAGES.figure_id_month({ id: sent })
    }
    case 'grid-factor':
    case 'residual-mix':
    case 'grid-loss':
      return YEARS_FORM.test(id) && grid.has(id.slice(0, 2)) ? null : FIGURE_MESSAGES.figure_id_grid({ id: sent })
    default:
      return ID_FORM.test(id) && id.length <= ID_LENGTH_MAX
        ? null
        : FIGURE_MESSAGES.figure_id_form({ id: sent, max: ID_LENGTH_MAX })
  }
}

/** What the parts of a figure are checked against. */
export interface FigureChecks {
  readonly validate: Validate
  readonly referenceData: ReferenceData
}

/** All faults of the body of a figure. */
export function figureProblems(
  kind: FigureKind,
  body: unknown,
  { validate, referenceData }: FigureChecks,
): readonly Problem[] {
  const { problems } = validate(body)
  // A rule that reads only sound members is checked also where others are wrong, so that all faults are told at once.
  if (kind === 'instrument') return [...problems, ...instrumentProblems(body, problems, referenceData)]
  if (problems.length > 0) return problems
  if (kind === 'transportation') return transportProblems(body as OwnTransportBody)
  return kind === 'device-model' ? modelProblems(body as OwnModelBody) : []
}

/** A figure as it is stored: the customer of an instrument is compared like that of an order. */
export const normaliseFigure = (kind: FigureKind, body: Body): Body =>
  kind === 'instrument' ? { ...body, customer_id: normaliseId(String(body['customer_id'])) } : body

function instrumentProblems(body: unknown, problems: readonly Problem[], { grid }: ReferenceData): readonly Problem[] {
  const areSound = (...names: readonly string[]): boolean =>
    !problems.some(({ path }) => path === '' || names.some((name) => path === `/${name}`))
  const instrument = body as InstrumentBody
  const { country } = instrument
  return [
    ...(areSound('country') && !grid.has(country)
      ? [{ path: '/country', ...FIGURE_MESSAGES.figure_country({ country }) }]
      : []),
    ...(areSound('from', 'to', 'kwh', 'share') ? coverProblems(instrument) : []),
  ]
}

function coverProblems({ from, to, kwh, share }: InstrumentBody): readonly Problem[] {
  const months = Object.entries({ from, to }).filter(([, month]) => !MONTH_FORM.test(month))
  const year = from.slice(0, 4)
  return [
    ...months.map(([name, month]) => ({
      path: `/${name}`,
      ...FIGURE_MESSAGES.figure_month({ month: month.slice(0, ID_LENGTH_MAX) }),
    })),
    ...(months.length === 0 && to < from
      ? [{ path: '/to', ...FIGURE_MESSAGES.figure_months_reversed({ from, to }) }]
      : []),
    ...(months.length === 0 && to >= from && kwh !== undefined && to.slice(0, 4) !== year
      ? [{ path: '/to', ...FIGURE_MESSAGES.figure_covers_one_year({ year }) }]
      : []),
    ...((kwh === undefined) === (share === undefined)
      ? [{ path: '/kwh', ...FIGURE_MESSAGES.figure_covers_one() }]
      : []),
  ]
}

function transportProblems(body: OwnTransportBody): readonly Problem[] {
  const { mode, distance_basis: basis, factor_kg_co2e_per_tonne_km: factor, ttw_kg_co2e_per_tonne_km: part = 0 } = body
  const bases = distanceBases(mode)
  return [
    ...(bases.includes(basis)
      ? []
      : [{ path: '/distance_basis', ...ORDER_MESSAGES.wrong_distance_basis({ mode, bases, sent: basis }) }]),
    ...(part > factor ? [{ path: '/ttw_kg_co2e_per_tonne_km', ...FIGURE_MESSAGES.figure_exceeds_total() }] : []),
  ]
}

/** Shares that a sheet prints as whole percentages may add up to 2 % more than the total. */
const ROUNDING_SLACK = rational(102n, 100n)

/** The figures of a sheet must be consistent with each other, as those of the catalogue are. */
function modelProblems(body: OwnModelBody): readonly Problem[] {
  const stages = {
    production_kg_co2e: body.production_kg_co2e,
    transportation_kg_co2e: body.transportation_kg_co2e,
    use_kg_co2e: body.use_kg_co2e,
    end_of_life_kg_co2e: body.end_of_life_kg_co2e,
  }
  const stated = Object.entries(stages).flatMap(([name, value]) => (value === undefined ? [] : [{ name, value }]))
  const twice: readonly Problem[] =
    body.use_kg_co2e !== undefined && body.use_share !== undefined
      ? [{ path: '/use_share', ...FIGURE_MESSAGES.figure_use_twice() }]
      : []
  if (body.total_kg_co2e === undefined) {
    const isAlone = stated.length === 1 && stated[0]!.name === 'production_kg_co2e' && body.use_share === undefined
    return isAlone ? [] : [...twice, { path: '/total_kg_co2e', ...FIGURE_MESSAGES.figure_without_total() }]
  }
  const total = rationalOfNumber(body.total_kg_co2e)
  const tooLarge = stated
    .filter(({ name, value }) => compare(rationalOfNumber(value), total) >= (name === 'use_kg_co2e' ? 0 : 1))
    .map(({ name }) => ({ path: `/${name}`, ...FIGURE_MESSAGES.figure_exceeds_total() }))
  const sum = stated.map(({ value }) => rationalOfNumber(value)).reduce(add, ZERO)
  const isTooMuch = tooLarge.length === 0 && compare(sum, multiply(total, ROUNDING_SLACK)) > 0
  return [
    ...twice,
    ...tooLarge,
    ...(isTooMuch ? [{ path: '/total_kg_co2e', ...FIGURE_MESSAGES.figure_stages_exceed() }] : []),
  ]
}

/** A row of a CSV file, with the line on which it begins; the header is line 1. */
export interface FigureRow {
  readonly line: number
  readonly cells: readonly string[]
}

export type ParsedFigures =
  | { readonly ok: true; readonly figures: readonly { readonly id: string; readonly body: Body }[] }
  | { readonly ok: false; readonly problems: readonly Problem[] }

/** Columns of the catalogue's files that say how the catalogue was made, and mean nothing for an own figure. */
const PASSED_OVER = new Set(['in_type_default', 'via', 'evidence', 'wtt_kg_co2e_per_tonne_km', 'stand_in', 'source'])
const ID_COLUMNS: Readonly<Record<FigureKind, readonly string[]>> = {
  'device-model': ['id'],
  transportation: ['id'],
  packaging: ['id'],
  lifetime: ['type'],
  'grid-factor': ['country', 'year'],
  'grid-month': ['country', 'month'],
  'residual-mix': ['country', 'year'],
  'grid-loss': ['country', 'year'],
  instrument: ['id'],
}
const membersOf = (kind: FigureKind): Readonly<Record<string, Member>> =>
  (OWN_FIGURE_SCHEMAS[kind] as unknown as { properties: Readonly<Record<string, Member>> }).properties

/** The columns that a file of such figures may have. */
export const figureColumns = (kind: FigureKind): readonly string[] => [
  ...ID_COLUMNS[kind],
  ...Object.keys(membersOf(kind)),
]

/** Between the aliases in a cell. */
const ALIAS_SEPARATOR = '|'

/**
 * Reads figures from a table in the catalogue's own columns. If one row is faulty, all are rejected, with the faults of
 * all rows: their paths begin with the line.
 */
export function parseFigureTable(
  kind: FigureKind,
  header: readonly string[],
  rows: readonly FigureRow[],
  checks: FigureChecks,
): ParsedFigures {
  const members = membersOf(kind)
  const ids = ID_COLUMNS[kind]
  const problems: Problem[] = headerProblems(header, figureColumns(kind), ids)
  if (problems.length > 0) return { ok: false, problems }
  const figures: { id: string; body: Body; line: number }[] = []
  const lines = new Map<string, number>()
  for (const { line, cells } of rows) {
    if (problems.length >= PROBLEMS_MAX) break
    if (cells.length !== header.length) {
      problems.push({
        path: `/${line}`,
        ...FIGURE_MESSAGES.figure_cells({ count: cells.length, expected: header.length }),
      })
      continue
    }
    const named = new Map(header.map((name, at) => [name, cells[at]!.trim()]))
    const id = ids.map((name) => named.get(name)!).join('-')
    const fault = validateFigureId(kind, id, checks.referenceData)
    const first = lines.get(aliasKey(id))
    const body = bodyOf(named, members, ids)
    problems.push(
      ...(fault ? [{ path: `/${line}/${ids[0]!}`, ...fault }] : []),
      ...(first === undefined
        ? []
        : [{ path: `/${line}/${ids[0]!}`, ...FIGURE_MESSAGES.figure_repeated({ line: first }) }]),
      ...figureProblems(kind, body, checks).map((problem) => ({ ...problem, path: `/${line}${problem.path}` })),
    )
    lines.set(aliasKey(id), line)
    figures.push({ id, body: normaliseFigure(kind, body), line })
  }
  return problems.length > 0 ? { ok: false, problems: problems.slice(0, PROBLEMS_MAX) } : { ok: true, figures }
}

function headerProblems(header: readonly string[], known: readonly string[], ids: readonly string[]): Problem[] {
  const unknown = header.filter((name, at) => {
    const isKnown = known.includes(name) || PASSED_OVER.has(name)
    return !isKnown || header.indexOf(name) !== at
  })
  const missing = ids.filter((name) => !header.includes(name))
  return [
    ...unknown.map((name) => ({
      path: `/1/${escapePointer(name.slice(0, ID_LENGTH_MAX))}`,
      ...FIGURE_MESSAGES.figure_column_unknown({ names: known }),
    })),
    ...missing.map((name) => ({ path: `/1/${name}`, ...FIGURE_MESSAGES.figure_column_missing({ name }) })),
  ].slice(0, PROBLEMS_MAX)
}

interface Member {
  readonly type?: string
}

const NUMBER_FORM = /^\d{1,12}(?:\.\d{1,12})?$/

/** An empty cell states nothing. A cell that is no number stays a text, which the schema refuses. */
function bodyOf(
  cells: ReadonlyMap<string, string>,
  members: Readonly<Record<string, Member>>,
  ids: readonly string[],
): Body {
  const isMember = (name: string) => Object.hasOwn(members, name) && !(ids.length === 1 && ids[0] === name)
  const stated = [...cells].filter(([name, cell]) => cell !== '' && isMember(name))
  return Object.fromEntries(
    stated.map(([name, cell]): readonly [string, unknown] => {
      const { type } = members[name]!
      if (type === 'array') return [name, cell.split(ALIAS_SEPARATOR).map((one) => one.trim())]
      const isNumber = (type === 'number' || type === 'integer') && NUMBER_FORM.test(cell)
      return [name, isNumber ? Number(cell) : cell]
    }),
  )
}
