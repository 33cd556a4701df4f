// POST /api/estimates: the emissions that an order would get, next to the emissions of alternatives to it.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ReferenceData } from '../../engine/reference/reference-data.ts'
import type { MappingOf } from '../../engine/reference/product-match.ts'
import { PROBLEMS_MAX } from '../../engine/validate-order.ts'
import { matchesOf, resolveStored, serialNumbersOf, type ResolvedItem } from '../../engine/resolve-order.ts'
import type { Mappings } from '../../postgres/product-mappings.ts'
import type { OrderReader } from '../../postgres/order-reader.ts'
import { validateAlternatives, readAlternatives } from '../../contract/parse-alternatives.ts'
import { callerOf } from '../plugins/authentication.ts'
import { schemaRef, type NamedSchema } from '../../contract/named-schema.ts'
import {
  estimateOrder,
  openDevices,
  refurbishmentWarnings,
  validateRefurbishments,
} from '../../ledger/estimate-order.ts'
import { EstimateParams, type Refurbishment, type WireAlternative } from '../../contract/estimate-schema.ts'
import { EstimateResponse } from '../schemas/estimate.ts'
import { JSON_TYPE } from '../../strict-json/json-number.ts'
import { exampleEstimate } from '../schemas/examples.ts'
import { ApiError, invalidRequest } from '../../contract/errors.ts'
import type { ReleaseFor } from '../../ledger/account-release.ts'
import type { PrematchProducts } from '../../ledger/prematch.ts'
import type { RouteDefinition } from '../route-definition.ts'
import { abortOnDisconnect } from '../plugins/client-abort.ts'
import type { WireOrder } from '../../contract/order-schema.ts'
import { dayLimitsAt, type DayLimits } from '../../contract/day-limits.ts'
import { NULLS_OF_ESTIMATE, withoutNulls } from '../../contract/null-members.ts'
import { parseOrder, toEngineOrder } from '../../contract/parse-order.ts'
import { WARNINGS_HEADER, refuseIfStrict, setWarningsHeader, withWarnings } from '../views/warnings.ts'
import { estimateView } from '../views/estimate.ts'
import { INCLUDE_PARAMETER, setIgnoredHeader, parseInclude, IGNORED_HEADER } from '../parameters.ts'
import { underStoredKey, type StoredIds } from '../../ledger/stored-ids.ts'
import { ledgerWarnings, similarityWarnings } from '../../ledger/ledger-warnings.ts'
import { encodeOrder, loadReferenceDataOf, orderKeyOf } from '../../ledger/codec.ts'
import type { Validate } from '../../contract/validation.ts'
import { ROUTE_MESSAGES } from '../messages.ts'

export interface EstimatesContext {
  readonly orderReader: OrderReader
  readonly storedIds: StoredIds
  readonly mappings: Mappings
  readonly matchAhead: PrematchProducts
  readonly referenceData: ReferenceData
  readonly releaseFor: ReleaseFor
  readonly referenceDataOf: (releaseId: number) => Promise<ReferenceData>
  readonly validatorOf: (schema: NamedSchema) => Validate
  readonly now: () => Date
}

export function estimateOperations(context: EstimatesContext): readonly RouteDefinition[] {
  const validate = context.validatorOf(EstimateParams)
  const example = exampleEstimate(context.referenceData)
  return [
    {
      id: 'createEstimate',
      method: 'POST',
      path: '/api/estimates',
      summary: 'Estimate an order and its alternatives',
      description:
        'Returns the response that the order would get if it were posted now, given the current ledgers of its ' +
        'devices. Nothing is stored. `warnings` has also what the ledgers say: devices that were retired, that are ' +
        'still rented, that are another model, or that differ from a serial number in case alone. Each alternative ' +
        'is returned with its lines and its difference ' +
        'from the order. An order that is already posted is a conflict, because those ledgers already include it.',
      tag: 'Orders',
      scope: 'orders:read',
      query: INCLUDE_PARAMETER,
      body: { schema: EstimateParams, example: example.asked },
      answer: {
        description: 'The estimate.',
        schema: schemaRef(EstimateResponse),
        example: example.answer,
        headers: {
          'Dataset-Release': 'Release of the datasets that the order was estimated with.',
          ...IGNORED_HEADER,
          ...WARNINGS_HEADER,
        },
      },
      failures: ['invalid_request', 'conflict', 'too_large', 'unsupported_media_type'],
      handle: (request, reply) => estimate(context, validate, request, reply),
    },
  ]
}

