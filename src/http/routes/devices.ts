// Devices: the list of all devices that were ever rented, and the ledger of one device with its history.
import { sentIdOf } from '../../engine/order-revision.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import { filteredIds, type StoredIds } from '../../ledger/stored-ids.ts'
import { EMISSION_UNIT } from '../../engine/numbers/emission.ts'
import { ONE, compare, parseDecimal, toDecimal } from '../../engine/numbers/rational.ts'
import { footprintById } from '../../engine/reference/footprint.ts'
import type { ReferenceData } from '../../engine/reference/reference-data.ts'
import type { DeviceCursor, DeviceSort, ListDevices, ListedDevice as Listed } from '../../postgres/device-list.ts'
import type { OrderReader } from '../../postgres/order-reader.ts'
import { ApiError, invalidRequest } from '../../contract/errors.ts'
import {
  KNOWN_AT_PARAMETER,
  LINK,
  identifier,
  isText,
  listCursor,
  nextPage,
  oneOf,
  oneOfWithDefault,
  pageLimit,
  parseQuery,
  parseTime,
  type Include,
  type Parameters,
  type Query,
} from '../parameters.ts'
import { callerOf } from '../plugins/authentication.ts'
import { abortOnDisconnect } from '../plugins/client-abort.ts'
import { normaliseSerialNumber } from '../../contract/parse-order.ts'
import { schemaRef } from '../../contract/named-schema.ts'
import type { DeviceRecords } from '../../ledger/records.ts'
import { DeviceOrderEmissionsResponse, ListedDevice } from '../schemas/order-response.ts'
import type { RouteDefinition } from '../route-definition.ts'
import { sendStreamedResponse, type StreamedResponse } from '../streamed-response.ts'
import { buildDeviceResponse, deviceHeaders, type DeviceRequest } from '../views/device-response.ts'
import { footprintNameView } from '../views/message.ts'
import { deviceLedgerView } from '../views/ledger.ts'
import type { AllocationsRequest } from '../views/allocations.ts'
import { kilogramsView } from '../views/emission.ts'
import { EXPECTED, wrongParameter } from '../../contract/messages.ts'
import { PARAMETER_MESSAGES, ROUTE_MESSAGES } from '../messages.ts'

interface DeviceListContext {
  readonly storedIds: StoredIds
  readonly listDevices: ListDevices
  readonly referenceDataOf: (releaseId: number) => Promise<ReferenceData>
}

const PATH = '/api/devices'
const LIMIT_MAX = 100
const LIMIT_DEFAULT = 25

const EXAMPLE = {
  serial_number: 'C02XL0AAJGH5',
  footprint_id: 'apple-macbook-air-13-m3-256gb',
  name: 'Apple MacBook Air 13 M3 256GB',
  emission_unit: EMISSION_UNIT,
  embodied_total: 109.35,
  allocated: 6.834375,
  unallocated: 0,
  remaining: 102.515625,
  total_emission: 9.9289,
  number_of_orders: 1,
  last_rental: { customer_id: 'customer-17', order_id: 'order-2024-1212', from: '2025-01-01', to: '2025-04-01' },
}

const deviceListOperation = (context: DeviceListContext): RouteDefinition => ({
  id: 'listDevices',
  method: 'GET',
  path: PATH,
  summary: 'List devices',
  description:
    'Returns all devices that were rented, with the remaining embodied emission of each. Sorted by serial number (by ' +
    'code point) or by posted emissions, and paged through `Link`. With customer_id, the total emission, the number ' +
    'of orders and the last rental are those of that customer only; the embodied and remaining emissions are those ' +
    'of the device.',
  tag: 'Devices',
  scope: 'orders:read',
  query: listParameters(0, {}),
  answer: {
    description: 'The devices in their current state.',
    schema: Type.Array(schemaRef(ListedDevice)),
    example: [EXAMPLE],
    headers: LINK,
  },
  failures: ['invalid_request'],
  handle: (request, reply) => list(context, request, reply),
})

const PREFIX_LENGTH_MAX = 200

/** By serial number, or by posted emissions: smallest first, or with a minus sign largest first. */
const SORTS: readonly DeviceSort[] = ['serial_number', 'total_emission', '-total_emission']
const USUAL_SORT = 'serial_number'

type Sent = Readonly<Record<string, unknown>>

