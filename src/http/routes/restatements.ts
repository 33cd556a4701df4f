// /api/restatements: previews what other figures would change in stored orders, and posts it once that is confirmed.
import type { FastifyRequest } from 'fastify'
import { schemaRef, type NamedSchema } from '../../contract/named-schema.ts'
import { unknownMembers } from '../../contract/parse-order.ts'
import type { Validate } from '../../contract/validation.ts'
import { ApiError, invalidRequest } from '../../contract/errors.ts'
import { EMISSION_UNIT } from '../../engine/numbers/emission.ts'
import { CHANGES_OF, type ChangesOf } from '../../ledger/restatement/change-rows.ts'
import type { Restatements, StoredRestatement } from '../../postgres/restatements.ts'
import { ROUTE_MESSAGES } from '../messages.ts'
import {
  IGNORED_HEADER,
  LINK,
  nextPage,
  numberCursor,
  oneOfWithDefault,
  pageLimit,
  parseQuery,
  setIgnoredHeader,
} from '../parameters.ts'
import { callerOf } from '../plugins/authentication.ts'
import type { RouteDefinition } from '../route-definition.ts'
import {
  Restatement,
  RestatementApplication,
  RestatementChanges,
  RestatementList,
  RestatementParams,
  type WireRestatement,
} from '../schemas/restatement.ts'
import { changesView, restatementView } from '../views/restatement.ts'

export interface RestatementsContext {
  readonly restatements: Restatements
  readonly wakeRestatements: () => void
  /** The id of a dataset release by its name; null if this service does not have it. */
  readonly findReleaseId: (name: string) => Promise<number | null>
  readonly validatorOf: (schema: NamedSchema) => Validate
}

const PATH = '/api/restatements'
const ONE_PATH = `${PATH}/{restatement_id}`
const ID = { restatement_id: { description: 'Number of the restatement.', example: '3' } }
/** Restatements of an account that are not applied. */
const PREVIEWS_MAX = 100
const LARGEST = 10
const LIMIT_MAX = 1000
const LIMIT_DEFAULT = 100

const EXAMPLE = {
  restatement_id: 3,
  state: 'previewed',
  scope: { tenure_start_from: '2025-01-01' },
  figures: { release: '2026.12' },
  reason: 'Newer grid intensities',
  created_at: '2026-03-02T09:00:00.000Z',
  finished_at: '2026-03-02T09:00:04.000Z',
  key: 'cradle_2TvG…T6Mp',
  orders_done: 1,
  orders_total: 1,
  orders_refused: 0,
  interruptions: 0,
  last_error: null,
  emission_unit: EMISSION_UNIT,
  preview: {
    digest: '5b1f0f6a1c0a6c1f0f3c9b4b7d3a5e0b5a9d7a2b1c3d4e5f60718293a4b5c6d7',
    counts_from: null,
    number_of_orders: 1,
    number_of_devices: 0,
    number_of_customers: 1,
    number_of_problems: 0,
    number_of_superseded_statements: 0,
    before: 38.25,
    difference: 1.5,
    bridge: { electricity: 1.5 },
    years: [{ year: 2025, difference: 1.5, bridge: { electricity: 1.5 } }],
    largest_changes: [
      {
        customer_id: 'customer-17',
        order_id: 'order-1001',
        before: 38.25,
        difference: 1.5,
        bridge: { electricity: 1.5 },
      },
    ],
  },
}
const ANSWER = { description: 'The restatement.', schema: schemaRef(Restatement), example: EXAMPLE }

export const restatementOperations = (context: RestatementsContext): readonly RouteDefinition[] => [
  listOperation(context),
  createOperation(context, context.validatorOf(RestatementParams)),
  getOperation(context),
  changesOperation(context),
  applyOperation(context, context.validatorOf(RestatementApplication)),
  deleteOperation(context),
]

