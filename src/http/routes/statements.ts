// GET /api/statements/{customer_id}/{year}: the signed yearly statement of a customer, and proofs of what is in it.
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import {
  CONSOLIDATION_APPROACHES,
  DEFAULT_BOUNDARY,
  type ConsolidationApproach,
} from '../../engine/inventory-boundary.ts'
import type { ReferenceData } from '../../engine/reference/reference-data.ts'
import { EXPORT_TYPES } from '../../spreadsheets/write-table.ts'
import type { ReadCustomerRecords } from '../../postgres/customer-records.ts'
import type { CustomerRecords } from '../../ledger/records.ts'
import type { Restatements } from '../../postgres/restatements.ts'
import type { StatementKey } from '../../postgres/statement-keys.ts'
import { canonicaliseResumable } from '../../strict-json/exact-tree.ts'
import { buildStatement } from '../../statements/build-statement.ts'
import { completenessOf, orderProof } from '../../statements/completeness.ts'
import { printMembers, signStatement } from '../../statements/print-statement.ts'
import type { StatementContent } from '../../statements/statement.ts'
import { EmissionOutOfRange } from '../../statements/periods.ts'
import { statementModel, type StatementModel } from '../../statement-pdf/model.ts'
import { LANGUAGES, type Language } from '../../statement-pdf/theme.ts'
import { callerOf } from '../plugins/authentication.ts'
import { schemaRef } from '../../contract/named-schema.ts'
import { JSON_TYPE } from '../../strict-json/json-number.ts'
import { ApiError, type ApiErrorCode } from '../../contract/errors.ts'
import { runCooperatively } from '../../concurrency/cooperative.ts'
import { asFiles, type RouteDefinition } from '../route-definition.ts'
import { serialNumbersEverInOrder } from '../../ledger/order-state.ts'
import { KNOWN_AT_PARAMETER, isText, oneOfWithDefault, parseQuery, parseTime } from '../parameters.ts'
import { mediaTypesOf } from './exports.ts'
import { collectStatementData } from '../../statements/collect-data.ts'
import { orderKeyOfPath } from './orders.ts'
import { privateKeyOf } from '../../documents/signature.ts'
import { OrderProof, Statement } from '../schemas/statement.ts'
import type { StatementExamples } from '../schemas/examples.ts'
import { statementWorkbook } from '../views/statement-workbook.ts'
import { customerIdInUse, type StoredIds } from '../../ledger/stored-ids.ts'
import { loadReferenceDataOf } from '../../ledger/codec.ts'
import { createUnreadLimit } from '../plugins/unread-limit.ts'
import { abortOnDisconnect } from '../plugins/client-abort.ts'
import { ROUTE_MESSAGES, SERVICE_MESSAGES } from '../messages.ts'

/** Renders one statement at a time, in turns by account. @throws ApiError where rendering takes too long or fails */
export type DrawPdf = (
  accountId: number,
  digest: StatementModel,
  language: Language,
  signal: AbortSignal,
) => Promise<Uint8Array>

/** What a statement is made from. */
export interface StatementSources {
  readonly version: string
  readonly readCustomer: ReadCustomerRecords
  readonly referenceDataOf: (releaseId: number) => Promise<ReferenceData>
  readonly now: () => Date
}

export interface StatementsContext extends StatementSources {
  readonly storedIds: StoredIds
  readonly statementKeyOf: (accountId: number) => Promise<StatementKey>
  readonly drawPdf: DrawPdf
  readonly restatements: Pick<Restatements, 'isApplying'>
  readonly examples: Pick<StatementExamples, 'statement' | 'proof'>
}

/** Limit on devices, and on orders, of one customer: a larger statement would need too much memory. */
const STATEMENT_DEVICES_MAX = 20_000

/** Devices and orders of statements that clients have not read yet, of about 1,000 bytes each. */
const UNTAKEN_MAX = 200_000
const holdUntaken = createUnreadLimit(SERVICE_MESSAGES.statements_unread(), UNTAKEN_MAX)

const FORMATS = ['json', 'xlsx', 'pdf'] as const
type Format = (typeof FORMATS)[number]
const PDF_TYPE = 'application/pdf'
const TYPES: Readonly<Record<Format, string>> = { json: JSON_TYPE, pdf: PDF_TYPE, xlsx: EXPORT_TYPES.xlsx }

