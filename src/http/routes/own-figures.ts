// /api/device-models and others: an account's own figures, which are looked up before the catalogue's.
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import { ApiError, invalidRequest } from '../../contract/errors.ts'
import { readEmberTable } from '../../contract/ember-table.ts'
import { FIGURE_MESSAGES } from '../../contract/messages.ts'
import { schemaRef, type NamedSchema } from '../../contract/named-schema.ts'
import { OWN_FIGURE_SCHEMAS } from '../../contract/own-figure-schema.ts'
import { isCompared, type UnexplainedJump } from '../../engine/electricity/figure-reasons.ts'
import { isInventoryKind } from '../../engine/electricity/inventory-figures.ts'
import {
  validateFigureId,
  figureProblems,
  normaliseFigure,
  parseFigureTable,
  type FigureChecks,
  type ParsedFigures,
} from '../../contract/parse-figures.ts'
import type { Validate } from '../../contract/validation.ts'
import { PROBLEMS_MAX } from '../../engine/validate-order.ts'
import type { ReferenceData } from '../../engine/reference/reference-data.ts'
import type { Scope } from '../../postgres/accounts.ts'
import type { AccountFigures, MayReplace, PutFigures, PutRules, StoredFigure } from '../../postgres/account-figures.ts'
import { readTable, type Table } from '../../spreadsheets/read-table.ts'
import { wrongMediaType } from '../errors.ts'
import { flag, isSet, parseQuery, repeatedText } from '../parameters.ts'
import { callerOf } from '../plugins/authentication.ts'
import { IF_MATCH, tagsIn } from '../plugins/if-match.ts'
import type { RouteDefinition } from '../route-definition.ts'
import { StoredFigures } from '../schemas/own-figure.ts'
import { FIGURE_PATHS, type FigurePath } from './own-figure-paths.ts'

export interface FiguresContext {
  readonly figures: AccountFigures
  /** Lets the account's next order use its figures of this version. */
  readonly noteFigures: (accountId: number, figuresVersion: number) => void
  /** Says which countries there are. */
  readonly referenceData: ReferenceData
  readonly ownFiguresMax: number
  /** The ISO 3166-1 alpha-2 code for an alpha-3 code; null if there is none. */
  readonly alpha2Of: (alpha3: string) => string | null
  readonly validatorOf: (schema: NamedSchema) => Validate
}

export const ownFigureOperations = (context: FiguresContext): readonly RouteDefinition[] =>
  FIGURE_PATHS.flatMap((at) => [
    listOperation(context, at),
    importOperation(context, at),
    getOperation(context, at),
    putOperation(context, at),
    deleteOperation(context, at),
  ])

const isOfInventory = ({ kind }: FigurePath): boolean => isInventoryKind(kind)

/** Instruments name customers, which readers of the catalogue need not know. */
const readScopeOf = ({ kind }: FigurePath): Scope => (kind === 'instrument' ? 'orders:read' : 'catalogue:read')

const userOf = (at: FigurePath): string => (isOfInventory(at) ? 'the inventory of electricity uses' : 'new orders use')

const effectOf = (at: FigurePath): string =>
  isOfInventory(at)
    ? 'with which inventories of electricity are calculated from then on; no order is'
    : 'which only later orders use; stored orders keep theirs'

const columnsOf = (at: FigurePath): string =>
  at.file === null
    ? 'The columns are the members of the figure and those of its id.' + (at.otherFile ?? '')
    : `The columns are those of \`${at.file}\` in the catalogue. Columns that are optional there are optional here.`

/** What the values of a kind are compared with. */
const comparedWith = ({ kind }: FigurePath): string =>
  kind === 'grid-month'
    ? 'from the one that it replaces, or from those of the same month a year before and of the month before'
    : 'from the one that it replaces, or from that of the year before'

/** Where an account's own figures are listed alone. */
const listPathOf = ({ path, ownPath }: FigurePath): string => ownPath ?? path

const ETAG = { ETag: 'The version, for If-Match.' }
const IF_MATCH_HEADER = {
  description:
    'The ETag of the figure as it was read, or `*`: stores a new version of it. Without it, a figure that is stored ' +
    'with other content is not replaced (409).',
  isRequired: false,
  example: '"1"',
}