const createOperation = (context: RestatementsContext, validate: Validate): RouteDefinition => ({
  id: 'createRestatement',
  method: 'POST',
  path: PATH,
  summary: 'Preview a restatement',
  description:
    'Calculates stored orders again by other figures, and stores nothing but the preview: which orders, devices, ' +
    'customers and years change, by how much, and by which cause. The response says that it is being calculated; ' +
    '`GET` returns it. Orders keep their content. Nothing is posted until the preview is applied.',
  tag: 'Restatements',
  scope: 'admin',
  query: {},
  body: {
    schema: RestatementParams,
    example: { scope: EXAMPLE.scope, figures: EXAMPLE.figures, reason: EXAMPLE.reason },
  },
  answer: {
    status: 202,
    description: 'The restatement, being previewed.',
    schema: schemaRef(Restatement),
    example: { ...EXAMPLE, state: 'previewing', finished_at: null, orders_done: 0, orders_total: 0, preview: null },
    headers: IGNORED_HEADER,
  },
  failures: ['invalid_request', 'conflict', 'too_large', 'unsupported_media_type'],
  handle: async (request, reply) => {
    parseQuery(request.query, {})
    const { problems } = validate(request.body)
    if (problems.length > 0) throw invalidRequest(problems)
    const wire = request.body as WireRestatement
    const { scope, figures, reason } = wire
    // A member that is not known counts for the schema, too.
    if (!FIGURE_MEMBERS.some((name) => Object.hasOwn(figures, name)))
      throw invalidRequest([
        { path: '/figures', ...ROUTE_MESSAGES.restatement_without_figures({ members: FIGURE_MEMBERS }) },
      ])
    setIgnoredHeader(reply, ignoredIn(wire))
    const { release } = figures
    if (release !== undefined && (await context.findReleaseId(release)) === null)
      throw invalidRequest([{ path: '/figures/release', ...ROUTE_MESSAGES.release_unknown({ release }) }])
    const { accountId, keyId } = callerOf(request)
    await checkUndo(context, accountId, figures)
    const stored = await context.restatements.create(
      accountId,
      { scope: known(scope, SCOPE_MEMBERS), figures: known(figures, FIGURE_MEMBERS), reason, keyId },
      PREVIEWS_MAX,
    )
    if (!stored) throw new ApiError('conflict', ROUTE_MESSAGES.restatements_exceeded({ max: PREVIEWS_MAX }))
    context.wakeRestatements()
    return reply.code(202).send(restatementView(stored, null))
  },
})

/** @throws ApiError unless a restatement that is to be undone was posted, completely or until it failed */
async function checkUndo(
  { restatements }: RestatementsContext,
  accountId: number,
  { before_restatement: restatementId, ...others }: WireRestatement['figures'],
): Promise<void> {
  if (restatementId === undefined) return
  const path = '/figures/before_restatement'
  if (FIGURE_MEMBERS.some((name) => Object.hasOwn(others, name)))
    throw invalidRequest([{ path, ...ROUTE_MESSAGES.undo_with_other_figures() }])
  const undone = await restatements.find({ accountId, restatementId })
  if (!undone)
    throw invalidRequest([{ path, ...ROUTE_MESSAGES.restatement_unknown({ restatement_id: String(restatementId) }) }])
  if (undone.state === 'applied' || (undone.state === 'failed' && undone.isChecked)) return
  const told = { restatement_id: restatementId, state: undone.state }
  throw new ApiError('conflict', ROUTE_MESSAGES.restatement_not_applied(told))
}

const MEMBERS = ['scope', 'figures', 'reason']
const SCOPE_MEMBERS = Object.keys(RestatementParams.properties.scope.properties)
const FIGURE_MEMBERS = Object.keys(RestatementParams.properties.figures.properties)

const ignoredIn = (wire: WireRestatement): readonly string[] => [
  ...unknownMembers(wire, MEMBERS).map((name) => `/${name}`),
  ...unknownMembers(wire.scope, SCOPE_MEMBERS).map((name) => `/scope/${name}`),
  ...unknownMembers(wire.figures, FIGURE_MEMBERS).map((name) => `/figures/${name}`),
]

const known = (sent: object, names: readonly string[]): string =>
  JSON.stringify(Object.fromEntries(Object.entries(sent).filter(([name]) => names.includes(name))))

