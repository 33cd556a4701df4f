// GET /api/device-emissions/{id}: what all orders posted to one device, and its life as a story; the list of devices.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ReferenceData } from '../../engine/reference/reference-data.ts'
import type { OrderReader } from '../../postgres/order-reader.ts'
import { callerOf } from '../serving/authenticate.ts'
import { abortOnDisconnect } from '../serving/whoever-asks.ts'
import { sendStreamedResponse, type StreamedResponse } from '../requests/asked-pieces.ts'
import { schemaRef } from '../requests/component.ts'
import { buildDeviceResponse, deviceHeaders, type DeviceRequest } from './device-answer.ts'
import { deviceListOperation, type DeviceListContext } from './device-list.ts'
import { ApiError } from '../requests/failure.ts'
import type { RouteDefinition } from '../serving/operation.ts'
import { oneOf, parseQuery } from '../requests/query.ts'
import { normaliseSerialNumber } from '../wire/read-order.ts'
import { deviceLedgerView } from '../wire/render-ledger.ts'
import { KNOWN_AT_PARAMETER, parseTime, type Include } from '../requests/request-manners.ts'
import { DeviceOrderEmissionsResponse } from '../wire/ledger-schema.ts'

export interface DevicesContext extends DeviceListContext {
  readonly files: OrderReader
  readonly book: ReferenceData
  /** Has a device with a long journal answered elsewhere. @throws Failure */
  readonly askDevice: (ask: DeviceRequest, signal: AbortSignal) => Promise<StreamedResponse>
  readonly examples: { readonly ledger: unknown }
}

const QUERY = {
  include: oneOf('What to add: every entry that was posted, the device’s life as a story with its balance.', [
    'entries',
    'story',
  ]),
  known_at: KNOWN_AT_PARAMETER,
}

export const deviceOperations = (context: DevicesContext): readonly RouteDefinition[] => [
  deviceListOperation(context),
  {
    id: 'getDeviceEmissions',
    method: 'GET',
    path: '/api/device-emissions/{id}',
    summary: 'All order emissions of one device',
    description: 'A device that was never rented has no orders and a total of 0.',
    tag: 'Devices',
    scope: 'orders:read',
    pathParameters: { id: { description: 'Serial number of the device.', example: 'C02XL0AAJGH5' } },
    query: QUERY,
    answer: {
      description: 'The device’s orders, by tenure start, then order id.',
      schema: schemaRef(DeviceOrderEmissionsResponse),
      example: context.examples.ledger,
      headers: { 'Dataset-Release': 'Releases of the datasets that the orders were estimated with.' },
    },
    failures: ['invalid_request', 'not_found'],
    handle: (request, reply) => getDeviceEmissions(context, request, reply),
  },
]

async function getDeviceEmissions(
  context: DevicesContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const query = parseQuery(request.query, QUERY)
  const serialNumber = serialNumberOf((request.params as { readonly id: string }).id)
  const include = new Set(query['include']) as Include
  const { accountId } = callerOf(request)
  return sendLedger(context, { accountId, serialNumber, knownAt: parseTime(query['known_at']), include }, reply)
}

/** @throws Failure for an empty one */
export function serialNumberOf(text: string): string {
  const serialNumber = normaliseSerialNumber(text)
  if (serialNumber === '') throw new ApiError('not_found', 'Name a serial number in the path')
  return serialNumber
}

export const deviceNotFound = (serialNumber: string): ApiError =>
  new ApiError('not_found', `No order was ever recorded for a device "${serialNumber.slice(0, 80)}"`)

/** The device's ledger as it stands, or as it was known at some time. */
export async function sendLedger(
  { files, book, bookOf, askDevice }: Pick<DevicesContext, 'files' | 'book' | 'bookOf' | 'askDevice'>,
  ask: DeviceRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { accountId, serialNumber, knownAt, include } = ask
  const file = canBeStored(serialNumber) ? await files.deviceFile(accountId, serialNumber, knownAt) : null
  if (file === 'long') return sendStreamedResponse(await askDevice(ask, abortOnDisconnect(reply.raw)), reply)
  const { headers, pieces } = file
    ? await buildDeviceResponse(ask, file, bookOf)
    : {
        headers: deviceHeaders([book.release]),
        pieces: deviceLedgerView(serialNumber, [], include.has('entries') ? ',"entries":[]' : ''),
      }
  return reply.headers(headers).send([...pieces].join(''))
}

/** No order has such a serial number, and PostgreSQL could not even be asked for one with a NUL. */
export const canBeStored = (serialNumber: string): boolean => !serialNumber.includes('\0')
