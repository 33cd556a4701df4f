// POST /api/customers/{customer_id}/pseudonymise: replaces the names of a customer by random ids.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ApiError, invalidRequest } from '../../contract/errors.ts'
import { schemaRef, type NamedSchema } from '../../contract/named-schema.ts'
import type { Validate } from '../../contract/validation.ts'
import { customerIdInUse, type StoredIds } from '../../ledger/stored-ids.ts'
import type { Erasures } from '../../postgres/erasure/pseudonymise.ts'
import { ROUTE_MESSAGES } from '../messages.ts'
import { IGNORED_HEADER, flag, isSet, isText, parseQuery, setIgnoredMembers } from '../parameters.ts'
import { callerOf } from '../plugins/authentication.ts'
import type { RouteDefinition } from '../route-definition.ts'
import { ErasureAnswer, ErasureParams, printErasure, type WireErasure } from '../schemas/erasure.ts'

export interface ErasuresContext {
  readonly erasures: Erasures
  readonly storedIds: StoredIds
  readonly validatorOf: (schema: NamedSchema) => Validate
}

const QUERY = { preview: flag('true: answers what would be replaced, and changes nothing.') }

const EXAMPLE = printErasure({
  customerId: 'customer_0c5f1f6f1b0e4c0f8a3b8d1d2f3e4a5b',
  recordedAt: new Date('2026-01-31T10:00:00.000Z'),
  counts: {
    orders: 12,
    entries: 31,
    events: 4,
    orderIds: 0,
    serialNumbers: 9,
    metadata: 12,
    texts: 1,
    rejectedRows: 0,
  },
})

export function erasureOperations(context: ErasuresContext): readonly RouteDefinition[] {
  const validate = context.validatorOf(ErasureParams)
  return [
    {
      id: 'pseudonymiseCustomer',
      method: 'POST',
      path: '/api/customers/{customer_id}/pseudonymise',
      summary: 'Erase the names of a customer',
      description:
        'Replaces the id of the customer by a random one everywhere in the account, and removes the metadata of its ' +
        'orders, reasons of events, and rejected rows of imports that name it. All figures and days stay, and so do ' +
        'reports, except that orders have no metadata to group by. Receipts and statements made from then on verify ' +
        'under the new id. This cannot be undone: nothing is stored that leads from the old id to the new one. An ' +
        'order that is sent under the old id afterwards is a new order. Not possible while a file is being imported, ' +
        'except as a preview.',
      tag: 'Account',
      scope: 'admin',
      pathParameters: { customer_id: { description: 'Customer identifier.', example: 'customer-17' } },
      query: QUERY,
      body: { schema: ErasureParams, example: { serial_numbers: true } },
      answer: {
        description: 'What was replaced.',
        schema: schemaRef(ErasureAnswer),
        example: EXAMPLE,
        headers: IGNORED_HEADER,
      },
      failures: ['invalid_request', 'not_found', 'conflict', 'too_large', 'unsupported_media_type'],
      handle: (request, reply) => pseudonymise(context, validate, request, reply),
    },
  ]
}

async function pseudonymise(
  { erasures, storedIds }: ErasuresContext,
  validate: Validate,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const isPreview = isSet(parseQuery(request.query, QUERY), 'preview')
  const { problems } = validate(request.body)
  if (problems.length > 0) throw invalidRequest(problems)
  const wire = request.body as WireErasure
  const { customer_id: sentId } = request.params as { readonly customer_id: string }
  const { accountId, keyId } = callerOf(request)
  if (!isText(sentId)) throw unknownCustomer(sentId)
  const customerId = await customerIdInUse(storedIds, accountId, sentId)
  const erasure = await erasures[isPreview ? 'preview' : 'pseudonymise']({
    accountId,
    keyId,
    customerId,
    withSerialNumbers: wire.serial_numbers ?? false,
    withOrderIds: wire.order_ids ?? false,
  })
  if (erasure === 'unknown') throw unknownCustomer(sentId)
  if (erasure === 'importing') throw new ApiError('conflict', ROUTE_MESSAGES.erasure_while_importing())
  if (erasure === 'unordered') throw new ApiError('conflict', ROUTE_MESSAGES.erasure_of_tied_orders())
  setIgnoredMembers(reply, wire, ErasureParams)
  return reply.send(printErasure(erasure))
}

const unknownCustomer = (customerId: string): ApiError =>
  new ApiError('not_found', ROUTE_MESSAGES.customer_unknown({ customer_id: customerId }))