const listOperation = ({ restatements }: RestatementsContext): RouteDefinition => ({
  id: 'listRestatements',
  method: 'GET',
  path: PATH,
  summary: 'List restatements',
  description: 'Returns the restatements of the account, the latest first. Paged through `Link`.',
  tag: 'Restatements',
  scope: 'orders:read',
  query: listParameters(0),
  answer: {
    description: 'The restatements.',
    schema: schemaRef(RestatementList),
    example: { restatements: [EXAMPLE] },
    headers: LINK,
  },
  failures: ['invalid_request'],
  handle: async (request, reply) => {
    const { accountId } = callerOf(request)
    const query = parseQuery(request.query, listParameters(accountId))
    const cursor = listCursorOf(accountId)
    const limit = Number(query['limit']?.[0] ?? LIMIT_DEFAULT)
    const found = await restatements.list(accountId, readCursor(cursor, query['cursor']), limit + 1)
    const page = found.slice(0, limit)
    if (found.length > limit) void reply.header('link', nextPage(PATH, query, cursor.write(page.at(-1)!.restatementId)))
    return reply.send({ restatements: page.map((one) => restatementView(one, null)) })
  },
})

const listCursorOf = (accountId: number) => numberCursor(['restatements', accountId])
type Cursor = ReturnType<typeof listCursorOf>

const readCursor = (cursor: Cursor, sent: readonly string[] | undefined): number | null =>
  sent ? cursor.read(sent[0]!) : null

const listParameters = (accountId: number) => ({
  limit: pageLimit('restatements', LIMIT_MAX, LIMIT_DEFAULT),
  cursor: listCursorOf(accountId).parameter,
})

const getOperation = ({ restatements }: RestatementsContext): RouteDefinition => ({
  id: 'getRestatement',
  method: 'GET',
  path: ONE_PATH,
  summary: 'Get a restatement',
  description: 'Returns how far the restatement is, and its preview as soon as that is complete.',
  tag: 'Restatements',
  scope: 'orders:read',
  pathParameters: ID,
  query: {},
  answer: ANSWER,
  failures: ['invalid_request', 'not_found'],
  handle: async (request, reply) => {
    parseQuery(request.query, {})
    const stored = await findStored(restatements, request)
    return reply.send(restatementView(stored, await restatements.largest(stored, LARGEST)))
  },
})

const changesOperation = ({ restatements }: RestatementsContext): RouteDefinition => ({
  id: 'listRestatementChanges',
  method: 'GET',
  path: `${ONE_PATH}/changes`,
  summary: 'List what a restatement changes',
  description:
    'Returns the orders that change, the years of customers that change, whose statements are superseded, the ' +
    'orders in the scope that cannot be restated, or those that could not be posted. Paged through `Link`.',
  tag: 'Restatements',
  scope: 'orders:read',
  pathParameters: ID,
  query: changesParameters(0, 0),
  answer: {
    description: 'A page of changes.',
    schema: schemaRef(RestatementChanges),
    example: { emission_unit: EMISSION_UNIT, orders: EXAMPLE.preview.largest_changes },
    headers: LINK,
  },
  failures: ['invalid_request', 'not_found'],
  handle: async (request, reply) => {
    const { accountId } = callerOf(request)
    const restatementId = idOfPath(request) ?? 0
    const query = parseQuery(request.query, changesParameters(accountId, restatementId))
    const stored = await findStored(restatements, request)
    const of = (query['of']?.[0] ?? 'orders') as ChangesOf
    const cursor = changesCursorOf(accountId, restatementId)
    const limit = Number(query['limit']?.[0] ?? LIMIT_DEFAULT)
    const found = await restatements.changes(stored, of, readCursor(cursor, query['cursor']) ?? 0, limit + 1)
    const page = found.slice(0, limit)
    const path = `${PATH}/${restatementId}/changes`
    if (found.length > limit) void reply.header('link', nextPage(path, query, cursor.write(page.at(-1)!.place)))
    return reply.send(changesView(of, stored, page))
  },
})

const changesCursorOf = (accountId: number, restatementId: number): Cursor =>
  numberCursor(['restatement-changes', accountId, restatementId])