/** @param sent all parameters of the request: the sort and the customer decide to which list a cursor belongs */
const listParameters = (accountId: number, sent: Sent): Parameters => ({
  serial_prefix: {
    description: 'Beginning of the serial number. Compared after Unicode NFC and trimming.',
    schema: { type: 'string', minLength: 1, maxLength: PREFIX_LENGTH_MAX },
    check: (value) =>
      isText(normaliseSerialNumber(value)) && [...value].length <= PREFIX_LENGTH_MAX
        ? null
        : EXPECTED.expected_text({ min: 1, max: PREFIX_LENGTH_MAX }),
  },
  customer_id: identifier('Only devices that this customer rents or rented, including cancelled rentals.'),
  footprint_id: identifier(
    'Only devices with the footprint of this model or fallback. A fitted fallback is also found by its id without ' +
      'the part from `@` on, as in reports.',
  ),
  sort: oneOfWithDefault(
    'Sort by serial number, or by total_emission: smallest first, or with a minus sign largest first.',
    SORTS,
    USUAL_SORT,
  ),
  limit: pageLimit('devices', LIMIT_MAX, LIMIT_DEFAULT),
  cursor: cursorOf(accountId, sent).parameter,
})

/** A cursor identifies the last device of a page. */
const cursorOf = (accountId: number, { sort = USUAL_SORT, customer_id: customerId = '' }: Sent) =>
  listCursor<DeviceCursor>(
    ['devices', accountId, String(sort).toLowerCase(), String(customerId)],
    ({ serialNumber, posted }) => [serialNumber, String(posted)],
    (serialNumber, posted = '') =>
      serialNumber !== undefined && /^-?\d{1,18}$/.test(posted) ? { serialNumber, posted: BigInt(posted) } : null,
  )

async function list(
  { listDevices, storedIds, referenceDataOf }: DeviceListContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { accountId } = callerOf(request)
  const sent = request.query as Sent
  const query = parseQuery(sent, listParameters(accountId, sent))
  const cursor = cursorOf(accountId, sent)
  const limit = Number(query['limit']?.[0] ?? LIMIT_DEFAULT)
  const { customerId } = await filteredIds(storedIds, accountId, query)
  const found = await listDevices({
    accountId,
    prefix: query['serial_prefix'] ? normaliseSerialNumber(query['serial_prefix'][0]!) : null,
    customerId,
    footprintId: query['footprint_id']?.[0] ?? null,
    sort: (query['sort']?.[0] ?? USUAL_SORT) as DeviceSort,
    after: query['cursor'] ? cursor.read(query['cursor'][0]!) : null,
    limit: limit + 1,
  })
  const page = found.slice(0, limit)
  const last = page.at(-1)
  if (found.length > limit && last) void reply.header('link', nextPage(PATH, query, cursor.write(last)))
  const referenceDataById = new Map<number, ReferenceData>()
  for (const { releaseId } of page) referenceDataById.set(releaseId, await referenceDataOf(releaseId))
  return reply.send(page.map((device) => printDevice(device, referenceDataById.get(device.releaseId)!)))
}

/** What is unallocated when a device is retired or lost stays with its owner. The weight does not affect the name. */
function printDevice({ decommissioned, lastRental, ...device }: Listed, referenceData: ReferenceData) {
  const { embodiedTotal, allocated, posted } = device
  const rest = kilogramsView(embodiedTotal - allocated)
  return {
    serial_number: device.serialNumber,
    footprint_id: device.footprintId,
    ...footprintNameView(footprintById(device.footprintId, ONE, referenceData)),
    emission_unit: EMISSION_UNIT,
    embodied_total: kilogramsView(embodiedTotal),
    allocated: kilogramsView(allocated),
    unallocated: decommissioned ? rest : 0,
    remaining: decommissioned ? 0 : rest,
    total_emission: kilogramsView(posted),
    number_of_orders: device.orderCount,
    decommissioned: decommissioned ?? undefined,
    last_rental: lastRental
      ? {
          customer_id: lastRental.customerId,
          order_id: sentIdOf(lastRental.orderId),
          from: lastRental.from,
          to: lastRental.to,
        }
      : undefined,
  }
}

export interface DevicesContext extends DeviceListContext {
  readonly orderReader: OrderReader
  readonly referenceData: ReferenceData
  /** Computes the answer for a device with a long ledger in a worker. @throws ApiError */
  readonly askDevice: (ask: DeviceRequest, signal: AbortSignal) => Promise<StreamedResponse>
  readonly examples: { readonly ledger: unknown }
}

/** In any currency. */
const RESALE_VALUE = { min: 0, max: 1_000_000_000 }

const isResaleValue = (value: string): boolean =>
  /^\d{1,10}(\.\d{1,6})?$/.test(value) && Number(value) > RESALE_VALUE.min && Number(value) <= RESALE_VALUE.max

