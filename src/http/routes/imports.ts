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
import {
  LINK,
  flag,
  isSet,
  nextPage,
  oneOfWithDefault,
  pageLimit,
  parseQuery,
  repeatedText,
  type Query,
} from '../parameters.ts'
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
import { SETTING_PARAMETERS, UPLOAD_TYPES, readSettings } from './import-settings.ts'
import { isForm, readForm } from '../plugins/forms.ts'
import { PARAMETER_MESSAGES, PROTOCOL_MESSAGES, ROUTE_MESSAGES } from '../messages.ts'

const CSV = 'text/csv'

const templateOperation: RouteDefinition = {
  id: 'getImportTemplate',
  method: 'GET',
  path: '/api/import-templates/{layout}',
  summary: 'Get an import template',
  description:
    'Returns a header with all columns, and rows that can be imported unchanged. `items` has one row per item, ' +
    '`orders` one row per order. `events` has one row per event, of the orders of the other templates.',
  tag: 'Imports',
  scope: 'catalogue:read',
  pathParameters: { layout: { description: 'items, orders or events.', example: 'items' } },
  query: {},
  answer: {
    mediaType: CSV,
    description: 'The file.',
    schema: FILE,
    example: templateOf('items').slice(0, 200),
    headers: { 'Content-Disposition': 'Suggested file name.' },
  },
  failures: ['invalid_request', 'not_found'],
  handle: (request, reply) => {
    parseQuery(request.query, {})
    const { layout } = request.params as { readonly layout: string }
    if (!(LAYOUTS as readonly string[]).includes(layout)) {
      throw new ApiError('not_found', ROUTE_MESSAGES.template_unknown({ layouts: LAYOUTS, sent: layout.slice(0, 40) }))
    }
    return reply
      .header('content-disposition', `attachment; filename="cradle-${layout}.csv"`)
      .type(CSV)
      .send(templateOf(layout as Layout))
  },
}

/** How a file is to be imported. */
export interface UploadRequest extends NewFile {
  /** The settings that the client sent. */
  readonly asked: Partial<Settings>
  /** The name of the profile to read it with; null if none was sent. */
  readonly profile: string | null
}

/** A file as it is received, to be stored and inspected completely. */
export interface UploadedFile {
  /** A function where fields may follow the file: called when its content has been read. */
  readonly request: UploadRequest | (() => UploadRequest)
  /** The announced size; null where no size was announced. */
  readonly announcedBytes: number | null
  readonly content: AsyncIterable<Buffer>
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal
}

export type ReceivedFile =
  | { readonly ok: true; readonly key: ImportKey }
  | { readonly ok: false; readonly problems: readonly Problem[] }

export interface ImportsContext {
  readonly imports: Imports
  readonly receiveFile: (accountId: number, file: UploadedFile) => Promise<ReceivedFile>
  /** Notifies the importer that an import is waiting. */
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
  kind: oneOfWithDefault(
    'What the file has. A file of events has the columns event_id, type, customer_id and order_id or the ' +
      'serial_number of a device, and those of its types of events.',
    ['orders', 'events'],
    'orders',
  ),
  dry_run: flag('Compute everything, store nothing.'),
  file_name: repeatedText(
    'File name, returned with the import. Its extension determines the format where the media type does not.',
  ),
  profile: repeatedText(
    'Name of the import profile whose settings are used, unless others are sent with the file. Without it, profiles ' +
      'for files with the same header are suggested.',
  ),
  ...SETTING_PARAMETERS,
}

const createOperation = (context: ImportsContext): RouteDefinition => ({
  id: 'createImport',
  method: 'POST',
  path: IMPORTS_PATH,
  summary: 'Import a file of orders or events',
  description:
    'Accepts CSV, XLSX or JSON lines of up to 1 GiB, with one row per item or one row per order. Settings that are ' +
    'not sent are detected and returned. If a setting cannot be detected, the file is rejected with the parameter to ' +
    'send. Every order follows the rules of POST /api/customer-orders, so importing a file twice changes nothing. A ' +
    'table may omit transportation_mode, because transportation_id implies it. The file may instead have one event ' +
    'per row, by the rules of POST /api/events/batch: rows of one order or device are recorded in sequence, ' +
    'and the counters of orders count events. Processing continues after the response and after a restart.',
  tag: 'Imports',
  scope: 'orders:write',
  query: CREATE_QUERY,
  upload: {
    types: UPLOAD_TYPES,
    description: 'The unmodified file; or a form with the file and, as fields, any of the parameters.',
  },
  answer: {
    status: 202,
    description: 'The file is stored and will be processed.',
    schema: schemaRef(ImportResponse),
    example: EXAMPLE_IMPORT,
    headers: { Location: 'Path of the import, which has its progress.' },
  },
  failures: ['invalid_request', 'too_large', 'unsupported_media_type', 'too_many_imports'],
  handle: (request, reply) => create(context, request, reply),
})

async function create(context: ImportsContext, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { body } = request
  if (!(body instanceof Readable)) throw new ApiError('unsupported_media_type', PROTOCOL_MESSAGES.file_missing())
  const received = await context.receiveFile(callerOf(request).accountId, {
    announcedBytes: announcedBytesOf(request),
    signal: abortOnDisconnect(reply.raw),
    ...(isForm(request) ? formUpload(request, body) : rawUpload(request, body)),
  })
  if (!received.ok) throw invalidRequest(received.problems.slice(0, PROBLEMS_MAX).map(atParameter))
  context.wakeImporter()
  void reply.code(202).header('location', `${IMPORTS_PATH}/${received.key.importId}`)
  return answerImport(context, received.key, reply)
}

