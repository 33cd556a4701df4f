// GET /api/devices: the devices that were ever rented, with what is left of each and who has or had it last.
import type { FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import type { ReferenceData } from '../../engine/reference/reference-data.ts'
import { footprintById } from '../../engine/reference/footprint.ts'
import { EMISSION_UNIT, toKilograms } from '../../engine/numbers/emission.ts'
import { ONE } from '../../engine/numbers/rational.ts'
import type { DeviceCursor, DeviceSort, ListDevices, ListedDevice as Listed } from '../../postgres/device-list.ts'
import { callerOf } from '../serving/authenticate.ts'
import { schemaRef } from '../requests/component.ts'
import { rawNumber } from '../requests/exact-json.ts'
import { ListedDevice } from '../wire/ledger-schema.ts'
import type { RouteDefinition } from '../serving/operation.ts'
import { identifier } from '../requests/parameters.ts'
import {
  oneOfWithDefault,
  isText,
  listCursor,
  nextPage,
  pageLimit,
  parseQuery,
  type Parameters,
  LINK,
} from '../requests/query.ts'
import { normaliseSerialNumber } from '../wire/read-order.ts'

export interface DeviceListContext {
  readonly listDevices: ListDevices
  readonly bookOf: (releaseId: number) => Promise<ReferenceData>
}

const PATH = '/api/devices'
const LIMIT_MAX = 100
const LIMIT_DEFAULT = 25

const EXAMPLE = {
  serial_number: 'C02XL0AAJGH5',
  charged_by: 'apple-macbook-air-13-m3-256gb',
  name: 'Apple MacBook Air 13 M3 256GB',
  emission_unit: EMISSION_UNIT,
  put_in: 109.35,
  given_to_orders: 6.834375,
  unallocated_residual: 0,
  left: 102.515625,
  total_emission: 9.9289,
  number_of_orders: 1,
  last_rental: { customer_id: 'customer-17', order_id: 'order-2024-1212', from: '2025-01-01', to: '2025-04-01' },
}

export const deviceListOperation = (context: DeviceListContext): RouteDefinition => ({
  id: 'listDevices',
  method: 'GET',
  path: PATH,
  summary: 'Devices that were rented, with what is left of each',
  description:
    'By serial number, by code point, or by what was posted on them; page by page through the header Link. With ' +
    'customer_id, the total, the orders and the last rental are those of that customer alone; what was put in and ' +
    'what is left are of the device.',
  tag: 'Devices',
  scope: 'orders:read',
  query: listParameters(0, {}),
  answer: {
    description: 'The devices as they stand.',
    schema: Type.Array(schemaRef(ListedDevice)),
    example: [EXAMPLE],
    headers: LINK,
  },
  failures: ['invalid_request'],
  handle: (request, reply) => list(context, request, reply),
})

const PREFIX_LENGTH_MAX = 200

/** Least first, or heaviest first. */
const SORTS: readonly DeviceSort[] = ['serial_number', 'total_emission', '-total_emission']
const USUAL_SORT = 'serial_number'

type Sent = Readonly<Record<string, unknown>>

/** @param sent with them: what is counted, and in which sequence, decides of which list a cursor is */
const listParameters = (accountId: number, sent: Sent): Parameters => ({
  serial_prefix: {
    description: 'What the serial number begins with. Compared after NFC and trimming.',
    schema: { type: 'string', minLength: 1, maxLength: PREFIX_LENGTH_MAX },
    check: (value) =>
      isText(normaliseSerialNumber(value)) && [...value].length <= PREFIX_LENGTH_MAX
        ? null
        : `Must be 1 to ${PREFIX_LENGTH_MAX} characters, none of them a control character`,
  },
  customer_id: identifier('Devices that this customer rents or rented, also where that was cancelled.'),
  charged_by: identifier(
    'Devices that are charged by this model, or by this stand-in, as reports group them or with what it was fitted at.',
  ),
  sort: oneOfWithDefault(
    'By serial number, or by total_emission: least first, or with a minus heaviest first.',
    SORTS,
    USUAL_SORT,
  ),
  limit: pageLimit('Devices', LIMIT_MAX, LIMIT_DEFAULT),
  cursor: cursorOf(accountId, sent).parameter,
})

/** Names the last device of a page. */
const cursorOf = (accountId: number, { sort = USUAL_SORT, customer_id: customerId = '' }: Sent) =>
  listCursor<DeviceCursor>(
    ['devices', accountId, String(sort), String(customerId)],
    ({ serialNumber, posted }) => [serialNumber, String(posted)],
    (serialNumber, posted = '') =>
      serialNumber !== undefined && /^-?\d{1,18}$/.test(posted) ? { serialNumber, posted: BigInt(posted) } : null,
  )

async function list(
  { listDevices, bookOf }: DeviceListContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { accountId } = callerOf(request)
  const sent = request.query as Sent
  const query = parseQuery(sent, listParameters(accountId, sent))
  const cursor = cursorOf(accountId, sent)
  const limit = Number(query['limit']?.[0] ?? LIMIT_DEFAULT)
  const found = await listDevices({
    accountId,
    prefix: query['serial_prefix'] ? normaliseSerialNumber(query['serial_prefix'][0]!) : null,
    customerId: query['customer_id']?.[0] ?? null,
    basis: query['charged_by']?.[0] ?? null,
    sort: (query['sort']?.[0] ?? USUAL_SORT) as DeviceSort,
    after: query['cursor'] ? cursor.read(query['cursor'][0]!) : null,
    limit: limit + 1,
  })
  const page = found.slice(0, limit)
  const last = page.at(-1)
  if (found.length > limit && last) void reply.header('link', nextPage(PATH, query, cursor.write(last)))
  const books = new Map<number, ReferenceData>()
  for (const { releaseId } of page) books.set(releaseId, await bookOf(releaseId))
  return reply.send(page.map((device) => printDevice(device, books.get(device.releaseId)!)))
}

/** What is not given stays with the owner of a device that is gone. The weight decides the figures, not the name. */
function printDevice({ gone, lastRental, ...device }: Listed, book: ReferenceData) {
  const { putIn, given, posted } = device
  const rest = rawNumber(toKilograms(putIn - given))
  return {
    serial_number: device.serialNumber,
    charged_by: device.basis,
    name: footprintById(device.basis, ONE, book).name,
    emission_unit: EMISSION_UNIT,
    put_in: rawNumber(toKilograms(putIn)),
    given_to_orders: rawNumber(toKilograms(given)),
    unallocated_residual: gone ? rest : 0,
    left: gone ? 0 : rest,
    total_emission: rawNumber(toKilograms(posted)),
    number_of_orders: device.orderCount,
    gone: gone ?? undefined,
    last_rental: lastRental
      ? { customer_id: lastRental.customerId, order_id: lastRental.orderId, from: lastRental.from, to: lastRental.to }
      : undefined,
  }
}
