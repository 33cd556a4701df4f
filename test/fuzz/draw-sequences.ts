// Draws sequences of requests from the document: each sound by its schemas, with a twist that is still to be applied.
import fc from 'fast-check'
import type { Json, OpenApi } from '../document-check.ts'
import type { Operation } from './documented-operations.ts'
import { valueOf, type Names } from './valid-value.ts'

/** How a sound request is spoiled, or what becomes of it. */
export const TWISTS = {
  none: 40,
  brokenBody: 14,
  injectedText: 6,
  stranger: 3,
  bytes: 8,
  brokenQuery: 6,
  brokenPath: 4,
  pathEnding: 4,
  noKey: 2,
  wrongKey: 1,
  narrowKey: 2,
  foreignKey: 6,
  notAcceptable: 1,
  wrongType: 1,
  otherMethod: 2,
  hugeHeader: 0.2,
  hugeBody: 0.1,
} as const
export type Twist = keyof typeof TWISTS

export interface Step {
  readonly operation: Operation
  readonly path: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, unknown>>
  readonly body: unknown
  readonly twist: Twist
  /** For what is chosen at the time of sending. */
  readonly seed: number
}

export type Sequence = readonly Step[]

/** What ids of our own begin with, until the sequence puts its own name in its place. */
export const OWN = '\u00a7'
const FIRST = 'createOrder'
const STEPS_MAX = 11
/** Orders are what the others need; lists cost more than all others. */
const WEIGHTS: Readonly<Record<string, number>> = {
  // Of so many parameters that few questions are sound; but where all cores are busy, others go before whoever asks.
  reportEmissions: 4,
  // A key is revoked that was made before.
  createKey: 8,
  revokeKey: 12,
  createOrder: 8,
  // Few bodies that are drawn are of the order that the path names.
  correctOrder: 8,
  createOrderEvent: 8,
  createDeviceEvent: 5,
  createOrders: 3,
  createEvents: 3,
  getOrder: 4,
  getDeviceEmissions: 4,
  // Of what is drawn, few changes have the members of their type.
  computeScenario: 3,
  // Few queries that are drawn have no share, or one with its source.
  getImpact: 10,
  putProductMapping: 8,
  deleteProductMapping: 8,
  getProductMapping: 14,
  // A profile is asked for that was put before.
  putImportProfile: 8,
  getImportProfile: 6,
  deleteImportProfile: 8,
  // Most of what is asked of imports needs one.
  createImport: 11,
  getImport: 4,
  listImportErrors: 6,
  getRejectedRows: 7,
  groupImportErrors: 4,
  undoImport: 9,
  listTransportations: 1,
  // Refused whenever they are drawn, apart from the lists.
  listWebhooks: 1,
  createWebhook: 1,
  getWebhook: 1,
  changeWebhook: 1,
  deleteWebhook: 1,
  rotateWebhookSecret: 1,
  testWebhook: 1,
  listWebhookDeliveries: 1,
  replayWebhookDelivery: 1,
  listPactClients: 1,
  createPactClient: 1,
  revokePactClient: 1,
  listPackagings: 1,
  // Two of these after each other: what the first one makes or lists.
  listDatasetReleases: 5,
  listReleaseChanges: 5,
  createRestatement: 8,
  getRestatement: 9,
  listRestatementChanges: 10,
  applyRestatement: 12,
  deleteRestatement: 10,
}
const USUAL_WEIGHT = 2

/** What the lists of the service name; the document says of members of an order that they are one of those. */
export interface Listed {
  readonly transportations: readonly { readonly id: string; readonly mode: string }[]
  readonly packagings: readonly string[]
  readonly models: readonly string[]
}

export const drawSequences = (arbitrary: fc.Arbitrary<Sequence>, seed: number, count: number): readonly Sequence[] =>
  fc.sample(arbitrary, { seed, numRuns: count })

export function sequenceArbitrary(
  document: OpenApi,
  operations: readonly Operation[],
  listed: Listed,
): fc.Arbitrary<Sequence> {
  const first = stepOf(
    operations.find(({ id }) => id === FIRST)!,
    document,
    listed,
  )
  const any = fc.oneof(
    ...operations.map((operation) => ({
      arbitrary: stepOf(operation, document, listed),
      weight: WEIGHTS[operation.id] ?? USUAL_WEIGHT,
    })),
  )
  return fc
    .tuple(first, fc.array(any, { minLength: 1, maxLength: STEPS_MAX, size: 'max' }))
    .map(([created, steps]) => [{ ...created, twist: 'none' }, ...steps])
}

const twist = (): fc.Arbitrary<Twist> =>
  fc.oneof(
    ...Object.entries(TWISTS).map(([name, weight]) => ({
      arbitrary: fc.constant(name as Twist),
      weight: weight * 10,
    })),
  )

function stepOf(operation: Operation, document: OpenApi, listed: Listed): fc.Arbitrary<Step> {
  const names = namesOf(operation, listed)
  const { body } = operation
  return fc
    .record(
      {
        operation: fc.constant(operation),
        path: parametersOf(operation, 'path', document, names) as fc.Arbitrary<Record<string, string>>,
        query: parametersOf(operation, 'query', document, names),
        body: body === null ? fc.constant(undefined) : valueOf(body, document, names),
        twist: twist(),
        seed: fc.nat(),
      },
      { noNullPrototype: true },
    )
    .map((step) => ({ ...step, body: mend(step, listed) }))
}

