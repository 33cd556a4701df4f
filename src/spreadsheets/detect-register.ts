// Recognises a file of devices that holds no orders, and says what has to be stated for it.
import { withSuggestions } from '../engine/reference/suggestions.ts'
import type { Problem } from '../engine/order.ts'
import { IGNORED_COLUMNS, memberPath, type Layout } from './columns.ts'
import { headerMeaning } from './header-synonyms.ts'
import { SETTING_MESSAGES } from './messages.ts'
import { REGISTER_COLUMNS, type Register } from './register-members.ts'

export interface Named {
  readonly header: string
  readonly column: string
}

/** Columns that make orders of devices, or are of their transport; a register has none of them. */
const OF_ORDERS = [
  'order_id',
  'tenure_months',
  'transportation_id',
  'transportation_mode',
  'distance_km',
  'packaging_id',
]
/** A column `type` has types of devices there. */
const OF_DEVICES: readonly string[] = ['serial_number', 'product_name', 'model_id', 'brand', 'device_type', 'type']
const NAMES_PRODUCT: readonly string[] = ['product_name', 'product_id', 'model_id', 'device_type']

const meaningsOf = ({ header, column }: Named, layout: Layout): readonly string[] =>
  memberPath(column, layout) ? [column] : (headerMeaning(header, layout)?.columns ?? [])

/** True if the columns describe devices, and none may have the id of an order or its tenure. */
export function isLikeRegister(named: readonly Named[], layout: Layout): boolean {
  if (layout === 'events') return false
  const meanings = new Set(named.flatMap((one) => meaningsOf(one, layout)))
  return OF_DEVICES.some((name) => meanings.has(name)) && !OF_ORDERS.some((name) => meanings.has(name))
}

export interface RegisterColumns {
  readonly columns: readonly Named[]
  /** Columns that may mean something that no column of the file has yet. */
  readonly unclear: readonly Named[]
}

const ofNoRegister = (column: string): boolean => column === 'type' || column === 'order_id'

/**
 * The columns of a register: most of those that a list of devices has are of no use here, and are ignored. Those that
 * may mean what no other column does have to be specified.
 */
export function registerColumns(named: readonly Named[], asked: Readonly<Record<string, string>>): RegisterColumns {
  const isKnown = ({ column }: Named) => memberPath(column, 'items') !== null && !ofNoRegister(column)
  const taken = new Set(named.filter(isKnown).map(({ column }) => column))
  const isAsked = ({ header }: Named) => Object.hasOwn(asked, header)
  const unclear = named.filter((one) => {
    if (one.column === IGNORED_COLUMNS || isKnown(one)) return false
    if (isAsked(one)) return true
    const meaning = headerMeaning(one.header, 'items')
    if (meaning === null) return false
    return meaning.lacks === 'quantity' || meaning.columns.some((column) => isOfUse(column) && !taken.has(column))
  })
  const columns = named.map((one) => (isKnown(one) ? one : { ...one, column: IGNORED_COLUMNS }))
  return { columns, unclear }
}

/** Ids of orders are made, and labels are kept only on request, because each label makes an order of its own. */
const isOfUse = (column: string): boolean =>
  !ofNoRegister(column) && memberPath(column, 'items')?.part !== 'metadata' && column !== 'order_date'

/** Stands for a register of which everything is stated. */
export const STATES_ALL: Register = { customer_id: '', starts_on: '', tenure_months: 0, weight_kg: 0 }
const EXAMPLES: Required<Omit<Register, 'country'>> = {
  customer_id: 'customer-1',
  starts_on: '2025-01-01',
  tenure_months: 36,
  weight_kg: 2,
}

/** The columns that are missing in a register, unless they are stated for all devices. */
export function missingInRegister({ columns, unclear }: RegisterColumns, register: Register): readonly Problem[] {
  const there = new Set(columns.map(({ column }) => column))
  const stated = (Object.keys(EXAMPLES) as (keyof typeof EXAMPLES)[]).filter(
    (name) => register[name] === undefined && !there.has(REGISTER_COLUMNS[name]),
  )
  const likelyFor = (names: readonly string[]) =>
    unclear
      .filter(({ header }) => headerMeaning(header, 'items')?.columns.some((column) => names.includes(column)))
      .map(({ header }) => header)
      .slice(0, 3)
  return [
    ...stated.map((name): Problem => {
      const params = {
        column: REGISTER_COLUMNS[name],
        setting: JSON.stringify({ ...register, [name]: EXAMPLES[name] }),
      }
      return { path: `/register/${name}`, ...SETTING_MESSAGES.register_lacks(params) }
    }),
    ...(there.has('serial_number') ? [] : [missingSerial(likelyFor(['serial_number']))]),
    ...(NAMES_PRODUCT.some((name) => there.has(name))
      ? []
      : [
          withSuggestions({ path: '/columns', ...SETTING_MESSAGES.register_lacks_product() }, likelyFor(NAMES_PRODUCT)),
        ]),
  ]
}

function missingSerial(likely: readonly string[]): Problem {
  const [first] = likely
  if (first === undefined) return { path: '/columns', ...SETTING_MESSAGES.register_lacks_serial() }
  const column = 'serial_number'
  const params = { column, likely: first, setting: JSON.stringify({ [first]: column }) }
  return withSuggestions({ path: '/columns', ...SETTING_MESSAGES.column_not_in_file_likely(params) }, likely)
}

/** What the file lacks to hold orders, and what to state instead. */
export function registerOffered({ columns, unclear }: RegisterColumns): Problem {
  const meanings = new Set([
    ...columns.map(({ column }) => column),
    ...unclear.flatMap(({ header }) => headerMeaning(header, 'items')?.columns ?? []),
  ])
  const names = (Object.keys(EXAMPLES) as (keyof typeof EXAMPLES)[]).filter(
    (name) => !meanings.has(REGISTER_COLUMNS[name]),
  )
  const example = JSON.stringify(Object.fromEntries(names.map((name) => [name, EXAMPLES[name]])))
  const lacking = ['order_id', ...names.map((name) => REGISTER_COLUMNS[name])]
  const message = SETTING_MESSAGES.register_offered({ lacking, setting: example })
  return { path: '/register', ...message, suggestions: [example] }
}
