// The tools about orders: estimate, create, read.
import type { Arguments, Tool } from './tool.ts'
import { withUnits } from './units.ts'
import type { ApiAnswer } from './api.ts'

const EXAMPLE_ORDER =
  '{"customer_id":"customer-17","order_id":"order-2024-1212","order_date":"2024-12-12","tenure_start_date":' +
  '"2025-01-01","items":[{"type":"product","config":{"product_id":"apple-macbook-air-13-m3-256gb","serial_number":' +
  '"C02XL0AAJGH5","tenure_months":3,"weight_kg":1.24}}]}'
const ORDER_LIMITS = 'Limits: 1000 items, 1 MiB. Members that are not in the schema are listed in `ignored_members`.'

/** The body of a response, with the members of the request that the service ignored. */
function contentOf({ headers, text }: ApiAnswer): object {
  const ignored = headers['x-ignored-members']
  return {
    ...(withUnits(JSON.parse(text)) as object),
    ...(typeof ignored === 'string' && { ignored_members: ignored.split(', ').map(decodeURIComponent) }),
  }
}

const placeOf = ({ customer_id, order_id }: Arguments) => ({
  customer_id: String(customer_id),
  order_id: String(order_id),
})

export const ORDER_TOOLS: readonly Tool[] = [
  {
    name: 'estimate_order',
    title: 'Estimate an order',
    description:
      'Estimates the emissions of a device-rental order, and of alternatives to it (another tenure, transport or ' +
      'refurbished devices), without storing anything. Use it for offers and what-if questions. Do not use it for an ' +
      'order that is already stored (that is a conflict; use get_order), nor to record an order (create_order). ' +
      `Example: ${EXAMPLE_ORDER}. ${ORDER_LIMITS} At most 20 alternatives.`,
    operation: 'createEstimate',
    isReadOnly: true,
    call: async (args, ask) => contentOf(await ask('createEstimate', { body: args })),
  },
  {
    name: 'create_order',
    title: 'Create an order',
    description:
      'Stores a device-rental order and posts its emissions to the ledgers of its devices. Use it only when the user ' +
      'wants the order recorded; it cannot be deleted afterwards. Do not use it to try something out: estimate_order ' +
      'stores nothing. The same order sent again is stored once (`is_repetition` true); other content under the same ' +
      `ids is a conflict. Read \`warnings\` in the result. Example: ${EXAMPLE_ORDER}. ${ORDER_LIMITS}`,
    operation: 'createOrder',
    isReadOnly: false,
    call: async (args, ask) => {
      const answer = await ask('createOrder', { body: args })
      return { ...contentOf(answer), is_repetition: answer.headers['idempotent-replayed'] === 'true' }
    },
  },
  {
    name: 'get_order',
    title: 'Get an order',
    description:
      'Returns the current emissions of one stored order, line by line, or with known_at those known at that time. ' +
      'Use it when both ids are known. Do not use it for totals over orders (report_emissions), for why a number is ' +
      'what it is (explain_number), or for a device (get_device_ledger). Example: {"customer_id":"customer-17",' +
      '"order_id":"order-2024-1212","include":["events"]}. Limits: one order; add `entries` or `events` only when ' +
      'corrections matter.',
    operation: 'getOrder',
    parameters: ['known_at'],
    ownArguments: {
      include: {
        type: 'array',
        items: { type: 'string', enum: ['entries', 'events', 'metadata'] },
        maxItems: 3,
        description: 'Members to add: all posted entries, all recorded events, the metadata of the order.',
      },
    },
    isReadOnly: true,
    call: async (args, ask) =>
      contentOf(
        await ask('getOrder', { path: placeOf(args), query: { include: args['include'], known_at: args['known_at'] } }),
      ),
  },
]
