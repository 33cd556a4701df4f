// What is wrong with a file, kind by kind: thousands of equal faults are one entry with a count.
import type { Resumable } from '../../engine/numbers/steps.ts'
import type { ImportKey } from '../../postgres/import-record.ts'
import type { Imports } from '../../postgres/imports.ts'
import type { FileOrderError } from '../../tables/file-order.ts'
import { createErrorGroups, type ErrorGroups } from '../../tables/group-faults.ts'
import { schemaRef } from '../requests/component.ts'
import { IMPORT_ID_PARAMETER, IMPORT_PATH, importKeyOf, importNotFound } from './import-places.ts'
import { EXAMPLE_ERROR_GROUPS, ImportErrorGroups } from './import-schema.ts'
import { runCooperatively } from '../serving/in-slices.ts'
import type { RouteDefinition } from '../serving/operation.ts'
import { parseQuery } from '../requests/query.ts'

/** What is wrong with a file shows in so many of its refused rows; all are in the list and in the file of faults. */
const ROWS_MAX = 20_000
const PAGE_ROWS = 1_000

export const errorGroupsRoute = (imports: Imports): RouteDefinition => ({
  id: 'groupImportFaults',
  method: 'GET',
  path: `${IMPORT_PATH}/fault-groups`,
  summary: 'What is wrong with a file, kind by kind',
  description:
    'Faults of one column and one kind together, the most frequent first: how many, the first rows, and the values ' +
    `that stand there most often with what would be right. Of the first ${ROWS_MAX} refused rows.`,
  tag: 'Imports',
  scope: 'orders:read',
  pathParameters: IMPORT_ID_PARAMETER,
  query: {},
  answer: {
    description: 'The kinds of faults.',
    schema: schemaRef(ImportErrorGroups),
    example: EXAMPLE_ERROR_GROUPS,
  },
  failures: ['invalid_request', 'not_found'],
  handle: async (request, reply) => {
    parseQuery(request.query, {})
    const key = importKeyOf(request)
    const found = await imports.find(key)
    if (!found) throw importNotFound(key)
    const { rowsFailed, rowsFailedStored } = found.counts
    const groups = await groupsOf(imports, key)
    return reply.send({ ...groups, is_whole: groups.is_whole && rowsFailedStored === rowsFailed })
  },
})

async function groupsOf(imports: Imports, key: ImportKey) {
  const all = createErrorGroups()
  let [rows, isWhole] = [0, false]
  for (let after = 0; rows < ROWS_MAX && !isWhole;) {
    const page = await imports.faults(key, after, PAGE_ROWS)
    await runCooperatively(addAll(all, page))
    rows += page.length
    isWhole = page.length < PAGE_ROWS
    after = page.at(-1)?.row ?? after
  }
  return { rows, is_whole: isWhole && !all.hasMore(), groups: all.groups() }
}

function* addAll(all: ErrorGroups, page: readonly { readonly faults: string }[]): Resumable<void> {
  for (const { faults } of page) {
    for (const fault of JSON.parse(faults) as readonly FileOrderError[]) all.add(fault)
    yield
  }
}
