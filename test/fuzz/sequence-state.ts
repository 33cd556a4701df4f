// What a sequence knows to be there, from what it was answered: enough to say what the next answer has to be.
import type { WireOrder } from '../../src/contract/order-schema.ts'
import type { Answer } from '../raw-http.ts'

export interface KnownOrder {
  readonly customerId: string
  readonly orderId: string
  /** What was sent, and the whole of its first answer. */
  readonly sent: string
  readonly query: string
  readonly answered: string
  readonly tenureStart: string
  readonly serials: readonly string[]
}

export interface State {
  /** What all ids of the sequence begin with. */
  readonly name: string
  readonly orders: Map<string, KnownOrder>
  /** Product ids: true once mapped, false once that was taken back. */
  readonly mapped: Map<string, boolean>
  /** Names of import profiles: true if it is there, false once it was deleted. */
  readonly profiles: Map<string, boolean>
  /** Path and body of each event that was accepted. */
  readonly events: Set<string>
  readonly imports: number[]
  /** Paths of the account's own figures that are there. */
  readonly figures: Set<string>
  /** Numbers of restatements, each with the digest of its preview once that was seen. */
  readonly restatements: Map<number, string | null>
  /** Ids of dataset releases. */
  readonly releases: Set<string>
  /** Numbers of the keys that were made. */
  readonly keys: number[]
  /** Paths of further pages, with the operation that they belong to. */
  readonly pages: { readonly operationId: string; readonly path: string }[]
}

export interface Told {
  readonly operationId: string
  readonly path: string
  readonly pathValues: Readonly<Record<string, string>>
  readonly query: string
  readonly body: string
  /** What is uploaded, in place of a body. */
  readonly file: { readonly type: string; readonly bytes: Buffer } | null
}

export const newState = (name: string): State => ({
  name,
  orders: new Map(),
  mapped: new Map(),
  profiles: new Map(),
  events: new Set(),
  imports: [],
  figures: new Set(),
  restatements: new Map(),
  releases: new Set(),
  keys: [],
  pages: [],
})

export const orderName = (customerId: string, orderId: string): string => `${customerId}\n${orderId}`

/** Takes in what was accepted under the account's own key. */
export function remember(state: State, { operationId, path, query, body }: Told, { status, headers, text }: Answer) {
  if (status !== 200 && status !== 202) return
  const link = /^<([^>]+)>; rel="next"$/.exec(String(headers['link'] ?? ''))?.[1]
  if (link !== undefined) state.pages.push({ operationId, path: link })
  if (/^putOwn/.test(operationId)) state.figures.add(path)
  if (/^deleteOwn/.test(operationId)) state.figures.delete(path)
  switch (operationId) {
    case 'createRestatement':
    case 'getRestatement':
      return rememberRestatement(state, JSON.parse(text) as Restatement)
    case 'deleteRestatement':
      return void state.restatements.delete((JSON.parse(text) as Restatement).restatement_id)
    case 'listDatasetReleases':
      for (const { id } of (JSON.parse(text) as Releases).dataset_releases) state.releases.add(id)
      return
    case 'createOrder':
      return rememberOrder(state, JSON.parse(body) as WireOrder, { sent: body, query, answered: text })
    case 'createOrders':
      return rememberBatch(state, body, text)
    case 'createOrderEvent':
    case 'createDeviceEvent':
      return void state.events.add(`${path} ${body}`)
    case 'pseudonymiseCustomer':
      return forgetCustomer(state, path, text)
    case 'createImport':
      return void state.imports.push((JSON.parse(text) as { readonly import_id: number }).import_id)
    case 'createKey':
      return void state.keys.push((JSON.parse(text) as { readonly key_id: number }).key_id)
    case 'putImportProfile':
    case 'deleteImportProfile':
      return void state.profiles.set(
        (JSON.parse(text) as { readonly name: string }).name,
        operationId === 'putImportProfile',
      )
    case 'putProductMapping':
    case 'putProductMappings':
    case 'deleteProductMapping':
      // As answered, since ids are normalised.
      for (const { product_id } of [JSON.parse(text) as Mapping | readonly Mapping[]].flat())
        state.mapped.set(product_id, operationId !== 'deleteProductMapping')
  }
}

/** Its orders are under ids that the sequence does not know, and so may be the devices of events. */
function forgetCustomer({ orders, events }: State, path: string, answered: string): void {
  if ((JSON.parse(answered) as { readonly is_preview: boolean }).is_preview) return
  const customerId = decodeURIComponent(path.split('/')[3]!).trim()
  for (const [name, order] of orders) if (order.customerId === customerId) orders.delete(name)
  events.clear()
}

interface Restatement {
  readonly restatement_id: number
  readonly preview: { readonly digest: string } | null
}

const rememberRestatement = ({ restatements }: State, { restatement_id: id, preview }: Restatement): void =>
  void restatements.set(id, preview?.digest ?? null)

interface Releases {
  readonly dataset_releases: readonly { readonly id: string }[]
}

interface Mapping {
  readonly product_id: string
}

/** What an order of a batch would be answered alone is not known. */
function rememberBatch(state: State, body: string, answered: string): void {
  const { orders } = JSON.parse(body) as { readonly orders: readonly WireOrder[] }
  const { results } = JSON.parse(answered) as { readonly results: readonly { readonly status: number }[] }
  const sound = orders.filter((_, at) => results[at]!.status === 200)
  for (const order of sound) rememberOrder(state, order, { sent: '', query: '', answered: '' })
}

function rememberOrder(
  { orders }: State,
  { customer_id, order_id, tenure_start_date, items }: WireOrder,
  said: Pick<KnownOrder, 'sent' | 'query' | 'answered'>,
): void {
  const name = orderName(customer_id, order_id)
  if (orders.has(name)) return
  // An optional member that is null counts as absent.
  const serials = (items ?? []).flatMap((item) => (item.type === 'product' ? [item.config.serial_number] : []))
  orders.set(name, {
    customerId: customer_id,
    orderId: order_id,
    ...said,
    tenureStart: tenure_start_date,
    serials,
  })
}
