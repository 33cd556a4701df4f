// Reads the worked examples under cases/, and refuses a file that no runner would replay.
import { readdirSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { DISTANCE_BASES, DEVICE_TYPES } from '../src/engine/reference/reference-data.ts'
import type { LineType, Part } from '../src/engine/numbers/emission.ts'
import type { Item, Order } from '../src/engine/order.ts'
import { parseDecimal } from '../src/engine/numbers/rational.ts'

const CASES = join(import.meta.dirname, '..', 'cases')

interface Case {
  readonly id: string
  /** A guarantee in plain words. */
  readonly title: string
  readonly derivation: string | readonly string[]
  readonly source: string
}

export interface FormulaCase extends Case {
  /** The formula by its name in case-formulas.ts. */
  readonly formula: string
  readonly given: unknown
  readonly expected: unknown
}

/** Emissions are decimals of a kilogram in quotes, as they are published. */
export interface ExpectedLine {
  readonly part: Part
  readonly emission: string
  readonly type: LineType
  /** Compared where it is given. */
  readonly description?: string
}

export interface OrderCase extends Case {
  readonly order: CaseOrder
  /** The file under cases/ that holds the figures. */
  readonly book: string
  readonly expected: {
    readonly items: readonly { readonly total: string; readonly lines: readonly ExpectedLine[] }[]
    readonly total: string
    readonly total_excluding_indicative: string
    /** By serial number: the parts that the device's ledger shows, and their total. */
    readonly devices: Readonly<Record<string, Readonly<Partial<Record<Part | 'total', string>>>>>
  }
}

/** The body of POST /api/customer-orders. */
export interface CaseOrder {
  readonly customer_id: string
  readonly order_id: string
  readonly order_date: string
  readonly tenure_start_date: string
  readonly country?: string
  readonly items: readonly { readonly type: Item['type']; readonly config: Readonly<Record<string, string | number>> }[]
}

/** What happens to orders and devices in turn, and what is answered of them afterwards. */
export interface HistoryCase extends Case {
  readonly book: string
  /** How the account's devices are charged; capped where it is not said. */
  readonly amortisation?: 'uncapped'
  readonly steps: readonly HistoryStep[]
}

/** An order, an event of an order or an event on a device, as a client sends it. */
export type HistoryStep = (
  | { readonly order: CaseOrder }
  | { readonly of_order: string; readonly event: CaseEvent }
  /** The content that an order should have had. */
  | { readonly corrected: CaseOrder }
  | { readonly of_device: string; readonly event: CaseEvent }
) & {
  /** The status that it is answered with. */
  readonly answer: number
  /** Where the fault is, of a step that is refused: a JSON pointer into what was sent. */
  readonly at?: string
  readonly then?: Standing
}

/** What is told of a customer, when it becomes known, and the statements that follow. */
export interface StatementCase extends Case {
  readonly book: string
  readonly customer_id: string
  readonly steps: readonly ((
    | { readonly order: CaseOrder }
    | { readonly of_order: string; readonly event: CaseEvent }
  ) & {
    readonly posted_at: string
    /** The first open day when it becomes known; none where the books are open. */
    readonly books_closed_until?: string
  })[]
  /** Compared where it is given. */
  readonly statements: readonly {
    readonly year: number
    readonly approach?: string
    readonly known_at?: string
    readonly summary: Readonly<Record<string, number>>
    readonly by_category?: Readonly<Record<string, number>>
    readonly by_month?: Readonly<Record<string, number>>
    /** Without the times of recording. */
    readonly corrections_of_earlier_years?: object
    /** Totals, by serial number. */
    readonly devices?: Readonly<Record<string, Readonly<Record<'opening' | 'year' | 'closing' | 'later', number>>>>
  }[]
}

export interface CaseEvent {
  readonly event_id: string
  readonly type: string
}

/** What stands after a step. Orders are named by their order id, devices by their serial number. */
export interface Standing {
  readonly orders?: Readonly<Record<string, StandingOrder>>
  readonly devices?: Readonly<Record<string, StandingDevice>>
}

type Parts = Readonly<Partial<Record<Part, string>>>

export interface StandingOrder {
  readonly status: string
  readonly total: string
  readonly items: readonly { readonly serial_number?: string; readonly lines: Parts }[]
}

export interface StandingDevice {
  readonly total: string
  readonly orders: Readonly<Record<string, Parts & { readonly total: string }>>
  /** Compared where it is given: the model by which the device is charged. */
  readonly match_level?: string
  /** Compared where they are given: all that was posted, in sequence. */
  readonly entries?: readonly { readonly order_id?: string; readonly reason: string; readonly total: string }[]
  /** Compared where it is given. */
  readonly balance?: Readonly<Record<string, string | boolean>>
}

/** Every file under cases/, by its path there with slashes. */
const listCaseFiles = (): readonly string[] =>
  readdirSync(CASES, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(CASES.length + 1)
        .split(sep)
        .join('/'),
    )
    .sort()

const readCase = (file: string): unknown => JSON.parse(readFileSync(join(CASES, file), 'utf8'))

const isFormulaFile = (file: string): boolean => /^formulas\/[a-z0-9-]+\.json$/.test(file)
const isHistoryFile = (file: string): boolean => /^histories\/[a-z0-9-]+\.json$/.test(file)
const isOrderFile = (file: string): boolean => /^orders\/[a-z0-9-]+\.json$/.test(file)

const isStatementFile = (file: string): boolean => /^statements\/[a-z0-9-]+\.json$/.test(file)

export const readFormulaCases = (): readonly FormulaCase[] =>
  listCaseFiles()
    .filter(isFormulaFile)
    .flatMap((file) => readCase(file) as FormulaCase[])

export const readOrderCases = (): readonly OrderCase[] =>
  listCaseFiles()
    .filter(isOrderFile)
    .map((file) => readCase(file) as OrderCase)

export const readHistoryCases = (): readonly HistoryCase[] =>
  listCaseFiles()
    .filter(isHistoryFile)
    .map((file) => readCase(file) as HistoryCase)

export const readStatementCases = (): readonly StatementCase[] =>
  listCaseFiles()
    .filter(isStatementFile)
    .map((file) => readCase(file) as StatementCase)

/** The files that are neither replayed, nor the figures of a case that is, nor the text that explains them. */
export function listStrayFiles(): readonly string[] {
  const books = [...readOrderCases(), ...readHistoryCases(), ...readStatementCases()].map(({ book }) => book)
  const known = new Set(['README.md', ...books])
  const isReplayed = (file: string) =>
    [isFormulaFile, isOrderFile, isHistoryFile, isStatementFile].some((isOfKind) => isOfKind(file))
  return listCaseFiles().filter((file) => !isReplayed(file) && !known.has(file))
}

/** A case's order as the engine takes it, read without the HTTP server's own reading. */
export const orderOf = (order: CaseOrder): Order => ({
  customerId: order.customer_id,
  orderId: order.order_id,
  orderDate: order.order_date,
  tenureStartDate: order.tenure_start_date,
  country: order.country ?? null,
  items: order.items.map(itemOf),
})

function itemOf({ type, config }: CaseOrder['items'][number]): Item {
  const text = (name: string): string => String(config[name])
  const textOrNull = (name: string): string | null => (config[name] === undefined ? null : text(name))
  switch (type) {
    case 'product':
      return {
        type,
        productId: text('product_id'),
        serialNumber: text('serial_number'),
        tenureMonths: Number(text('tenure_months')),
        weightKg: parseDecimal(text('weight_kg')),
        deviceType: DEVICE_TYPES.find((deviceType) => deviceType === config['device_type']) ?? null,
        modelId: textOrNull('model_id'),
        productName: textOrNull('product_name'),
        brand: textOrNull('brand'),
        country: textOrNull('country'),
      }
    case 'transportation':
      return {
        type,
        transportationId: text('transportation_id'),
        transportationMode: text('transportation_mode'),
        distanceKm: parseDecimal(text('distance_km')),
        weightKg: parseDecimal(text('weight_kg')),
        distanceBasis: DISTANCE_BASES.find((basis) => basis === config['distance_basis']) ?? null,
      }
    case 'packaging':
      return { type, packagingId: text('packaging_id'), weightKg: parseDecimal(text('weight_kg')) }
  }
}