const changesParameters = (accountId: number, restatementId: number) => ({
  of: oneOfWithDefault('What is listed.', CHANGES_OF, 'orders'),
  limit: pageLimit('changes', LIMIT_MAX, LIMIT_DEFAULT),
  cursor: changesCursorOf(accountId, restatementId).parameter,
})

const applyOperation = (context: RestatementsContext, validate: Validate): RouteDefinition => ({
  id: 'applyRestatement',
  method: 'POST',
  path: `${ONE_PATH}/apply`,
  summary: 'Apply a restatement',
  description:
    'Posts what the preview with this digest says. The preview is calculated again first: if a figure, mapping, ' +
    'order or event has changed it, nothing is posted, and the restatement is `outdated`. Each order gets a new ' +
    'revision with the same content; an order with its devices is posted completely or not at all. If the service ' +
    'ends meanwhile, it continues after the next start. Statements are refused until all orders are posted.',
  tag: 'Restatements',
  scope: 'admin',
  pathParameters: ID,
  query: {},
  body: { schema: RestatementApplication, example: { digest: EXAMPLE.preview.digest } },
  answer: { ...ANSWER, status: 202, example: { ...EXAMPLE, state: 'applying', finished_at: null } },
  failures: ['invalid_request', 'not_found', 'conflict', 'too_large', 'unsupported_media_type'],
  handle: async (request, reply) => {
    parseQuery(request.query, {})
    const { problems } = validate(request.body)
    if (problems.length > 0) throw invalidRequest(problems)
    const { digest } = request.body as { readonly digest: string }
    const stored = await findStored(context.restatements, request)
    const isAccepted = await context.restatements.requestApply(stored, digest)
    const now = await findStored(context.restatements, request)
    if (!isAccepted && !(isUnderWay(now) && now.digest === digest)) throw notApplicable(now)
    context.wakeRestatements()
    return reply.code(202).send(restatementView(now, await context.restatements.largest(now, LARGEST)))
  },
})

/** Requested twice, it is applied once. */
const isUnderWay = ({ state }: StoredRestatement): boolean => state === 'applying' || state === 'applied'

const notApplicable = ({ state, digest }: StoredRestatement): ApiError =>
  new ApiError(
    'conflict',
    state === 'previewed'
      ? ROUTE_MESSAGES.restatement_digest({ digest: digest! })
      : ROUTE_MESSAGES.restatement_state({ state }),
  )

const deleteOperation = ({ restatements }: RestatementsContext): RouteDefinition => ({
  id: 'deleteRestatement',
  method: 'DELETE',
  path: ONE_PATH,
  summary: 'Delete a preview',
  description: 'Deletes a restatement that was not applied, with its preview.',
  tag: 'Restatements',
  scope: 'admin',
  pathParameters: ID,
  query: {},
  answer: { ...ANSWER, description: 'The deleted restatement.' },
  failures: ['invalid_request', 'not_found', 'conflict'],
  handle: async (request, reply) => {
    parseQuery(request.query, {})
    const stored = await findStored(restatements, request)
    const largest = await restatements.largest(stored, LARGEST)
    if (!(await restatements.remove(stored)))
      throw new ApiError('conflict', ROUTE_MESSAGES.restatement_state({ state: stored.state }))
    return reply.send(restatementView(stored, largest))
  },
})

async function findStored(restatements: Restatements, request: FastifyRequest): Promise<StoredRestatement> {
  const restatementId = idOfPath(request)
  const { accountId } = callerOf(request)
  const stored = restatementId === null ? null : await restatements.find({ accountId, restatementId })
  if (stored) return stored
  const { restatement_id: sent } = request.params as { readonly restatement_id: string }
  throw new ApiError('not_found', ROUTE_MESSAGES.restatement_unknown({ restatement_id: sent.slice(0, 80) }))
}

/** Null for a text that no restatement has for its number. */
function idOfPath(request: FastifyRequest): number | null {
  const { restatement_id: sent } = request.params as { readonly restatement_id: string }
  return /^[1-9]\d{0,8}$/.test(sent) ? Number(sent) : null
}
