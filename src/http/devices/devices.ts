// GET /api/device-emissions/{id}: what all orders posted to one device, and its life as a story; the list of devices.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ReferenceData } from '../../engine/figures/factor-book.ts'
import type { OrderReader } from '../../postgres/orders/order-files.ts'
import { callerOf } from '../serving/authenticate.ts'
import { untilGone } from '../serving/whoever-asks.ts'
import { sendPieces, type AskedPieces } from '../requests/asked-pieces.ts'
import { ref } from '../requests/component.ts'
import { answerDevice, deviceHeaders, type DeviceAsk } from './device-answer.ts'
import { deviceListOperation, type DeviceListContext } from './device-list.ts'
import { Failure } from '../requests/failure.ts'
import type { Operation } from '../serving/operation.ts'
import { oneOf, readQuery } from '../requests/query.ts'
import { normalSerial } from '../wire/read-order.ts'
import { renderLedger } from '../wire/render-ledger.ts'
import { KNOWN_AT, timeOf, type Include } from '../requests/request-manners.ts'
import { DeviceOrderEmissionsResponse } from '../wire/ledger-schema.ts'

export interface DevicesContext extends DeviceListContext {
  readonly files: OrderReader
  readonly book: ReferenceData
  /** Has a device with a long journal answered elsewhere. @throws Failure */
  readonly askDevice: (ask: DeviceAsk, signal: AbortSignal) => Promise<AskedPieces>
  readonly examples: { readonly ledger: unknown }
}

const QUERY = {
  include: oneOf('What to add: every entry that was posted, the device’s life as a story with its balance.', [
    'entries',
    'story',
  ]),
  known_at: KNOWN_AT,
}

export const deviceOperations = (context: DevicesContext): readonly Operation[] => [
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
      schema: ref(DeviceOrderEmissionsResponse),
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
  const query = readQuery(request.query, QUERY)
  const serialNumber = serialOf((request.params as { readonly id: string }).id)
  const include = new Set(query['include']) as Include
  const { accountId } = callerOf(request)
  return answerLedger(context, { accountId, serialNumber, knownAt: timeOf(query['known_at']), include }, reply)
}

/** @throws Failure for an empty one */
export function serialOf(text: string): string {
  const serialNumber = normalSerial(text)
  if (serialNumber === '') throw new Failure('not_found', 'Name a serial number in the path')
  return serialNumber
}

export const unknownDevice = (serialNumber: string): Failure =>
  new Failure('not_found', `No order was ever recorded for a device "${serialNumber.slice(0, 80)}"`)

/** The device's ledger as it stands, or as it was known at some time. */
export async function answerLedger(
  { files, book, bookOf, askDevice }: Pick<DevicesContext, 'files' | 'book' | 'bookOf' | 'askDevice'>,
  ask: DeviceAsk,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { accountId, serialNumber, knownAt, include } = ask
  const file = isStorable(serialNumber) ? await files.deviceFile(accountId, serialNumber, knownAt) : null
  if (file === 'long') return sendPieces(await askDevice(ask, untilGone(reply.raw)), reply)
  const { headers, pieces } = file
    ? await answerDevice(ask, file, bookOf)
    : {
        headers: deviceHeaders([book.release]),
        pieces: renderLedger(serialNumber, [], include.has('entries') ? ',"entries":[]' : ''),
      }
  return reply.headers(headers).send([...pieces].join(''))
}

/** No order has such a serial number, and PostgreSQL could not even be asked for one with a NUL. */
export const isStorable = (serialNumber: string): boolean => !serialNumber.includes('\0')