const QUERY = {
  consolidation_approach: oneOfWithDefault(
    'How the customer draws its inventory boundary. This determines the GHG scope of the use of devices.',
    CONSOLIDATION_APPROACHES,
    DEFAULT_BOUNDARY.consolidationApproach,
  ),
  format: oneOfWithDefault(
    'json is signed and can be verified. xlsx shows the same for sorting and summing, pdf for reading and printing.',
    FORMATS,
    'json',
  ),
  lang: oneOfWithDefault('Language of the PDF.', LANGUAGES, 'en'),
  known_at: KNOWN_AT_PARAMETER,
}

const PATH_PARAMETERS = {
  customer_id: { description: 'Customer identifier.', example: 'customer-17' },
  year: { description: 'Calendar year, 1990 to 2199.', example: '2025' },
}
const FIRST_YEAR = 1990
const LAST_YEAR = 2199
export const MAKES_KEY: readonly ApiErrorCode[] = ['storage_full', 'read_only']

export const statementOperations = (context: StatementsContext): readonly RouteDefinition[] => [
  {
    id: 'getStatement',
    method: 'GET',
    path: '/api/statements/{customer_id}/{year}',
    summary: 'Get the yearly statement of a customer',
    description:
      'Returns what the customer reports for the devices rented in a calendar year: every device with its balance, ' +
      'lines by category, their data quality, and all entries and figures that are inputs. The statement is signed. ' +
      '`cradle verify-statement FILE` recomputes everything without a database.',
    tag: 'Reports',
    scope: 'orders:read',
    pathParameters: PATH_PARAMETERS,
    query: QUERY,
    answer: {
      description: 'The statement.',
      schema: schemaRef(Statement),
      example: context.examples.statement,
      otherTypes: asFiles([...mediaTypesOf(['xlsx']), PDF_TYPE]),
      headers: {
        'Dataset-Release': 'Releases of the datasets that the statement is based on.',
        'Content-Disposition': 'Suggested file name, for formats other than JSON.',
      },
    },
    failures: ['invalid_request', 'not_found', 'conflict', 'too_large', ...MAKES_KEY],
    handle: (request, reply) => getStatement(context, request, reply),
  },
  {
    id: 'getOrderProof',
    method: 'GET',
    path: '/api/statements/{customer_id}/{year}/orders/{order_id}',
    summary: 'Prove that an order is in a statement, or is not',
    description:
      'Returns the leaf of the order in the Merkle tree of the statement, and the hashes with which the root follows ' +
      'from it. An order that is not in the statement has the leaves of its two neighbours, between which it would ' +
      'be. Whoever has the signed statement compares the root with `completeness.root` in it, and needs to see no ' +
      'other order. Send the `known_at` of the statement to get the root of that statement.',
    tag: 'Reports',
    scope: 'orders:read',
    pathParameters: {
      ...PATH_PARAMETERS,
      order_id: { description: 'Order identifier.', example: 'order-2024-1212' },
    },
    query: { known_at: KNOWN_AT_PARAMETER },
    answer: {
      description: 'The proof.',
      schema: schemaRef(OrderProof),
      example: context.examples.proof,
    },
    failures: ['invalid_request', 'not_found', 'conflict', 'too_large'],
    handle: (request, reply) => getOrderProof(context, request, reply),
  },
]

async function getStatement(
  context: StatementsContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const query = parseQuery(request.query, QUERY)
  const approach = (query['consolidation_approach']?.[0] ??
    DEFAULT_BOUNDARY.consolidationApproach) as ConsolidationApproach
  const { accountId } = callerOf(request)
  const wanted = await wantedBy(context, request, parseTime(query['known_at']))
  const { account, privateKey } = await context.statementKeyOf(accountId)
  const content = await makeStatement(context, accountId, account, wanted, approach)
  const { statement, tree } = await signStatement(content, privateKeyOf(privateKey), runCooperatively)
  holdUntaken(accountId, statement.devices.length + statement.orders.length, reply.raw)
  const format = (query['format']?.[0] ?? 'json') as Format
  const language = (query['lang']?.[0] ?? 'en') as Language
  const file = {
    json: () => runCooperatively(canonicaliseResumable(tree)),
    pdf: async () =>
      context.drawPdf(
        accountId,
        await runCooperatively(statementModel(statement)),
        language,
        abortOnDisconnect(reply.raw),
      ),
    xlsx: () => Readable.from(statementWorkbook(statement), { objectMode: false }),
  }
  const body = await file[format]()
  // Set only when the body is ready, because an error has none of these headers.
  void reply.header('dataset-release', statement.releases.map(({ name }) => name).join(', '))
  if (format !== 'json')
    void reply.header('content-disposition', `attachment; filename="cradle-statement-${wanted.year}.${format}"`)
  return reply.type(TYPES[format]).send(body)
}

