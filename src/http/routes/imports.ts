// /api/imports: uploads of order files, their progress, templates, and the reversal of an import.
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import type { Problem } from '../../engine/order.ts'
import { PROBLEMS_MAX } from '../../engine/validate-order.ts'
import type { ImportKey } from '../../postgres/import-record.ts'
import type { Imports, NewFile } from '../../postgres/imports.ts'
import { LAYOUTS, type Layout } from '../../spreadsheets/columns.ts'
import type { Settings } from '../../spreadsheets/settings.ts'
import { templateOf } from '../../spreadsheets/templates.ts'
import { ApiError, invalidRequest } from '../../contract/errors.ts'
import { LINK, flag, isSet, nextPage, pageLimit, parseQuery, repeatedText } from '../parameters.ts'
import { callerOf } from '../plugins/authentication.ts'
import { abortOnDisconnect } from '../plugins/client-abort.ts'
import { EXAMPLE_IMPORT, ImportResponse } from '../schemas/import.ts'
import { schemaRef } from '../../contract/named-schema.ts'
import { FILE, type RouteDefinition } from '../route-definition.ts'
import { importView } from '../views/import.ts'
import { JSON_TYPE } from '../../strict-json/json-number.ts'
import { errorGroupsRoute, rejectedRowsRoute, rowErrorsRoute } from './import-errors.ts'
import {
  IMPORTS_PATH,
  IMPORT_ID_PARAMETER,
  IMPORT_PATH,
  cursorOf,
  importKeyOf,
  importNotFound,
} from './import-paths.ts'
import { FILE_TYPES, SETTING_PARAMETERS, readSettings } from './import-settings.ts'

const CSV = 'text/csv'

const templateOperation: RouteDefinition = {
  id: 'getImportTemplate',
  method: 'GET',
  path: '/api/import-templates/{layout}',
  summary: 'A file to begin with',
  description:
    'A header with all columns, and rows that import as they are. `items`: a row an item; `orders`: an order.',
  tag: 'Imports',
  scope: 'catalogue:read',
  pathParameters: { layout: { description: 'items or orders.', example: 'items' } },
  query: {},
  answer: {
    mediaType: CSV,
    description: 'The file.',
    schema: FILE,
    example: templateOf('items').slice(0, 200),
    headers: { 'Content-Disposition': 'What to call the file.' },
  },
  failures: ['invalid_request', 'not_found'],
  handle: (request, reply) => {
    parseQuery(request.query, {})
    const { layout } = request.params as { readonly layout: string }
    if (!(LAYOUTS as readonly string[]).includes(layout)) {
      const message = `There are templates for ${LAYOUTS.join(' and ')}, not for "${layout.slice(0, 40)}"`
      throw new ApiError('not_found', message)
    }
    return reply
      .header('content-disposition', `attachment; filename="cradle-${layout}.csv"`)
      .type(CSV)
      .send(templateOf(layout as Layout))
  },
}

/** A file as it is sent, to be stored and looked at as a whole. */
export interface UploadedFile extends NewFile {
  /** What the sender says of how it is to be read. */
  readonly asked: Partial<Settings>
  /** How large it is said to be; null where that is not said. */
  readonly announcedBytes: number | null
  readonly content: AsyncIterable<Buffer>
  /** Aborted when the sender is gone. */
  readonly signal: AbortSignal
}

export type ReceivedFile =
  { readonly ok: true; readonly key: ImportKey } | { readonly ok: false; readonly problems: readonly Problem[] }

export interface ImportsContext {
  readonly imports: Imports
  readonly receiveFile: (accountId: number, file: UploadedFile) => Promise<ReceivedFile>
  /** Something waits to be worked on. */
  readonly wakeImporter: () => void
}

const LIST_MAX = 100

export const importOperations = (context: ImportsContext): readonly RouteDefinition[] => [
  createOperation(context),
  listOperation(context),
  getOperation(context),
  undoOperation(context),
  rowErrorsRoute(context.imports),
  errorGroupsRoute(context.imports),
  rejectedRowsRoute(context.imports),
  templateOperation,
]

const CREATE_QUERY = {
  dry_run: flag('Compute everything, store nothing.'),
  file_name: repeatedText('Name of the file, to be shown again; its ending tells the format where the type does not.'),
  ...SETTING_PARAMETERS,
}

const createOperation = (context: ImportsContext): RouteDefinition => ({
  id: 'createImport',
  method: 'POST',
  path: IMPORTS_PATH,
  summary: 'Take in a file of orders',
  description:
    'CSV, XLSX or JSON lines of up to 1 GiB, one row an item or one row an order. How the file is read is found out ' +
    'and shown; where it does not tell, it is refused with the parameter to send. Every order goes by the rules of ' +
    'POST /api/customer-orders (a table may leave out transportation_mode, which the transportation_id tells): ' +
    'importing twice changes nothing. The work goes on after the answer, and a restart.',
  tag: 'Imports',
  scope: 'orders:write',
  query: CREATE_QUERY,
  upload: { types: FILE_TYPES, description: 'The file as it is.' },
  answer: {
    status: 202,
    description: 'The file is stored, and will be worked on.',
    schema: schemaRef(ImportResponse),
    example: EXAMPLE_IMPORT,
    headers: { Location: 'Where to see how far it has come.' },
  },
  failures: ['invalid_request', 'too_large', 'unsupported_media_type', 'too_many_imports'],
  handle: (request, reply) => create(context, request, reply),
})

