// Which statuses a sound request may get, by operation, from what its sequence knows; null where that cannot be said.
import { FIRST_DAY } from '../../src/contract/order-schema.ts'
import { orderName, type State, type Told } from './sequence-state.ts'

type Statuses = readonly number[]
type Order = { readonly customer_id: string; readonly order_id: string; readonly alternatives?: unknown }
type Target = { readonly product_id?: string; readonly model_id?: string; readonly device_type?: string }

const orderOf = ({ pathValues }: Told, { orders }: State) =>
  orders.get(orderName(pathValues['customer_id']!, pathValues['order_id']!))

/** Whether what the path names is there, as far as the sequence knows. */
export const isThere = (told: Told, state: State): boolean =>
  'import_id' in told.pathValues || 'layout' in told.pathValues || 'key_id' in told.pathValues
    ? false
    : 'order_id' in told.pathValues
      ? orderOf(told, state) !== undefined
      : !('serial' in told.pathValues)

const asOf = ({ query }: Told): Statuses => (query.includes('known_at=') ? [200, 404] : [200])

const isOneOf = ({ model_id, device_type }: Target): boolean => (model_id === undefined) !== (device_type === undefined)

/** Sequences share their accounts, so that what one of them does not know may be there. */
const OWN_FIGURES = [
  'DeviceModel',
  'Transportation',
  'Packaging',
  'Lifetime',
  'GridFactor',
  'GridMonth',
  'ResidualMixFactor',
  'GridLossShare',
  'Instrument',
].flatMap((kind) => [
  [`listOwn${kind}s`, () => [200]] as const,
  [`getOwn${kind}`, () => [200, 404]] as const,
  [`putOwn${kind}`, () => [200, 400, 409, 412]] as const,
  [`deleteOwn${kind}`, () => [200, 404, 412]] as const,
  // Some of the files that are drawn have orders, and not all are CSV.
  [`importOwn${kind}s`, () => [200, 400, 409, 415]] as const,
])

export const SOUND_ANSWERS: Readonly<Record<string, (told: Told, state: State) => Statuses>> = {
  ...Object.fromEntries(OWN_FIGURES),
  createOrder: ({ body }, { orders }) => {
    const { customer_id, order_id } = JSON.parse(body) as Order
    const known = orders.get(orderName(customer_id, order_id))
    return known === undefined || known.sent === body ? [200] : [200, 409]
  },
  createOrders: () => [200],
  createEvents: () => [200],
  listOrders: ({ query }) => (query.includes('from=') && query.includes('to=') ? [200, 400] : [200]),
  getOrder: (told, state) => (isThere(told, state) ? asOf(told) : [404]),
  getReceipt: (told, state) => (isThere(told, state) ? asOf(told) : [404]),
  verifyOrder: (told, state) => (isThere(told, state) ? asOf(told) : [404]),
  // The content drawn may be of another order than the one that the path names.
  correctOrder: (told, state) => (isThere(told, state) ? [200, 400, 409] : [400, 404]),
  createOrderEvent: (told, state) => {
    // Before an order is looked for: whether the event was told before, of whatever.
    if (!isThere(told, state)) return [400, 404, 409]
    return state.events.has(`${told.path} ${told.body}`) ? [200] : [200, 400, 409]
  },
  createDeviceEvent: (told, state) => (state.events.has(`${told.path} ${told.body}`) ? [200] : [200, 400, 404, 409]),
  listDevices: () => [200],
  // Values that are drawn mostly rise.
  getDeviceEmissions: ({ query }) => (query.includes('resale_values=') ? [200, 400] : [200]),
  // A device may have been told by an order that was refused.
  getDevicePassport: () => [200, 404],
  getDeviceEpcis: () => [200, 404],
  createEstimate: ({ body }, { orders }) => {
    const { customer_id, order_id, alternatives } = JSON.parse(body) as Order
    if (alternatives !== undefined) return [200, 400, 409]
    return orders.has(orderName(customer_id, order_id)) ? [409] : [200]
  },
  listProducts: () => [200],
  sumProducts: () => [200],
  putProductMappings: ({ body }) => {
    const targets = JSON.parse(body) as readonly Target[]
    if (targets.length === 0) return [200, 400]
    const isRight = targets.every(isOneOf) && new Set(targets.map((one) => one.product_id)).size === targets.length
    return isRight ? [200] : [400]
  },
  putProductMapping: ({ body }) => (isOneOf(JSON.parse(body) as Target) ? [200] : [400]),
  getProductMapping: ({ pathValues }, { mapped }) => (mapped.get(pathValues['product_id']!) ? [200] : [404]),
  deleteProductMapping: ({ pathValues }, { mapped }) => (mapped.get(pathValues['product_id']!) ? [200] : [404]),
  // A cursor that is drawn is of no feed.
  listEvents: ({ query }) => (query.includes('after=') ? [400] : [200]),
  listWebhooks: () => [200],
  // Texts that are drawn are hardly ever URLs, and ten webhooks are all that an account may have.
  createWebhook: () => [200, 400],
  getWebhook: () => [200, 404],
  changeWebhook: () => [200, 400, 404],
  deleteWebhook: () => [200, 404],
  rotateWebhookSecret: () => [200, 404],
  testWebhook: () => [202, 404, 409],
  listWebhookDeliveries: () => [200, 404],
  replayWebhookDelivery: () => [202, 404, 409],
  listKeys: () => [200],
  createKey: ({ body }) => {
    const { scopes, expires_at: expires } = JSON.parse(body) as {
      readonly scopes: Statuses
      readonly expires_at?: string
    }
    if (scopes.length === 0) return [400]
    return expires === undefined || Date.parse(expires) > Date.now() ? [200] : [400]
  },
  revokeKey: ({ pathValues }, { keys }) => (keys.includes(Number(pathValues['key_id'])) ? [200] : [404]),
  listPactClients: () => [200],
  // The service of the fuzz test does not serve PACT.
  createPactClient: () => [409],
  revokePactClient: () => [404],
  getAccount: () => [200],
  putAccount: () => [200],
  getPeriods: () => [200],
  listCorrectedYears: () => [200],
  closePeriods: ({ body }) => {
    const { closed_until: day, reason } = JSON.parse(body) as { closed_until: string | null; reason?: string }
    if (day !== null && (day < FIRST_DAY || day > new Date().toISOString().slice(0, 10))) return [400]
    // Without a reason, closed days are not reopened.
    return reason === undefined ? [200, 400] : [200]
  },
  // A file may be on its way.
  pseudonymiseCustomer: () => [200, 404, 409],
  matchProduct: ({ query }) => (/product_(name|id)=/.test(query) ? [200] : [400]),
  // A comma in a brand parts it into two, of which one may be empty.
  listDeviceModels: ({ query }) => (query.includes('brand=') ? [200, 400] : [200]),
  getDeviceModel: () => [200],
  listTransportations: () => [200],
  listPackagings: () => [200],
  listDatasetReleases: () => [200],
  // A drawn text is hardly ever the id of a release.
  listReleaseChanges: () => [200, 400, 404],
  getLiveness: () => [200],
  getReadiness: () => [200],
}
