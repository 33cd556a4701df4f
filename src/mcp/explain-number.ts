// The tool explain_number: the receipt of an order as steps, each with its value, its unit and where it comes from.
import type { Json, Tool } from './tool.ts'
import { withUnits } from './units.ts'

interface Quantity {
  readonly symbol: string
  readonly value: string
  readonly unit: string
}

interface Line {
  readonly description: string
  readonly emission: string
  readonly ghg_category: string
  readonly ghg_scope: string
  readonly type: string
  readonly calculation: {
    readonly method: string
    readonly methodology: string
    readonly formula: string
    readonly inputs: readonly (Quantity & { readonly name: string; readonly from: string })[]
    readonly factors: readonly (Quantity & {
      readonly id: string
      readonly source: Json
      readonly dataset_release: string
    })[]
    readonly notes: readonly string[]
  }
}

interface Receipt {
  readonly issued: { readonly method: string }
  readonly order: { readonly dataset_release: string; readonly defaults_applied: readonly { message: string }[] }
  readonly status: string
  readonly total_emission: string
  readonly total_emission_excluding_indicative: string
  readonly items: readonly {
    readonly type: string
    readonly serial_number?: string
    readonly emission_breakdown: Readonly<Record<string, Line>>
  }[]
  readonly hash: unknown
}

const LINES_MAX = 100
const LINES_USUAL = 20
const PARTS = ['product_embodied_emission', 'product_use', 'transportation', 'packaging']

const receiptUri = (customerId: string, orderId: string): string =>
  `cradle://receipts/${encodeURIComponent(customerId)}/${encodeURIComponent(orderId)}`

export const EXPLAIN_NUMBER: Tool = {
  name: 'explain_number',
  title: 'Explain a number',
  description:
    'Explains the emissions of a stored order from its receipt: for each line the inputs, the factors with their ' +
    'publishers, and the formula with its result, as steps in sequence, and whether recomputing the order gives the ' +
    'same figures. Use it when someone asks where a number comes from, or wants evidence for it. Do not use it to ' +
    'only read a number (get_order) or to explain a sum over orders: explain the orders of that sum. Example: ' +
    '{"customer_id":"customer-17","order_id":"order-2024-1212","part":"product_embodied_emission"}. Limits: one ' +
    `order, ${LINES_USUAL} lines unless limit says more, at most ${LINES_MAX}; lines_left_off says how many ` +
    'were not listed.',
  operation: 'getReceipt',
  parameters: ['known_at'],
  ownArguments: {
    serial_number: { type: 'string', minLength: 1, maxLength: 200, description: 'Only the lines of this device.' },
    part: { type: 'string', enum: PARTS, description: 'Only the lines of this part.' },
    limit: { type: 'integer', minimum: 1, maximum: LINES_MAX, default: LINES_USUAL, description: 'Lines to explain.' },
  },
  isReadOnly: true,
  call: async (args, ask) => {
    const { customer_id, order_id, known_at, serial_number, part, limit = LINES_USUAL } = args
    const place = { path: { customer_id: String(customer_id), order_id: String(order_id) }, query: { known_at } }
    const receipt = JSON.parse((await ask('getReceipt', place)).text) as Receipt
    const verification = JSON.parse((await ask('verifyOrder', place)).text) as Json
    const lines = receipt.items.flatMap((item, place) =>
      Object.entries(item.emission_breakdown)
        .filter(([name]) => part === undefined || name === part)
        .filter(() => serial_number === undefined || item.serial_number === serial_number)
        .map(([name, line]) => ({
          item: place,
          ...(item.serial_number !== undefined && { serial_number: item.serial_number }),
          part: name,
          ...explain(line),
        })),
    )
    return {
      customer_id,
      order_id,
      status: receipt.status,
      ...(withUnits({
        total_emission: receipt.total_emission,
        total_emission_excluding_indicative: receipt.total_emission_excluding_indicative,
      }) as object),
      lines: lines.slice(0, Number(limit)),
      lines_left_off: Math.max(0, lines.length - Number(limit)),
      defaults_applied: receipt.order.defaults_applied.map(({ message }) => message),
      method_version: receipt.issued.method,
      dataset_release: receipt.order.dataset_release,
      recomputed: { outcome: verification['outcome'], difference: verification['difference'] },
      receipt: { uri: receiptUri(String(customer_id), String(order_id)), hash: receipt.hash },
    }
  },
}

/** Inputs first, then factors, then the formula that takes them: the sequence in which a person recomputes a line. */
function explain({ calculation, emission, ...line }: Line) {
  const { inputs, factors, formula, method, methodology, notes } = calculation
  const steps = [
    ...inputs.map(({ symbol, name, value, unit, from }) => ({ kind: 'input', symbol, name, value, unit, from })),
    ...factors.map(({ symbol, id, value, unit, source, dataset_release }) => ({
      kind: 'factor',
      symbol,
      id,
      value,
      unit,
      source,
      dataset_release,
    })),
    { kind: 'formula', formula, value: emission, unit: 'kgCO2e' },
  ].map((step, place) => ({ step: place + 1, ...step }))
  return {
    description: line.description,
    emission_kg_co2e: Number(emission),
    type: line.type,
    ghg_scope: line.ghg_scope,
    ghg_category: line.ghg_category,
    method,
    methodology: `cradle://methodology/${methodology.split('#')[1] ?? ''}`,
    steps,
    notes,
  }
}