async function create(context: ImportsContext, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const query = parseQuery(request.query, CREATE_QUERY)
  const asked = readSettings(query, request.headers['content-type'])
  if (!(request.body instanceof Readable)) throw new ApiError('unsupported_media_type', 'Send the file as the body')
  const received = await context.receiveFile(callerOf(request).accountId, {
    // Of contradictory words, the one that stores nothing.
    isDryRun: isSet(query, 'dry_run'),
    fileName: query['file_name']?.[0] ?? null,
    announcedBytes: announcedBytesOf(request),
    asked,
    // Given up on its way, it is not to take the connection along, on which the reason is answered.
    content: request.body.iterator({ destroyOnReturn: false }),
    signal: abortOnDisconnect(reply.raw),
  })
  if (!received.ok) throw invalidRequest(received.problems.slice(0, PROBLEMS_MAX).map(atParameter))
  context.wakeImporter()
  void reply.code(202).header('location', `${IMPORTS_PATH}/${received.key.importId}`)
  return answerImport(context, received.key, reply)
}

/** Node takes no other body than that, where it is said. */
const announcedBytesOf = ({ headers }: FastifyRequest): number | null =>
  headers['content-length'] === undefined ? null : Number(headers['content-length'])

/** A setting of the file is a parameter of the request. */
const atParameter = (problem: Problem): Problem => ({ ...problem, path: problem.path.replace(/^\//, '?') })

async function answerImport({ imports }: ImportsContext, key: ImportKey, reply: FastifyReply): Promise<FastifyReply> {
  const found = await imports.find(key)
  if (!found) throw importNotFound(key)
  return reply.type(JSON_TYPE).send(importView(found))
}

const getOperation = (context: ImportsContext): RouteDefinition => ({
  id: 'getImport',
  method: 'GET',
  path: IMPORT_PATH,
  summary: 'How far an import has come',
  description: 'Its counters follow what is durable by now.',
  tag: 'Imports',
  scope: 'orders:read',
  pathParameters: IMPORT_ID_PARAMETER,
  query: {},
  answer: { description: 'The import.', schema: schemaRef(ImportResponse), example: EXAMPLE_IMPORT },
  failures: ['invalid_request', 'not_found'],
  handle: (request, reply) => {
    parseQuery(request.query, {})
    return answerImport(context, importKeyOf(request), reply)
  },
})

const undoOperation = (context: ImportsContext): RouteDefinition => ({
  id: 'undoImport',
  method: 'DELETE',
  path: IMPORT_PATH,
  summary: 'Undo an import',
  description:
    'Each order that it stored is taken back by an event `undone`, and counts in no period any more, nor in one that ' +
    'is over. Nothing is deleted: their ids stay taken, and so does what their devices are charged by; sent again, ' +
    'such an order is refused with 409. One that is under way is stopped first, a dry run as well; rows that were ' +
    'refused are removed. An order of which a device was returned, swapped or cancelled since is kept.',
  tag: 'Imports',
  scope: 'orders:write',
  pathParameters: IMPORT_ID_PARAMETER,
  query: {},
  answer: {
    status: 202,
    description: 'The import, which will be undone.',
    schema: schemaRef(ImportResponse),
    example: { ...EXAMPLE_IMPORT, state: 'reversing' },
  },
  failures: ['invalid_request', 'not_found', 'conflict'],
  handle: async (request, reply) => {
    parseQuery(request.query, {})
    const key = importKeyOf(request)
    const isUndoing = await context.imports.undo(key)
    if (!isUndoing && (await context.imports.find(key))) {
      const message = 'Was a dry run: there is nothing to undo'
      throw new ApiError('conflict', `The import ${key.importId} stored nothing`, [{ path: '', message }])
    }
    context.wakeImporter()
    return answerImport(context, key, reply.code(202))
  },
})

const listParameters = (accountId: number) => ({
  limit: pageLimit('Imports', LIST_MAX, LIST_MAX),
  cursor: cursorOf(accountId, 'imports').parameter,
})

const listOperation = ({ imports }: ImportsContext): RouteDefinition => ({
  id: 'listImports',
  method: 'GET',
  path: IMPORTS_PATH,
  summary: 'Imports of the account',
  description:
    'The newest first, page by page through the header Link. A page may have fewer than `limit` where they have ' +
    'thousands of columns.',
  tag: 'Imports',
  scope: 'orders:read',
  query: listParameters(0),
  answer: {
    description: 'The imports.',
    schema: Type.Array(schemaRef(ImportResponse)),
    example: [EXAMPLE_IMPORT],
    headers: LINK,
  },
  failures: ['invalid_request'],
  handle: async (request, reply) => {
    const { accountId } = callerOf(request)
    const query = parseQuery(request.query, listParameters(accountId))
    const cursor = cursorOf(accountId, 'imports')
    const limit = Number(query['limit']?.[0] ?? LIST_MAX)
    const before = query['cursor'] ? cursor.read(query['cursor'][0]!) : null
    const { imports: page, hasMore } = await imports.list(accountId, before, limit)
    if (hasMore) void reply.header('link', nextPage(IMPORTS_PATH, query, cursor.write(page.at(-1)!.importId)))
    return reply.type(JSON_TYPE).send(`[${page.map(importView).join(',')}]`)
  },
})