const exampleOf = ({ id, example }: FigurePath) => ({
  id,
  version: 1,
  origin: 'account',
  created_at: '2026-01-31T10:00:00.000Z',
  ...example,
})

const answerOf = (at: FigurePath, description: string) => ({
  description,
  schema: schemaRef(at.schema),
  example: exampleOf(at),
  headers: ETAG,
})

const listOperation = ({ figures }: FiguresContext, at: FigurePath): RouteDefinition => ({
  id: `list${at.name}s`,
  method: 'GET',
  path: listPathOf(at),
  summary: `List own ${at.plural}`,
  description: `Returns all ${at.plural} of the account's own, by id, each in the version that ${userOf(at)}.`,
  tag: 'Catalogue',
  scope: readScopeOf(at),
  query: {},
  answer: {
    description: `The ${at.plural}.`,
    schema: Type.Array(schemaRef(at.schema)),
    example: [exampleOf(at)],
  },
  failures: ['invalid_request'],
  handle: async (request, reply) => {
    parseQuery(request.query, {})
    return reply.send((await figures.list(callerOf(request).accountId, at.kind)).map(figureView))
  },
})

const getOperation = (context: FiguresContext, at: FigurePath): RouteDefinition => ({
  id: `get${at.name}`,
  method: 'GET',
  path: `${at.path}/{id}`,
  summary: `Get an own ${at.singular}`,
  description: `Returns one ${at.singular} of the account's own in the version that ${userOf(at)}.`,
  tag: 'Catalogue',
  scope: readScopeOf(at),
  pathParameters: { id: { description: at.idDescription, example: at.id } },
  query: {},
  answer: answerOf(at, `The ${at.singular}.`),
  failures: ['invalid_request', 'not_found'],
  handle: async (request, reply) => {
    parseQuery(request.query, {})
    const id = possibleId(context, at, request)
    const found = await context.figures.find(callerOf(request).accountId, at.kind, id)
    if (found) return sendFigure(reply, found)
    throw unknownFigure(id)
  },
})

const putOperation = (context: FiguresContext, at: FigurePath): RouteDefinition => ({
  id: `put${at.name}`,
  method: 'PUT',
  path: `${at.path}/{id}`,
  summary: `Store an own ${at.singular}`,
  description:
    `Stores a ${at.singular} of the account's own. ${at.use} Different content needs \`If-Match\` and is stored as a ` +
    `new version, ${effectOf(at)}. The same content again changes nothing. No other account sees it.` +
    (isCompared(at.kind)
      ? ` Without a reason, it is refused if its value differs by more than 20 % ${comparedWith(at)}.`
      : ''),
  tag: 'Catalogue',
  scope: 'admin',
  pathParameters: { id: { description: at.idDescription, example: at.id } },
  query: {},
  requestHeaders: { [IF_MATCH]: IF_MATCH_HEADER },
  body: { schema: OWN_FIGURE_SCHEMAS[at.kind], example: at.example },
  answer: answerOf(at, `The stored ${at.singular}.`),
  failures: ['invalid_request', 'conflict', 'precondition_failed', 'too_large', 'unsupported_media_type'],
  handle: async (request, reply) => {
    parseQuery(request.query, {})
    const id = idOf(request)
    const fault = validateFigureId(at.kind, id, context.referenceData)
    const problems = [
      ...(fault ? [{ path: '', ...fault }] : []),
      ...figureProblems(at.kind, request.body ?? {}, checksOf(context, at)),
    ]
    if (problems.length > 0) throw invalidRequest(problems.slice(0, PROBLEMS_MAX))
    const body = normaliseFigure(at.kind, request.body as StoredFigure['body'])
    const rules = { mayReplace: replacedIn(request, id), reason: null }
    const { stored } = await put(context, request, at, [{ id, body }], rules)
    return sendFigure(reply, stored[0]!)
  },
})

