// The errors of an imported file: by row, grouped by kind, and as a file of the rejected rows.
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import type { Resumable } from '../../engine/numbers/steps.ts'
import type { ImportKey, RejectedRow, StoredImport } from '../../postgres/import-record.ts'
import type { Imports } from '../../postgres/imports.ts'
import { errorFileExtension, errorFileHeader, errorFileRows } from '../../spreadsheets/error-file.ts'
import type { StoredError } from '../../spreadsheets/stored-messages.ts'
import { createErrorGroups, type ErrorGroups } from '../../spreadsheets/error-groups.ts'
import type { Settings } from '../../spreadsheets/settings.ts'
import { LINK, nextPage, pageLimit, parseQuery, type Parameter } from '../parameters.ts'
import { callerOf } from '../plugins/authentication.ts'
import { EXAMPLE_ERROR_GROUPS, EXAMPLE_IMPORT_ERROR, ImportError, ImportErrorGroups } from '../schemas/import.ts'
import { schemaRef } from '../../contract/named-schema.ts'
import { runCooperatively } from '../../concurrency/cooperative.ts'
import { FILE, type RouteDefinition } from '../route-definition.ts'
import { importErrorsView, type DetectedSettings } from '../views/import.ts'
import { JSON_TYPE } from '../../strict-json/json-number.ts'
import {
  IMPORTS_PATH,
  IMPORT_ID_PARAMETER,
  IMPORT_PATH,
  cursorOf,
  importKeyOf,
  importNotFound,
} from './import-paths.ts'

/** Enough rejected rows to show what is wrong with a file. The list and the error file have all of them. */
const ROWS_MAX = 20_000
const PAGE_ROWS = 1_000

export const errorGroupsRoute = (imports: Imports): RouteDefinition => ({
  id: 'groupImportErrors',
  method: 'GET',
  path: `${IMPORT_PATH}/error-groups`,
  summary: 'List import errors grouped by kind',
  description:
    'Groups errors by column and kind, most frequent first. Each group has the number of errors, the first rows, and ' +
    `the most frequent values with what would be valid. Covers the first ${ROWS_MAX} rejected rows.`,
  tag: 'Imports',
  scope: 'orders:read',
  pathParameters: IMPORT_ID_PARAMETER,
  query: {},
  answer: {
    description: 'The kinds of errors.',
    schema: schemaRef(ImportErrorGroups),
    example: EXAMPLE_ERROR_GROUPS,
  },
  failures: ['invalid_request', 'not_found'],
  handle: async (request, reply) => {
    parseQuery(request.query, {})
    const key = importKeyOf(request)
    const stored = await imports.find(key)
    if (!stored) throw importNotFound(key)
    const { rowsRejected, rowsRejectedStored } = stored.counts
    const groups = await groupsOf(imports, key)
    return reply.send({ ...groups, is_complete: groups.is_complete && rowsRejectedStored === rowsRejected })
  },
})

async function groupsOf(imports: Imports, key: ImportKey) {
  const all = createErrorGroups()
  let [rows, isWhole] = [0, false]
  for (let after = 0; rows < ROWS_MAX && !isWhole;) {
    const page = await imports.errors(key, after, PAGE_ROWS)
    await runCooperatively(addAll(all, page))
    rows += page.length
    isWhole = page.length < PAGE_ROWS
    after = page.at(-1)?.row ?? after
  }
  return { rows, is_complete: isWhole && !all.hasMore(), groups: all.groups() }
}

function* addAll(all: ErrorGroups, page: readonly { readonly errors: string }[]): Resumable<void> {
  for (const { errors } of page) {
    for (const fault of JSON.parse(errors) as readonly StoredError[]) all.add(fault)
    yield
  }
}

const ERRORS_MAX = 1000
/** Rows that are read at a time for the file: a row may have a million characters. */
const FILE_PAGE = 100
/** A binary type, so that clients save the file unchanged, be it CSV or JSON lines. */
const FILE_TYPE = 'application/octet-stream'

const cursorOfErrors = (request: FastifyRequest) =>
  cursorOf(callerOf(request).accountId, `errors ${(request.params as { readonly import_id: string }).import_id}`)

const errorParameters = (cursor: Parameter) => ({ limit: pageLimit('rows', ERRORS_MAX, ERRORS_MAX), cursor })

