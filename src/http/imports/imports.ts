// /api/imports: files of orders in, how far each has come, what was refused of it, and the way back.
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import type { Problem } from '../../engine/order.ts'
import { PROBLEMS_MAX } from '../../engine/validate-order.ts'
import type { ImportKey } from '../../postgres/import-record.ts'
import type { Imports, NewFile } from '../../postgres/imports.ts'
import type { Settings } from '../../tables/settings.ts'
import { callerOf } from '../serving/authenticate.ts'
import { schemaRef } from '../requests/component.ts'
import { JSON_TYPE } from '../requests/exact-json.ts'
import { ApiError, invalidRequest } from '../requests/failure.ts'
import { errorGroupsRoute } from './import-fault-groups.ts'
import { rejectedRowsRoute, rowErrorsRoute } from './import-faults.ts'
import {
  IMPORT_ID_PARAMETER,
  IMPORT_PATH,
  IMPORTS_PATH,
  cursorOf,
  importKeyOf,
  importNotFound,
} from './import-places.ts'
import { templateOperation } from './import-template.ts'
import { FILE_TYPES, SETTING_PARAMETERS, readSettings } from '../requests/import-settings.ts'
import { EXAMPLE_IMPORT, ImportResponse } from './import-schema.ts'
import { importView } from './render-import.ts'
import type { RouteDefinition } from '../serving/operation.ts'
import { abortOnDisconnect } from '../serving/whoever-asks.ts'
import { nextPage, oneOf, pageLimit, parseQuery, repeatedText, LINK } from '../requests/query.ts'

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
  dry_run: oneOf('true: compute everything, store nothing.', ['true', 'false']),
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
    isDryRun: query['dry_run']?.includes('true') ?? false,
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
    example: { ...EXAMPLE_IMPORT, state: 'undoing' },
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