const deleteOperation = (context: FiguresContext, at: FigurePath): RouteDefinition => ({
  id: `delete${at.name}`,
  method: 'DELETE',
  path: `${at.path}/{id}`,
  summary: `Withdraw an own ${at.singular}`,
  description: isOfInventory(at)
    ? 'Inventories of electricity do without it from then on, whatever their year.'
    : 'Later orders do without it. Orders that were made with it keep it, and so do their receipts.',
  tag: 'Catalogue',
  scope: 'admin',
  pathParameters: { id: { description: at.idDescription, example: at.id } },
  query: {},
  requestHeaders: { [IF_MATCH]: { ...IF_MATCH_HEADER, description: 'The ETag of the figure as it was read, or `*`.' } },
  answer: answerOf(at, `The withdrawn ${at.singular}.`),
  failures: ['invalid_request', 'not_found', 'precondition_failed'],
  handle: async (request, reply) => {
    parseQuery(request.query, {})
    const id = possibleId(context, at, request)
    const { accountId, keyId } = callerOf(request)
    const mayReplace: MayReplace = request.headers['if-match'] === undefined ? () => true : replacedIn(request, id)
    const removed = await context.figures.remove({ accountId, keyId, kind: at.kind }, id, mayReplace)
    if (!removed.ok) throw removed.stored ? changedMeanwhile(id, removed.stored) : unknownFigure(id)
    if (removed.figuresVersion !== null) context.noteFigures(accountId, removed.figuresVersion)
    return sendFigure(reply, removed.removed)
  },
})

const CSV = 'text/csv'
const IMPORT_QUERY = {
  new_versions: flag('true: store new versions of figures that are stored with different content.'),
}
const REASON_QUERY = {
  reason: repeatedText('Why figures of the file differ by more than 20 %: stored with those that need a reason alone.'),
}
const importQueryOf = ({ kind }: FigurePath) => ({ ...IMPORT_QUERY, ...(isCompared(kind) && REASON_QUERY) })
const MIB = 2 ** 20
const TABLE_MIB_MAX = 4

const importOperation = (context: FiguresContext, at: FigurePath): RouteDefinition => ({
  id: `import${at.name}s`,
  method: 'POST',
  path: at.path,
  summary: `Store own ${at.plural} from a CSV file`,
  description:
    `Stores all rows or none. ${columnsOf(at)} If a row is faulty, the faults of all rows are reported: their paths ` +
    'begin with the line. Figures that the file does not name do not change. If the file has different content for a ' +
    'stored figure, it is refused unless you send `new_versions=true`.' +
    (isCompared(at.kind) ? ` So are values that differ by more than 20 % ${comparedWith(at)}, without a reason.` : ''),
  tag: 'Catalogue',
  scope: 'admin',
  query: importQueryOf(at),
  upload: { types: [CSV], description: `A CSV file in UTF-8 of at most ${TABLE_MIB_MAX} MiB, with a header.` },
  answer: {
    description: 'How many were stored.',
    schema: schemaRef(StoredFigures),
    example: { number_of_figures: 12, number_of_changes: 3 },
  },
  failures: ['invalid_request', 'conflict', 'too_large', 'unsupported_media_type'],
  handle: async (request, reply) => {
    const query = parseQuery(request.query, importQueryOf(at))
    // A file of another type is no table either.
    if (!(request.body instanceof Readable)) throw wrongMediaType(request)
    const table = await tableIn(request.body)
    const read = table && parseTable(context, at, table)
    if (!read) throw invalidRequest([{ path: '', ...FIGURE_MESSAGES.figure_table_unreadable({ max: TABLE_MIB_MAX }) }])
    if (!read.ok) throw invalidRequest(read.problems)
    const hasNewVersions = isSet(query, 'new_versions')
    const mayReplace: MayReplace = (one) => one === null || hasNewVersions
    const stored = await put(context, request, at, read.figures, { mayReplace, reason: query['reason']?.[0] ?? null })
    return reply.send({ number_of_figures: read.figures.length, number_of_changes: stored.changes })
  },
})

/** A file of Ember is read by its own columns. */
function parseTable(context: FiguresContext, at: FigurePath, table: Table): ParsedFigures {
  const published = at.kind === 'grid-month' ? readEmberTable(table, context.alpha2Of) : null
  if (published?.ok === false) return published
  const { header, rows } = published?.table ?? table
  return parseFigureTable(at.kind, header, rows, checksOf(context, at))
}

const checksOf = ({ validatorOf, referenceData }: FiguresContext, { kind }: FigurePath): FigureChecks => ({
  validate: validatorOf(OWN_FIGURE_SCHEMAS[kind]),
  referenceData,
})

