// GET /api/device-emissions/{id}: what all orders posted to one device.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FactorBook } from '../engine/factor-book.ts'
import type { DeviceOrder, Orders } from '../postgres/orders.ts'
import { accountOf } from './authenticate.ts'
import { ref } from './component.ts'
import { Failure } from './failure.ts'
import type { Operation } from './operation.ts'
import { readQuery } from './query.ts'
import { normalSerial } from './read-order.ts'
import { renderLedger, type LedgerOrder } from './render.ts'
import { DeviceOrderEmissionsResponse } from './response-schema.ts'
import { describeParts } from './stored-order.ts'
import { JSON_TYPE } from './exact-json.ts'

export interface DevicesContext {
  readonly orders: Orders
  readonly book: FactorBook
  readonly bookOf: (releaseId: number) => Promise<FactorBook>
  readonly examples: { readonly ledger: unknown }
}

export const deviceOperations = (context: DevicesContext): readonly Operation[] => [
  {
    id: 'getDeviceEmissions',
    method: 'GET',
    path: '/api/device-emissions/{id}',
    summary: 'All order emissions of one device',
    description: 'A device that was never rented has no orders and a total of 0.',
    tag: 'Devices',
    scope: 'orders:read',
    pathParameters: { id: { description: 'Serial number of the device.', example: 'C02XL0AAJGH5' } },
    query: {},
    answer: {
      description: 'The device’s orders, by tenure start, then order id.',
      schema: ref(DeviceOrderEmissionsResponse),
      example: context.examples.ledger,
      headers: { 'Dataset-Release': 'Releases of the datasets that the orders were estimated with.' },
    },
    failures: ['invalid_request'],
    handle: (request, reply) => getDeviceEmissions(context, request, reply),
  },
]

async function getDeviceEmissions(
  context: DevicesContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  readQuery(request.query, {})
  const serialNumber = normalSerial((request.params as { readonly id: string }).id)
  if (serialNumber === '') throw new Failure('not_found', 'Name a serial number: GET /api/device-emissions/{id}')
  const orders = isStorable(serialNumber) ? await context.orders.listOfDevice(accountOf(request), serialNumber) : []
  const books = new Map<number, FactorBook>()
  for (const { order } of orders) books.set(order.releaseId, await context.bookOf(order.releaseId))
  const releases = [...books.values()].map(({ release }) => release)
  return reply
    .header('dataset-release', releases.join(', ') || context.book.release)
    .type(JSON_TYPE)
    .send(
      renderLedger(
        serialNumber,
        orders.map((order) => toLedgerOrder(order, books.get(order.order.releaseId)!)),
      ),
    )
}

/** No order has such a serial number, and PostgreSQL could not even be asked for one with a NUL. */
const isStorable = (serialNumber: string): boolean => !serialNumber.includes('\0')

const toLedgerOrder = ({ order, share }: DeviceOrder, book: FactorBook): LedgerOrder => ({
  order,
  share,
  parts: describeParts(order, share.serialNumber, book),
})
