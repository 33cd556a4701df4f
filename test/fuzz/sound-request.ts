// The sound request of a step: on what its sequence knows to be there, where it knows something.
import { pick, type Random } from '../../scripts/random-orders.ts'
import type { Operation } from './documented-operations.ts'
import { OWN, type Step } from './draw-sequences.ts'
import type { KnownOrder, State, Told } from './sequence-state.ts'
import { workbookOf } from '../workbook-file.ts'

/** Parts of what is drawn that are put on something known: the others ask for what may not be there. */
const ON_KNOWN = 0.8
const DAY_MS = 86_400_000
const DAYS_MAX = 400
const WORKBOOK_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

type Values = Readonly<Record<string, string>>
type Body = Readonly<Record<string, unknown>>

export function tell({ operation, path: drawn, query: asked, body }: Step, state: State, random: Random): Told {
  const named = <Value>(value: Value): Value => JSON.parse(nameOwn(JSON.stringify(value), state)) as Value
  const order = random() < ON_KNOWN ? anyOrder(operation, state, random) : null
  const pathValues = onKnown(named(drawn), order, state, random)
  // How a file is read is mostly best left to the file.
  const query = operation.takesFile && random() < ON_KNOWN ? '' : queryOf(between(operation, named(asked), state))
  const page = state.pages.findLast(({ operationId }) => operationId === operation.id)
  const path =
    page !== undefined && random() < 0.5 ? page.path : fillPath(operation.path, pathValues) + (query && `?${query}`)
  const isEvent = order !== null && operation.path.endsWith('/events')
  const sent = body === undefined ? null : acceptable(operation, named(body) as Body, state)
  return {
    operationId: operation.id,
    path,
    pathValues,
    query: path.split('?')[1] ?? '',
    body: sent === null ? '' : JSON.stringify(isEvent ? fit(sent, order, random) : sent),
    file: operation.takesFile ? fileOf(operation, state, random) : null,
  }
}

/**
 * Random orders have warnings and days in the future, which a strict account or one with limits would refuse, and a
 * random text is neither a release nor a series. A member that is not sent cannot be broken into another valid value
 * either.
 */
function acceptable({ id }: Operation, body: Body, { restatements }: State): Body {
  // Of an import or of a header: of a random one nothing but its header is sound.
  if (id === 'putImportProfile') return { header: COLUMNS.split(','), settings: {} }
  if (id === 'applyRestatement') return { digest: [...restatements.values()].at(-1) ?? 'none' }
  if (id !== 'putAccount') return body
  const refusing = ['strictness', 'days_ahead_max', 'dataset_release', 'grid_series']
  return Object.fromEntries(Object.entries(body).filter(([name]) => !refusing.includes(name)))
}

/** A release is compared with one that is there. */
const between = ({ id }: Operation, query: Body, { releases }: State): Body =>
  id === 'listReleaseChanges' && releases.size > 0 ? { ...query, to: [...releases].at(-1)! } : query

/** One that has devices, where that is what it is about. */
function anyOrder({ path }: Operation, { orders }: State, random: Random): KnownOrder | null {
  const known = [...orders.values()]
  const rented = /events$|serial/.test(path) ? known.filter(({ serials }) => serials.length > 0) : []
  if (known.length === 0) return null
  return pick(random, rented.length > 0 ? rented : known)
}

const FILE_ROWS_MAX = 3
const COLUMNS = 'customer_id,order_id,order_date,tenure_start_date,product_id,serial_number,tenure_months,weight_kg'