function parametersOf({ parameters }: Operation, where: string, document: OpenApi, names: Names) {
  const those = parameters.filter((parameter) => parameter.in === where && parameter.name !== 'cursor')
  const members = those.map(({ name, schema }) => [name, names[name] ?? valueOf(schema, document, names)] as const)
  return fc.record(Object.fromEntries(members), {
    requiredKeys: where === 'path' ? those.map(({ name }) => name) : [],
    noNullPrototype: true,
  })
}

/** A few ids for each kind of thing, so that steps of one sequence often mean the same one. */
const own = (letter: string, count: number): fc.Arbitrary<string> =>
  fc.nat(count - 1).map((number) => `${OWN}${letter}${number}`)

function namesOf({ id, parameters }: Operation, { transportations, packagings, models }: Listed): Names {
  const serial = own('s', 3)
  const model = fc.constantFrom(...models)
  const transportIds = transportations.map((one) => one.id)
  return {
    customer_id: own('c', 2),
    order_id: own('o', 3),
    event_id: own('e', 6),
    serial,
    serial_number: serial,
    new_serial_number: serial,
    product_id: fc.oneof(own('p', 3), model),
    // None that the sequence lives by.
    key_id: fc.constantFrom('0', '2147483647', 'none'),
    ...(/Product/.test(id) && { product_id: own('p', 3) }),
    id: id === 'getDeviceModel' ? model : isOfOwnFigures(id) ? exampleOf(parameters) : serial,
    model_id: model,
    transportation_id: fc.constantFrom(...transportIds),
    packaging_id: fc.constantFrom(...packagings),
    ...(id === 'createEstimate' && {
      from: fc.constantFrom(...transportIds, 'air', 'road'),
      to: fc.constantFrom(...transportIds),
    }),
    dataset_release: fc.constant('latest'),
    country: fc.constantFrom('DE', 'FR', 'US', 'PL', 'SE'),
    // What more rows would only repeat costs the time of many other requests.
    limit: fc.integer({ min: 1, max: 8 }),
  }
}

const isOfOwnFigures = (id: string): boolean => /^(get|put|delete)Own/.test(id)

/** Few ids are possible, and each of few types or countries is one. */
const exampleOf = (parameters: Operation['parameters']): fc.Arbitrary<unknown> =>
  fc.constantFrom(...parameters.filter(({ name }) => name === 'id').map(({ example }) => example))

/** What the schemas cannot say: most of what is drawn is to get further than to its refusal. */
function mend({ operation, body, seed }: Step, listed: Listed): unknown {
  if (operation.id.startsWith('putProductMapping') && seed % 8 > 0)
    return Array.isArray(body) ? body.map(withOneTarget) : withOneTarget(body)
  // Drawn figures hardly ever agree with each other, and drawn names are of no release or product.
  if (/^putOwn/.test(operation.id) && seed % 8 > 0) return operation.example
  if (operation.id === 'createRestatement' && seed % 8 > 0)
    return { scope: {}, figures: { mappings: 'current' }, reason: 'Mapped since' }
  if (operation.id === 'computeScenario' && seed % 8 > 0) return { changes: [scenarioChange(seed, listed)] }
  return operation.id === 'createOrders'
    ? { orders: (body as { readonly orders: readonly unknown[] }).orders.map((order) => withOwnModes(order, listed)) }
    : withOwnModes(body, listed)
}

/** Each type of change has members of its own. */
function scenarioChange(seed: number, { transportations, packagings, models }: Listed): Json {
  const one = <Name>(names: readonly Name[]): Name => names[seed % names.length]!
  const changes: readonly Json[] = [
    { type: 'tenure', months: 1 + (seed % 24) },
    { type: 'transportation', from: one(['road', 'air']), to: one(transportations).id },
    { type: 'packaging', to: one(packagings) },
    { type: 'model', from: one(models), to: models[(seed + 1) % models.length]! },
    { type: 'electricity', factor_kg_co2e_per_kwh: (seed % 9) / 8 },
  ]
  return changes[seed % changes.length]!
}

/** A product is a model, or a device of a type. */
function withOneTarget(mapping: unknown): unknown {
  const { device_type, ...rest } = mapping as Json
  return 'model_id' in rest ? rest : { ...rest, device_type: device_type ?? 'laptop' }
}

/** A mode belongs to its transportation, and no distance basis to every one. */
function withOwnModes(body: unknown, { transportations }: Listed): unknown {
  const { items } = (body ?? {}) as { readonly items?: readonly { readonly type: string; readonly config: Json }[] }
  if (!items) return body
  const modes = new Map(transportations.map(({ id, mode }) => [id, mode]))
  const mended = items.map(({ type, config }) =>
    type === 'transportation'
      ? {
          type,
          config: {
            ...config,
            transportation_mode: modes.get(String(config['transportation_id'])),
            ...('distance_basis' in config && { distance_basis: 'actual' }),
          },
        }
      : { type, config },
  )
  return { ...(body as object), items: ownSerials(mended) }
}

/** A device stands once in an order. */
const ownSerials = (items: readonly { readonly type: string; readonly config: Json }[]) =>
  items.filter(
    ({ config }, at) =>
      config['serial_number'] === undefined ||
      items.findIndex((other) => other.config['serial_number'] === config['serial_number']) === at,
  )