export const rowErrorsRoute = (imports: Imports): RouteDefinition => ({
  id: 'listImportErrors',
  method: 'GET',
  path: `${IMPORT_PATH}/errors`,
  summary: 'List import errors',
  description:
    'Returns every error of the rows processed so far, by row. Paged through `Link`. A page before the last may be ' +
    'empty, because a rejected order also has rows without errors of their own.',
  tag: 'Imports',
  scope: 'orders:read',
  pathParameters: IMPORT_ID_PARAMETER,
  query: errorParameters(cursorOf(0, 'errors').parameter),
  answer: {
    description: 'The errors.',
    schema: Type.Array(schemaRef(ImportError)),
    example: [EXAMPLE_IMPORT_ERROR],
    headers: LINK,
  },
  failures: ['invalid_request', 'not_found'],
  handle: async (request, reply) => {
    const cursor = cursorOfErrors(request)
    const query = parseQuery(request.query, errorParameters(cursor.parameter))
    const key = importKeyOf(request)
    if (!(await imports.find(key))) throw importNotFound(key)
    const limit = Number(query['limit']?.[0] ?? ERRORS_MAX)
    const found = await imports.errors(key, query['cursor'] ? cursor.read(query['cursor'][0]!)! : 0, limit + 1)
    const page = found.slice(0, limit)
    const path = `${IMPORTS_PATH}/${key.importId}/errors`
    if (found.length > limit) void reply.header('link', nextPage(path, query, cursor.write(page.at(-1)!.row)))
    return reply.type(JSON_TYPE).send(importErrorsView(page))
  },
})

export const rejectedRowsRoute = (imports: Imports): RouteDefinition => ({
  id: 'getRejectedRows',
  method: 'GET',
  path: `${IMPORT_PATH}/rejected-rows`,
  summary: 'Download the rejected rows',
  description:
    'Returns all rows of the orders rejected so far, as they are in the file, with two additional columns: what is ' +
    'wrong, and what would be valid. Once corrected, the file is imported like any other. The rejected rows of a ' +
    'JSON lines file are JSON lines.',
  tag: 'Imports',
  scope: 'orders:read',
  pathParameters: IMPORT_ID_PARAMETER,
  query: {},
  answer: {
    mediaType: FILE_TYPE,
    description: 'The file.',
    schema: FILE,
    example: 'import_reason,import_suggestion,customer_id,order_id',
    headers: { 'Content-Disposition': 'Suggested file name.' },
  },
  failures: ['invalid_request', 'not_found'],
  handle: async (request, reply) => {
    parseQuery(request.query, {})
    const key = importKeyOf(request)
    const stored = await imports.find(key)
    if (!stored) throw importNotFound(key)
    return sendRejectedRows(imports, stored, reply)
  },
})

function sendRejectedRows(imports: Imports, stored: StoredImport, reply: FastifyReply): FastifyReply {
  const name = `import-${stored.importId}-errors${errorFileExtension(settingsOf(stored))}`
  return reply
    .header('content-disposition', `attachment; filename="${name}"`)
    .type(FILE_TYPE)
    .send(Readable.from(rejectedRowsFile(imports, stored)))
}

const settingsOf = ({ settings }: StoredImport): Settings => JSON.parse(settings!) as Settings

/** The rows of rejected orders, as they are in the file, read from the database page by page. */
export async function* rejectedRowsFile(imports: Imports, stored: StoredImport): AsyncGenerator<string> {
  const settings = settingsOf(stored)
  const { columns } = JSON.parse(stored.detected!) as DetectedSettings
  yield errorFileHeader(
    settings,
    columns.map(({ header }) => header),
  )
  for (let after = 0; ;) {
    const page = await imports.faultyRows(stored, after, FILE_PAGE)
    if (page.length === 0) return
    yield page.map((one) => textOf(one, settings, columns.length)).join('')
    after = page.at(-1)!.row
  }
}

function textOf({ row: number, cells, errors, isTruncated }: RejectedRow, settings: Settings, columns: number): string {
  const written = JSON.parse(cells) as string | readonly string[]
  const row = {
    number,
    line: null,
    json: typeof written === 'string' ? written : null,
    cells: typeof written === 'string' ? [] : isTruncated ? padded(written, columns) : written,
    isSound: true,
    isTruncated,
  }
  return errorFileRows(settings, [row], JSON.parse(errors) as readonly StoredError[])
}

/** At least as many cells as the header, so that the marker after them is one cell too many and keeps the row out. */
const padded = (cells: readonly string[], length: number): readonly string[] => [
  ...cells,
  ...Array.from({ length: Math.max(0, length - cells.length) }, () => ''),
]