async function getOrderProof(
  context: StatementsContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const knownAt = parseTime(parseQuery(request.query, { known_at: KNOWN_AT_PARAMETER })['known_at'])
  const { accountId } = callerOf(request)
  const wanted = await wantedBy(context, request, knownAt)
  const { orderId } = await orderKeyOfPath(context.storedIds, request)
  // Neither the name of the account nor the boundary is in the digest of an order.
  const content = await makeStatement(context, accountId, '', wanted, DEFAULT_BOUNDARY.consolidationApproach)
  const completeness = await runCooperatively(completenessOf(await runCooperatively(printMembers(content))))
  return reply.send(orderProof(content, orderId, completeness))
}

interface Wanted {
  readonly customerId: string
  readonly year: number
  readonly knownAt: Date | null
}

/** @throws ApiError for a year of which there are no statements, and while half of the orders may be restated */
async function wantedBy(
  { storedIds, restatements }: StatementsContext,
  request: FastifyRequest,
  knownAt: Date | null,
): Promise<Wanted> {
  const { customer_id: sentId, year } = request.params as Readonly<Record<'customer_id' | 'year', string>>
  if (!/^\d{4}$/.test(year) || Number(year) < FIRST_YEAR || Number(year) > LAST_YEAR)
    throw new ApiError(
      'not_found',
      ROUTE_MESSAGES.statement_year({ first: String(FIRST_YEAR), last: String(LAST_YEAR) }),
    )
  const { accountId } = callerOf(request)
  if (knownAt === null && (await restatements.isApplying(accountId)))
    throw new ApiError('conflict', ROUTE_MESSAGES.statement_during_restatement())
  return {
    customerId: await customerIdInUse(storedIds, accountId, sentId),
    year: Number(year),
    knownAt,
  }
}

/** @param account name of the account. @throws ApiError for an unknown customer, and one with too many devices */
export async function makeStatement(
  { version, readCustomer, referenceDataOf, now }: StatementSources,
  accountId: number,
  account: string,
  { customerId, year, knownAt }: Wanted,
  approach: ConsolidationApproach,
): Promise<StatementContent> {
  const unknown = new ApiError('not_found', ROUTE_MESSAGES.customer_unknown({ customer_id: customerId.slice(0, 80) }))
  if (!isText(customerId)) throw unknown
  const before = `${year + 1}-01-01`
  const limits = { before, devicesMax: STATEMENT_DEVICES_MAX, serialsOf: serialNumbersEverInOrder }
  const records = await readCustomer({ accountId, customerId, knownAt, ...limits })
  if (records === null) throw unknown
  if (records === 'too-large') {
    throw new ApiError('too_large', ROUTE_MESSAGES.statement_too_long({ max: STATEMENT_DEVICES_MAX }))
  }
  const referenceDataById = await loadReferenceDataOf(
    records.ledgers,
    records.orders.map(({ releaseId }) => releaseId),
    referenceDataOf,
  )
  const request = {
    accountId,
    account,
    customerId,
    year,
    approach,
    version,
    at: now(),
    knownAt: knownUntil(knownAt, records),
  }
  try {
    const facts = await runCooperatively(collectStatementData(records, referenceDataById, request))
    return await runCooperatively(buildStatement(facts))
  } catch (error) {
    if (!(error instanceof EmissionOutOfRange)) throw error
    throw new ApiError('too_large', ROUTE_MESSAGES.statement_too_heavy())
  }
}

/**
 * The requested time or, if earlier, the time of reading, which is not before the last posting that was read. The time
 * of reading is by the database clock, as posting times are. By the clock of a process, some postings that were read
 * could be after it, or postings before it could be missing.
 */
function knownUntil(asked: Date | null, { readAt, orders, ledgers, entries }: CustomerRecords): Date {
  let last = readAt
  for (const { createdAt } of orders) if (createdAt > last) last = createdAt
  for (const list of [entries, ...ledgers.values().map((ledger) => ledger.entries)])
    for (const { postedAt } of list) if (postedAt > last) last = postedAt
  return asked !== null && asked < last ? asked : last
}
