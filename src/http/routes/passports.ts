// GET /api/devices/{serial}/passport and …/epcis: the signed passport of a device, and what happened to it.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { runCooperatively } from '../../concurrency/cooperative.ts'
import { ApiError } from '../../contract/errors.ts'
import { schemaRef } from '../../contract/named-schema.ts'
import { privateKeyOf, type Run } from '../../documents/signature.ts'
import type { ReferenceData } from '../../engine/reference/reference-data.ts'
import { loadReferenceDataOf } from '../../ledger/codec.ts'
import { epcisOf, signPassport, type PassportSubject } from '../../passports/passport.ts'
import type { ReadDeviceHistory } from '../../postgres/device-history.ts'
import type { StatementKey } from '../../postgres/statement-keys.ts'
import { canonicaliseResumable } from '../../strict-json/exact-tree.ts'
import { JSON_TYPE } from '../../strict-json/json-number.ts'
import { ROUTE_MESSAGES } from '../messages.ts'
import { parseQuery } from '../parameters.ts'
import { callerOf } from '../plugins/authentication.ts'
import { abortOnDisconnect } from '../plugins/client-abort.ts'
import type { RouteDefinition } from '../route-definition.ts'
import { DevicePassport, EpcisDocument } from '../schemas/passport.ts'
import { canBeStored, deviceNotFound, serialNumberOf } from './devices.ts'
import { MAKES_KEY } from './statements.ts'

export interface PassportsContext {
  readonly readDeviceHistory: ReadDeviceHistory
  readonly referenceDataOf: (releaseId: number) => Promise<ReferenceData>
  readonly statementKeyOf: (accountId: number) => Promise<StatementKey>
  readonly now: () => Date
}

/** A larger passport would have several megabytes. */
const ENTRIES_MAX = 2_000

const JSON_LD = 'application/ld+json'
/** The key makes the pseudonyms, too. */
const FAILURES = ['invalid_request', 'not_found', 'too_large', ...MAKES_KEY] as const

const COMMON = {
  method: 'GET',
  tag: 'Devices',
  scope: 'orders:read',
  pathParameters: { serial: { description: 'Serial number of the device.', example: 'C02XL0AAJGH5' } },
  query: {},
  failures: FAILURES,
} as const satisfies Partial<RouteDefinition>

export const passportOperations = (
  context: PassportsContext,
  examples: { readonly passport: unknown; readonly epcis: unknown },
): readonly RouteDefinition[] => [
  {
    ...COMMON,
    id: 'getDevicePassport',
    path: '/api/devices/{serial}/passport',
    summary: 'Get the passport of a device',
    description:
      'Returns what is known of a device, for whoever takes it over: model, embodied emission with the source, ' +
      'rentals with their shares, and events. The header is that of EN 18223. It is the record of the lessor, ' +
      'not the passport of the maker. Customers and orders have pseudonyms, which differ from ' +
      'device to device. The passport is signed like a statement. It changes only when something is recorded, or on ' +
      'the day of a recorded event.',
    answer: {
      description: 'The passport: JSON-LD, which is JSON.',
      schema: schemaRef(DevicePassport),
      otherTypes: { [JSON_LD]: schemaRef(DevicePassport) },
      example: examples.passport,
    },
    handle: (request, reply) => getPassport(context, request, reply),
  },
  {
    ...COMMON,
    id: 'getDeviceEpcis',
    path: '/api/devices/{serial}/epcis',
    summary: 'Export the events of a device as EPCIS 2.0',
    description:
      'Returns the events of the passport of the device, as they are sent to the capture interface of a repository. ' +
      'An event that was withdrawn or corrected has an `errorDeclaration`. The id of an event is its hash, so an ' +
      'export that is repeated adds nothing.',
    answer: {
      description: 'The events until now, by their time.',
      schema: schemaRef(EpcisDocument),
      otherTypes: { [JSON_LD]: schemaRef(EpcisDocument) },
      example: examples.epcis,
    },
    handle: (request, reply) => getEpcis(context, request, reply),
  },
]

async function getPassport(context: PassportsContext, request: FastifyRequest, reply: FastifyReply) {
  const subject = await subjectOf(context, request)
  const run = runUntilLeft(reply)
  const { tree } = await signPassport(subject, run)
  return reply.type(typeFor(request)).send(await run(canonicaliseResumable(tree)))
}

async function getEpcis(context: PassportsContext, request: FastifyRequest, reply: FastifyReply) {
  const document = await runUntilLeft(reply)(epcisOf(await subjectOf(context, request)))
  return reply.type(typeFor(request)).send(JSON.stringify(document))
}

function runUntilLeft(reply: FastifyReply): Run {
  const signal = abortOnDisconnect(reply.raw)
  return (steps) => runCooperatively(steps, signal)
}

const typeFor = (request: FastifyRequest): string =>
  request.accepts().type(['application/json', JSON_LD]) === JSON_LD ? JSON_LD : JSON_TYPE

/** @throws ApiError for a device of which nothing is known, and one with too many entries */
async function subjectOf(context: PassportsContext, request: FastifyRequest): Promise<PassportSubject> {
  parseQuery(request.query, {})
  const { accountId } = callerOf(request)
  const serialNumber = serialNumberOf((request.params as { readonly serial: string }).serial)
  if (!canBeStored(serialNumber)) throw deviceNotFound(serialNumber)
  const history = await context.readDeviceHistory({ accountId, serialNumber }, ENTRIES_MAX)
  if (history === null) throw deviceNotFound(serialNumber)
  if (history === 'too-large') throw new ApiError('too_large', ROUTE_MESSAGES.passport_too_long({ max: ENTRIES_MAX }))
  const ledgers = new Map([[serialNumber, history.ledger]])
  const { account, privateKey } = await context.statementKeyOf(accountId)
  return {
    history,
    referenceDataOf: await loadReferenceDataOf(ledgers, [], context.referenceDataOf),
    account,
    privateKey: privateKeyOf(privateKey),
    now: context.now(),
  }
}