const OWN_MEMBERS = ['alternatives']

async function estimate(
  context: EstimatesContext,
  validate: Validate,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const include = parseInclude(request)
  const { referenceDataOf } = context
  const caller = callerOf(request)
  const release = await context.releaseFor(caller)
  const { referenceData, releaseId } = release
  const body = withoutNulls(request.body ?? {}, NULLS_OF_ESTIMATE)
  const mappingOf = await context.mappings.of(caller)
  await context.matchAhead(caller.accountId, body, mappingOf, release, () => abortOnDisconnect(reply.raw))
  const limits = dayLimitsAt(context.now(), caller.daysAheadMax)
  const { read, asked, alternatives } = readAll(body, validate, referenceData, mappingOf, limits)
  setIgnoredHeader(reply, read.ignored)
  refuseIfStrict(caller, read.warnings)

  const { accountId, isCapped } = caller
  const wire = await underStoredKey(context.storedIds, accountId, read)
  const before = await context.orderReader.devicesBefore(accountId, orderKeyOf(wire), serialNumbersOf(read.items))
  if (!before) throw postedAlready(wire)
  const { ledgers, similar } = before
  const referenceDataById = await loadReferenceDataOf(ledgers, [releaseId], referenceDataOf)
  const known = await openDevices({ ...read, releaseId }, ledgers, referenceDataById)
  const estimateOf = (items: readonly ResolvedItem[], refurbished: Refurbishment | null) =>
    estimateOrder({ wire: read.wire, items, releaseId, isCapped }, known, refurbished, referenceData)
  const impossible = validateRefurbishments({ ...read, releaseId, isCapped }, known, alternatives, referenceData)
  if (impossible.length > 0) throw invalidRequest(impossible)
  const findings = matchesOf(read.items)
  const footprint = estimateOf(read.items, null)
  const others = alternatives.map(({ name, order, refurbished }) => ({
    name,
    footprint: estimateOf(resolveStored(order, findings, referenceData), refurbished),
  }))
  const ofLedgers = await ledgerWarnings({ ...read, releaseId }, known)
  const warnings = [
    ...read.warnings,
    ...ofLedgers,
    ...similarityWarnings(read.items, similar, known),
    ...refurbishmentWarnings(read, known, alternatives, referenceData),
  ]
  setWarningsHeader(reply, warnings)
  const order = {
    ...encodeOrder(read.wire, footprint, releaseId),
    createdAt: context.now(),
    status: 'created' as const,
  }
  const answered = { accountId, order, items: footprint.items, referenceData }
  return reply
    .header('dataset-release', referenceData.release)
    .type(JSON_TYPE)
    .send(withWarnings(estimateView(answered, asked ? others : null, include), warnings))
}

/** @throws ApiError with the problems of the order and of its alternatives, up to PROBLEMS_MAX */
function readAll(
  body: unknown,
  validate: Validate,
  referenceData: ReferenceData,
  mappingOf: MappingOf,
  limits: DayLimits | null,
) {
  const read = parseOrder(body, validate, referenceData, mappingOf, limits, OWN_MEMBERS)
  if (!read.ok) {
    const others = validateAlternatives(body, read.order, read.shape, referenceData)
    throw invalidRequest([...read.problems, ...others].slice(0, PROBLEMS_MAX))
  }
  const { alternatives: asked } = body as { readonly alternatives?: readonly WireAlternative[] }
  const changed = readAlternatives(toEngineOrder(read.wire), asked ?? [], referenceData)
  if (!changed.ok) throw invalidRequest(changed.problems)
  return { read, asked, alternatives: changed.alternatives }
}

/** The ledgers of the devices already include this order: estimated as a new order, it would get other figures. */
function postedAlready({ customer_id: customerId, order_id: orderId }: WireOrder): ApiError {
  const order = { order_id: orderId.slice(0, 80), customer_id: customerId.slice(0, 80) }
  return new ApiError('conflict', ROUTE_MESSAGES.order_posted(order), [
    { path: '/order_id', ...ROUTE_MESSAGES.order_id_posted() },
  ])
}