type Upload = Pick<UploadedFile, 'request' | 'content'>

const rawUpload = ({ query, headers }: FastifyRequest, body: Readable): Upload => ({
  request: uploadRequest(parseQuery(query, CREATE_QUERY), headers['content-type']),
  // If reading is aborted, the connection must stay open: the error is sent on it.
  content: body.iterator({ destroyOnReturn: false }),
})

/** Fields of the form are parameters, before or after the file. */
function formUpload({ query, headers }: FastifyRequest, body: Readable): Upload {
  parseQuery(query, CREATE_QUERY)
  const form = readForm(headers['content-type']!, body)
  return {
    content: form.content,
    request: () => {
      const { fields, fileName } = form.read()
      const sent = { ...(query as Readonly<Record<string, string | readonly string[]>>) }
      for (const [name, value] of fields) sent[name] = [...[sent[name] ?? []].flat(), value]
      const one = Object.entries(sent).map(([name, value]) => [name, value.length === 1 ? value[0] : value] as const)
      const request = uploadRequest(parseQuery(Object.fromEntries(one), CREATE_QUERY), undefined)
      return { ...request, fileName: request.fileName ?? fileName }
    },
  }
}

const uploadRequest = (query: Query, contentType: string | undefined): UploadRequest => ({
  isDryRun: isSet(query, 'dry_run'),
  fileName: query['file_name']?.[0] ?? null,
  profile: query['profile']?.[0] ?? null,
  asked: withKind(query, readSettings(query, contentType)),
})

/** A file of events has a layout of its own. @throws ApiError where the layout that was sent is another */
function withKind(query: Query, settings: Partial<Settings>): Partial<Settings> {
  if (query['kind']?.[0] !== 'events') return settings
  const { layout = 'events' } = settings
  if (layout === 'events') return { ...settings, layout }
  throw invalidRequest([{ path: '?layout', ...PARAMETER_MESSAGES.layout_of_orders({ sent: layout }) }])
}

/** Node enforces the announced length of a body. */
const announcedBytesOf = ({ headers }: FastifyRequest): number | null =>
  headers['content-length'] === undefined ? null : Number(headers['content-length'])

/** Problems of a setting refer to the query parameter of the request. */
const atParameter = (problem: Problem): Problem => ({ ...problem, path: problem.path.replace(/^\//, '?') })

async function answerImport({ imports }: ImportsContext, key: ImportKey, reply: FastifyReply): Promise<FastifyReply> {
  const stored = await imports.find(key)
  if (!stored) throw importNotFound(key)
  return reply.type(JSON_TYPE).send(importView(stored))
}

const getOperation = (context: ImportsContext): RouteDefinition => ({
  id: 'getImport',
  method: 'GET',
  path: IMPORT_PATH,
  summary: 'Get an import',
  description: 'Returns the progress of an import. Its counters cover what is durably stored so far.',
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
  summary: 'Reverse an import',
  description:
    'Each order that the import stored is reversed by an event `reversed` and no longer counts in any period, ' +
    'except closed ones. Orders are not deleted. An order can be sent again under its id with any content, and ' +
    'then its events under theirs; other orders and devices cannot use these event ids. A device that a reversed ' +
    'order had named is what the next naming order says. A running import, including a dry run, is stopped first. ' +
    'Rejected rows are deleted. An order that was corrected since, or of which a device was returned, swapped or ' +
    'cancelled since, is kept; returns that the file itself stated are withdrawn first. Of an import of events, ' +
    'each event that still counts is withdrawn, the last one first, and the counters of orders count events. An ' +
    'event that a later one depends on, or that is itself a withdrawal, is kept. The ids of the withdrawn events ' +
    'are free for any order or device.',
  tag: 'Imports',
  scope: 'orders:write',
  pathParameters: IMPORT_ID_PARAMETER,
  query: {},
  answer: {
    status: 202,
    description: 'The import, which will be reversed.',
    schema: schemaRef(ImportResponse),
    example: { ...EXAMPLE_IMPORT, state: 'reversing' },
  },
  failures: ['invalid_request', 'not_found', 'conflict'],
  handle: async (request, reply) => {
    parseQuery(request.query, {})
    const key = importKeyOf(request)
    const isUndoing = await context.imports.undo(key)
    if (!isUndoing && (await context.imports.find(key))) {
      throw new ApiError('conflict', ROUTE_MESSAGES.import_empty({ import_id: key.importId }), [
        { path: '', ...ROUTE_MESSAGES.import_dry_run() },
      ])
    }
    context.wakeImporter()
    return answerImport(context, key, reply.code(202))
  },
})

const listParameters = (accountId: number) => ({
  limit: pageLimit('imports', LIST_MAX, LIST_MAX),
  cursor: cursorOf(accountId, 'imports').parameter,
})

const listOperation = ({ imports }: ImportsContext): RouteDefinition => ({
  id: 'listImports',
  method: 'GET',
  path: IMPORTS_PATH,
  summary: 'List imports',
  description:
    'Returns the imports of the account, newest first. Paged through `Link`. A page may have fewer than `limit` ' +
    'imports if their files have thousands of columns.',
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
