// What a sequence knows to be there, from what it was answered: enough to say what the next answer has to be.
import type { Answer } from '../exchange.ts'

export interface KnownOrder {
  readonly customerId: string
  readonly orderId: string
  /** What was sent, and the whole of its first answer. */
  readonly sent: string
  readonly query: string
  readonly answered: string
}

export interface State {
  /** What all ids of the sequence begin with. */
  readonly name: string
  readonly orders: Map<string, KnownOrder>
  /** Product ids: true once mapped, false once that was taken back. */
  readonly mapped: Map<string, boolean>
  /** Path and body of each event that was accepted. */
  readonly events: Set<string>
  /** Paths of further pages, with the operation that they belong to. */
  readonly pages: { readonly operationId: string; readonly path: string }[]
}

export interface Told {
  readonly operationId: string
  readonly path: string
  readonly pathValues: Readonly<Record<string, string>>
  readonly query: string
  readonly body: string
}

export const newState = (name: string): State => ({
  name,
  orders: new Map(),
  mapped: new Map(),
  events: new Set(),
  pages: [],
})

export const orderName = (customerId: string, orderId: string): string => `${customerId}\n${orderId}`

/** Takes in what was accepted under the account's own key. */
export function remember(state: State, { operationId, path, pathValues, query, body }: Told, answer: Answer): void {
  if (answer.status !== 200) return
  const link = /^<([^>]+)>; rel="next"$/.exec(String(answer.headers['link'] ?? ''))?.[1]
  if (link !== undefined) state.pages.push({ operationId, path: link })
  const sent = parse(body)
  switch (operationId) {
    case 'createOrder': {
      const { customer_id, order_id } = sent as { readonly customer_id: string; readonly order_id: string }
      const name = orderName(customer_id, order_id)
      if (state.orders.has(name)) return
      const known = { customerId: customer_id, orderId: order_id, sent: body, query, answered: answer.text }
      return void state.orders.set(name, known)
    }
    case 'createOrderEvent':
    case 'createDeviceEvent':
      return void state.events.add(`${path} ${body}`)
    case 'putProductMapping':
    case 'deleteProductMapping':
      return void state.mapped.set(pathValues['product_id']!, operationId === 'putProductMapping')
    case 'putProductMappings':
      for (const { product_id } of sent as readonly { readonly product_id: string }[])
        state.mapped.set(product_id, true)
  }
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}