const QUERY = {
  include: oneOf(
    'Members to add: `entries` (all posted entries), `history` (history of the device with its balance), `events` ' +
      '(recorded events of the device itself).',
    ['entries', 'history', 'events'],
  ),
  allocation: {
    ...oneOf(
      'Adds allocations: what each rental would bear of the embodied emission by every method of allocation, to ' +
        'compare. Totals and what is posted stay as they are.',
      ['all'],
    ),
    isList: false,
    schema: { type: 'string', enum: ['all'] },
  },
  resale_values: {
    description:
      'Only with allocation=all, for the method economic: the value of the new device, then its value at the start ' +
      'of each later rental, in one currency, none above the one before. Comma-separated.',
    isList: true,
    check: (value) =>
      isResaleValue(value) ? null : wrongParameter(EXPECTED.expected_number_above(RESALE_VALUE), value),
    schema: {
      type: 'array',
      items: { type: 'number', exclusiveMinimum: RESALE_VALUE.min, maximum: RESALE_VALUE.max },
    },
  },
  known_at: KNOWN_AT_PARAMETER,
} satisfies Parameters

export const deviceOperations = (context: DevicesContext): readonly RouteDefinition[] => [
  deviceListOperation(context),
  {
    id: 'getDeviceEmissions',
    method: 'GET',
    path: '/api/device-emissions/{id}',
    summary: 'Get the emissions of a device',
    description:
      'Returns the emissions of all orders of a device. A device that was never rented has no orders and a total of 0.',
    tag: 'Devices',
    scope: 'orders:read',
    pathParameters: { id: { description: 'Serial number of the device.', example: 'C02XL0AAJGH5' } },
    query: QUERY,
    answer: {
      description: 'The orders of the device, by tenure start, then order id.',
      schema: schemaRef(DeviceOrderEmissionsResponse),
      example: context.examples.ledger,
      headers: { 'Dataset-Release': 'Releases of the datasets that the orders were estimated with.' },
    },
    failures: ['invalid_request', 'not_found', 'too_large'],
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
  const ask = { accountId, serialNumber, knownAt: parseTime(query['known_at']), include }
  const allocations = allocationsOf(query)
  return sendLedger(context, { ...ask, ...(allocations && { allocations }) }, reply)
}

/**
 * Null unless the shares by every method are asked for.
 * @throws ApiError for resale values that rise, and for those of no request for shares
 */
function allocationsOf(query: Query): AllocationsRequest | null {
  const resaleValues = (query['resale_values'] ?? []).map(parseDecimal)
  const path = '?resale_values'
  if (!query['allocation']) {
    if (resaleValues.length > 0) throw invalidRequest([{ path, ...PARAMETER_MESSAGES.resale_values_alone() }])
    return null
  }
  const rise = resaleValues.findIndex((value, at) => at > 0 && compare(value, resaleValues[at - 1]!) > 0)
  if (rise === -1) return { resaleValues }
  const [before, value] = [resaleValues[rise - 1]!, resaleValues[rise]!].map((one) => toDecimal(one))
  throw invalidRequest([{ path, ...PARAMETER_MESSAGES.resale_value_rises({ before: before!, value: value! }) }])
}

/** @throws ApiError for an empty serial number */
export function serialNumberOf(text: string): string {
  const serialNumber = normaliseSerialNumber(text)
  if (serialNumber === '') throw new ApiError('not_found', ROUTE_MESSAGES.serial_number_empty())
  return serialNumber
}

export const deviceNotFound = (serialNumber: string): ApiError =>
  new ApiError('not_found', ROUTE_MESSAGES.device_unknown({ serial_number: serialNumber.slice(0, 80) }))

/** Sends the current ledger of a device, or the ledger as it was known at a given time. */
export async function sendLedger(
  {
    orderReader,
    referenceData,
    referenceDataOf,
    askDevice,
  }: Pick<DevicesContext, 'orderReader' | 'referenceData' | 'referenceDataOf' | 'askDevice'>,
  ask: DeviceRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { accountId, serialNumber, knownAt, include, allocations } = ask
  const records = canBeStored(serialNumber) ? await orderReader.deviceRecords(accountId, serialNumber, knownAt) : null
  if (records === 'long') return sendStreamedResponse(await askDevice(ask, abortOnDisconnect(reply.raw)), reply)
  if (records) return sendDeviceRecords({ referenceDataOf }, ask, records, reply)
  const nothing = deviceLedgerView(serialNumber, [], {
    ...(include.has('entries') && { entries: '[]' }),
    ...(include.has('events') && { events: '[]' }),
    ...(allocations && { allocations: '[]' }),
  })
  return reply.headers(deviceHeaders([referenceData.release])).send([...nothing].join(''))
}

/** Sends the ledger of a device whose records are already loaded. */
export async function sendDeviceRecords(
  { referenceDataOf }: Pick<DevicesContext, 'referenceDataOf'>,
  ask: DeviceRequest,
  records: DeviceRecords,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { headers, pieces } = await buildDeviceResponse(ask, records, referenceDataOf)
  return reply.headers(headers).send([...pieces].join(''))
}

/** No order has a serial number with a NUL, and PostgreSQL does not accept a parameter that contains one. */
export const canBeStored = (serialNumber: string): boolean => !serialNumber.includes('\0')