/** Null for a file that is too large or no table. */
async function tableIn(body: Readable): Promise<Table | null> {
  const pieces: Buffer[] = []
  let length = 0
  for await (const piece of body) {
    length += (piece as Buffer).length
    if (length > TABLE_MIB_MAX * MIB) return null
    pieces.push(piece as Buffer)
  }
  return readTable(Buffer.concat(pieces))
}

/** @throws ApiError if nothing could be stored */
async function put(
  { figures, noteFigures, ownFiguresMax: max }: FiguresContext,
  request: FastifyRequest,
  { kind }: FigurePath,
  sent: readonly (Parameters<AccountFigures['put']>[1][number] & { readonly line?: number })[],
  rules: PutRules,
): Promise<Extract<PutFigures, { ok: true }>> {
  const { accountId, keyId } = callerOf(request)
  const put = await figures.put({ accountId, keyId, kind }, sent, rules)
  if (put.ok) {
    if (put.figuresVersion !== null) noteFigures(accountId, put.figuresVersion)
    return put
  }
  const lines = new Map(sent.flatMap(({ id, line }) => (line === undefined ? [] : [[id, line] as const])))
  if (put.why === 'no-reason') throw unexplained(put.jumps, lines)
  if (put.why === 'other-version') {
    throw lines.size === 0 ? changedMeanwhile(sent[0]!.id, put.stored) : rowsExist(put.ids, lines)
  }
  const { holding: count, added } = put
  throw invalidRequest([{ path: '', ...FIGURE_MESSAGES.figures_exceeded({ max, count, added }) }])
}

/** Whether a stored figure may be replaced: one that is not stored needs no tag, but a tag means that it was. */
function replacedIn(request: FastifyRequest, id: string): MayReplace {
  const header = request.headers['if-match']
  const tags = header === undefined ? undefined : tagsIn(header)
  return (stored) => {
    if (stored === null) return tags === undefined
    if (tags === undefined) throw new ApiError('conflict', FIGURE_MESSAGES.figure_exists({ id, etag: tagOf(stored) }))
    return tags === null || tags.includes(String(stored.version))
  }
}

/** @param lines of a file, by id */
const rowsExist = (ids: readonly string[], lines: ReadonlyMap<string, number>): ApiError =>
  new ApiError(
    'conflict',
    FIGURE_MESSAGES.figures_exist({ count: ids.length }),
    ids
      .slice(0, PROBLEMS_MAX)
      .map((id) => ({ path: `/${lines.get(id)}`, ...FIGURE_MESSAGES.figure_row_exists({ id }) })),
  )

/** @param lines of a file, by id; empty for a figure that is sent alone */
const unexplained = (jumps: readonly UnexplainedJump[], lines: ReadonlyMap<string, number>): ApiError =>
  invalidRequest(
    jumps.slice(0, PROBLEMS_MAX).map(({ id, value, than }) => ({
      path: `${lines.size === 0 ? '' : `/${lines.get(id)}`}/reason`,
      ...FIGURE_MESSAGES.figure_needs_reason({ value, other: than.value, id: than.id }),
    })),
  )

const changedMeanwhile = (id: string, stored: StoredFigure | null): ApiError =>
  new ApiError(
    'precondition_failed',
    stored ? FIGURE_MESSAGES.figure_changed({ id, etag: tagOf(stored) }) : FIGURE_MESSAGES.figure_gone({ id }),
  )

const unknownFigure = (id: string): ApiError =>
  new ApiError('not_found', FIGURE_MESSAGES.figure_unknown({ id: id.slice(0, 80) }))

const idOf = (request: FastifyRequest): string => (request.params as { readonly id: string }).id

/** @throws ApiError for an id that no figure can have */
function possibleId({ referenceData }: FiguresContext, { kind }: FigurePath, request: FastifyRequest): string {
  const id = idOf(request)
  if (validateFigureId(kind, id, referenceData) === null) return id
  throw unknownFigure(id)
}

const tagOf = ({ version }: StoredFigure): string => `"${version}"`

const sendFigure = (reply: FastifyReply, figure: StoredFigure): FastifyReply =>
  reply.header('etag', tagOf(figure)).send(figureView(figure))

const figureView = ({ id, version, body, createdAt }: StoredFigure) => ({
  id,
  version,
  origin: 'account',
  created_at: createdAt.toISOString(),
  ...body,
})
