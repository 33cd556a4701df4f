// GET /api/statements/{customer_id}/{year}: the signed yearly statement of a customer, and proofs of what is in it.
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import {
  CONSOLIDATION_APPROACHES,
  DEFAULT_BOUNDARY,
  type ConsolidationApproach,
} from '../../engine/inventory-boundary.ts'
import { EXPORT_TYPES } from '../../spreadsheets/write-table.ts'
import type { Restatements } from '../../postgres/restatements.ts'
import type { StatementKey } from '../../postgres/statement-keys.ts'
import { canonicaliseResumable } from '../../strict-json/exact-tree.ts'
import { completenessOf, orderProof } from '../../statements/completeness.ts'
import { printMembers, signStatement } from '../../statements/print-statement.ts'
import {
  STATEMENT_DEVICES_MAX,
  makeStatement,
  type StatementSources,
  type StatementQuery,
  type StatementWithRecords,
} from '../../statements/make-statement.ts'
import { statementModel, type StatementModel } from '../../statement-pdf/model.ts'
import { LANGUAGES, type Language } from '../../statement-pdf/theme.ts'
import { callerOf } from '../plugins/authentication.ts'
import { schemaRef } from '../../contract/named-schema.ts'
import { JSON_TYPE } from '../../strict-json/json-number.ts'
import { ApiError, type ApiErrorCode } from '../../contract/errors.ts'
import { runCooperatively } from '../../concurrency/cooperative.ts'
import { asFiles, type RouteDefinition } from '../route-definition.ts'
import {
  FIRST_YEAR,
  KNOWN_AT_PARAMETER,
  LAST_YEAR,
  isText,
  isYear,
  oneOfWithDefault,
  parseQuery,
  parseTime,
} from '../parameters.ts'
import { mediaTypesOf } from './exports.ts'
import { orderKeyOfPath } from './orders.ts'
import { privateKeyOf } from '../../documents/signature.ts'
import { OrderProof, Statement } from '../schemas/statement.ts'
import type { StatementExamples } from '../schemas/examples.ts'
import { statementWorkbook } from '../views/statement-workbook.ts'
import { customerIdInUse, type StoredIds } from '../../ledger/stored-ids.ts'
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

export interface StatementsContext extends StatementSources {
  readonly storedIds: StoredIds
  readonly statementKeyOf: (accountId: number) => Promise<StatementKey>
  readonly drawPdf: DrawPdf
  readonly restatements: Pick<Restatements, 'isApplying'>
  readonly examples: Pick<StatementExamples, 'statement' | 'proof'>
}

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

export const STATEMENT_PATH_PARAMETERS = {
  customer_id: { description: 'Customer identifier.', example: 'customer-17' },
  year: { description: 'Calendar year, 1990 to 2199.', example: '2025' },
}
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
    pathParameters: STATEMENT_PATH_PARAMETERS,
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
      ...STATEMENT_PATH_PARAMETERS,
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
  const wanted = await statementQueryOf(context, request, parseTime(query['known_at']))
  const { account, privateKey } = await context.statementKeyOf(accountId)
  const { content } = await statementOf(context, { ...wanted, account, approach })
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
  const wanted = await statementQueryOf(context, request, knownAt)
  const { orderId } = await orderKeyOfPath(context.storedIds, request)
  // Neither the name of the account nor the boundary is in the digest of an order.
  const approach = DEFAULT_BOUNDARY.consolidationApproach
  const { content } = await statementOf(context, { ...wanted, account: '', approach })
  const completeness = await runCooperatively(completenessOf(await runCooperatively(printMembers(content))))
  return reply.send(orderProof(content, orderId, completeness))
}

/** @throws ApiError for a year of which there are no statements, and while half of the orders may be restated */
export async function statementQueryOf(
  { storedIds, restatements }: Pick<StatementsContext, 'storedIds' | 'restatements'>,
  request: FastifyRequest,
  knownAt: Date | null,
): Promise<Omit<StatementQuery, 'account' | 'approach'>> {
  const { customer_id: sentId, year } = request.params as Readonly<Record<'customer_id' | 'year', string>>
  if (!isYear(year))
    throw new ApiError(
      'not_found',
      ROUTE_MESSAGES.statement_year({ first: String(FIRST_YEAR), last: String(LAST_YEAR) }),
    )
  const { accountId } = callerOf(request)
  if (knownAt === null && (await restatements.isApplying(accountId)))
    throw new ApiError('conflict', ROUTE_MESSAGES.statement_during_restatement())
  return {
    accountId,
    customerId: await customerIdInUse(storedIds, accountId, sentId),
    year: Number(year),
    knownAt,
  }
}

/** @throws ApiError for an unknown customer, one with too many devices, and one that emits too much */
export async function statementOf(context: StatementSources, wanted: StatementQuery): Promise<StatementWithRecords> {
  const found = isText(wanted.customerId) ? await makeStatement(context, wanted) : 'unknown_customer'
  switch (found) {
    case 'unknown_customer':
      throw new ApiError('not_found', ROUTE_MESSAGES.customer_unknown({ customer_id: wanted.customerId.slice(0, 80) }))
    case 'too_many_devices':
      throw new ApiError('too_large', ROUTE_MESSAGES.statement_too_long({ max: STATEMENT_DEVICES_MAX }))
    case 'too_heavy':
      throw new ApiError('too_large', ROUTE_MESSAGES.statement_too_heavy())
    default:
      return found
  }
}
