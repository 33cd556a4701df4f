// GET /api/device-emissions/{id}: what all orders posted to one device, and its life as a story; the list of devices.
import { Readable } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { orderKey } from '../../engine/device-run.ts'
import type { BookOf, FactorBook } from '../../engine/figures/factor-book.ts'
import type { Steps } from '../../engine/numbers/steps.ts'
import type { DeviceFile, OrderFiles } from '../../postgres/orders/order-files.ts'
import { callerOf } from '../serving/authenticate.ts'
import { inSlices } from '../serving/in-slices.ts'
import { ref } from '../requests/component.ts'
import { deviceListOperation, type DeviceListContext } from './device-list.ts'
import { Failure } from '../requests/failure.ts'
import { ledgerOrders } from '../wire/ledger-view.ts'
import type { Operation } from '../serving/operation.ts'
import { oneOf, readQuery } from '../requests/query.ts'
import { normalSerial } from '../wire/read-order.ts'
import { renderEntries } from '../wire/render-entries.ts'
import { renderLedger, renderStory, type LedgerOrder } from '../wire/render-ledger.ts'
import { KNOWN_AT, timeOf, type Include } from '../requests/request-manners.ts'
import { DeviceOrderEmissionsResponse } from '../wire/ledger-schema.ts'
import { knownInSteps, readBooks, runOfDevice } from '../wire/stored-journal.ts'
import { JSON_TYPE } from '../requests/exact-json.ts'

export interface DevicesContext extends DeviceListContext {
  readonly files: OrderFiles
  readonly book: FactorBook
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
  return answerLedger(context, callerOf(request).accountId, serialNumber, timeOf(query['known_at']), include, reply)
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
  context: Pick<DevicesContext, 'files' | 'book' | 'bookOf'>,
  accountId: number,
  serialNumber: string,
  knownAt: Date | null,
  include: Include,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const file = isStorable(serialNumber) ? await context.files.deviceFile(accountId, serialNumber, knownAt) : null
  if (file?.release) releaseWith(reply, file.release)
  if (!file) void reply.header('dataset-release', context.book.release)
  const pieces = file
    ? await renderFile(context, accountId, serialNumber, file, include, reply)
    : renderLedger(serialNumber, [], include.has('entries') ? ',"entries":[]' : '')
  const [first, second] = [pieces.next().value, pieces.next().value]
  void reply.type(JSON_TYPE)
  if (second === undefined) return reply.send(first)
  return reply.send(Readable.from(inTurns(first!, second, pieces), { objectMode: false }))
}

/** The place of a long answer is free once its connection is done with it, or gone. */
function releaseWith({ raw }: FastifyReply, release: () => void): void {
  if (raw.closed) release()
  else raw.once('close', release)
}

/** Others have their turn between two pieces. */
async function* inTurns(first: string, second: string, others: Iterable<string>): AsyncGenerator<string> {
  yield first
  yield second
  for (const piece of others) {
    await turn()
    yield piece
  }
}

/** No order has such a serial number, and PostgreSQL could not even be asked for one with a NUL. */
export const isStorable = (serialNumber: string): boolean => !serialNumber.includes('\0')

async function renderFile(
  { bookOf }: Pick<DevicesContext, 'bookOf'>,
  accountId: number,
  serialNumber: string,
  { journal, orders }: DeviceFile,
  include: Include,
  reply: FastifyReply,
): Promise<ReturnType<typeof renderLedger>> {
  const releases = orders.map(({ releaseId }) => releaseId)
  const books = await readBooks(new Map([[serialNumber, journal]]), releases, bookOf)
  const names = new Set([journal.device.releaseId, ...releases].map((id) => books(id).release))
  void reply.header('dataset-release', [...names].join(', '))
  const { listed, additions } = await inSlices(prepare(accountId, serialNumber, { journal, orders }, books, include))
  return renderLedger(serialNumber, listed, additions)
}

/** A device may have a hundred thousand entries. */
function* prepare(
  accountId: number,
  serialNumber: string,
  { journal, orders }: DeviceFile,
  books: BookOf,
  include: Include,
): Steps<{ readonly listed: readonly LedgerOrder[]; readonly additions: string }> {
  const device = yield* knownInSteps(journal, books)
  const run = yield* runOfDevice(device)
  const byKey = new Map(orders.map((order) => [orderKey(order), order]))
  const entries = include.has('entries') ? yield* renderEntries(accountId, journal.entries, journal.entries) : null
  const story = include.has('story') ? yield* renderStory(device, run) : null
  const additions = (entries === null ? '' : `,"entries":${entries}`) + (story === null ? '' : `,"story":${story}`)
  const listed = yield* ledgerOrders(serialNumber, device, run, byKey, books)
  return { listed, additions }
}