/** Orders of ids that no drawn order has, in one of the three formats; or the example of a figure as CSV. */
function fileOf({ example, path }: Operation, { name, imports }: State, random: Random): NonNullable<Told['file']> {
  if (example !== null && random() < ON_KNOWN) return { type: 'text/csv', bytes: Buffer.from(csvOf(example, path)) }
  const id = `${name}-${imports.length}`
  const count = 1 + Math.floor(random() * FILE_ROWS_MAX)
  const columns = COLUMNS.split(',')
  const rows = Array.from({ length: count }, (_, at) => {
    return [`${name}-file`, `${id}-${at}`, '2025-01-10', '2025-02-01', 'P-1', `${name}-file-${at}`, '12', '1.5']
  })
  const format = pick(random, ['csv', 'lines', 'workbook'] as const)
  if (format === 'workbook') return { type: WORKBOOK_TYPE, bytes: workbookOf([columns, ...rows]) }
  if (format === 'csv') return { type: 'text/csv', bytes: Buffer.from([columns, ...rows, ''].join('\n')) }
  const lines = rows.map((row) => JSON.stringify(Object.fromEntries(columns.map((column, at) => [column, row[at]]))))
  return { type: 'application/x-ndjson', bytes: Buffer.from(lines.join('\n')) }
}

/** The columns that say of what the example is, by the path, which says it of a figure that is sent alone. */
const ID_CELLS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '/api/lifetimes': { type: 'tablet' },
  '/api/grid-factors': { country: 'SE', year: '2024' },
  '/api/residual-mixes': { country: 'SE', year: '2024' },
  '/api/grid-losses': { country: 'SE', year: '2024' },
  '/api/grid-months': { country: 'SE', month: '2024-05' },
}

function csvOf(example: Body, path: string): string {
  const cells = Object.entries(example).map(([column, value]) => [column, [value].flat().join('|')] as const)
  const row = [...Object.entries(ID_CELLS[path] ?? { id: 'from-file' }), ...cells]
  return `${row.map(([column]) => column).join(',')}\n${row.map(([, cell]) => `"${cell}"`).join(',')}\n`
}

const nameOwn = (text: string, { name }: State): string => text.replaceAll(OWN, name)

export const fillPath = (template: string, values: Values): string =>
  template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name]!))

function onKnown(
  values: Values,
  order: KnownOrder | null,
  { mapped, profiles, imports, keys, restatements, releases }: State,
  random: Random,
): Values {
  if ('name' in values && profiles.size > 0 && random() < ON_KNOWN) return { name: pick(random, [...profiles.keys()]) }
  if ('key_id' in values && keys.length > 0) return { ...values, key_id: String(keys.at(-1)) }
  if ('import_id' in values && imports.length > 0) return { ...values, import_id: String(imports.at(-1)) }
  if ('restatement_id' in values && restatements.size > 0 && random() < ON_KNOWN)
    return { restatement_id: String([...restatements.keys()].at(-1)) }
  if ('release_id' in values && releases.size > 0 && random() < ON_KNOWN)
    return { release_id: pick(random, [...releases]) }
  if ('layout' in values && random() < ON_KNOWN) return { layout: pick(random, ['items', 'orders']) }
  if ('year' in values && order) return { customer_id: order.customerId, year: pick(random, ['2024', '2025', '2026']) }
  if ('order_id' in values && order) return { ...values, customer_id: order.customerId, order_id: order.orderId }
  if (Object.keys(values).join() === 'customer_id' && order) return { customer_id: order.customerId }
  if ('serial' in values && order && order.serials.length > 0) return { ...values, serial: pick(random, order.serials) }
  if ('product_id' in values && mapped.size > 0 && random() < ON_KNOWN)
    return { ...values, product_id: pick(random, [...mapped.keys()]) }
  return values
}

/** An event that an order may have met: on one of its devices, on a day near the start of its tenure. */
function fit(event: Body, { serials, tenureStart }: KnownOrder, random: Random): Body {
  const days = Math.ceil(random() * DAYS_MAX) * (event['type'] === 'cancelled' ? -1 : 1)
  const date = new Date(Date.parse(tenureStart) + days * DAY_MS).toISOString().slice(0, 10)
  return {
    ...event,
    ...('date' in event && { date }),
    ...('serial_number' in event && serials.length > 0 && { serial_number: pick(random, serials) }),
  }
}

function queryOf(values: Readonly<Record<string, unknown>>): string {
  const pairs = Object.entries(values).map(([name, value]): [string, string] => [name, String(value)])
  return new URLSearchParams(pairs.filter(([, value]) => value !== '')).toString()
}
