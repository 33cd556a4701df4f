// GET …/verification: an order's receipt made from what is stored, and computed again as anyone would elsewhere.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { orderKey } from '../../engine/device-run.ts'
import type { FactorBook } from '../../engine/figures/factor-book.ts'
import type { OrderFile } from '../../postgres/orders/events.ts'
import type { OrderFiles } from '../../postgres/orders/order-files.ts'
import { verifyInSteps } from '../../receipts/verify-receipt.ts'
import { callerOf } from '../serving/authenticate.ts'
import { ref } from '../requests/component.ts'
import { inSlices } from '../serving/in-slices.ts'
import type { Operation } from '../serving/operation.ts'
import { ORDER_PARAMETERS, ORDER_PATH, askedFile } from './order-lookup.ts'
import { readQuery } from '../requests/query.ts'
import { makeReceipt } from './receipt-maker.ts'
import { Verification } from '../wire/receipt-schema.ts'
import { KNOWN_AT, timeOf } from '../requests/request-manners.ts'
import { readBooks } from '../wire/stored-journal.ts'

export interface VerificationContext {
  readonly version: string
  readonly files: OrderFiles
  readonly book: FactorBook
  readonly bookOf: (releaseId: number) => Promise<FactorBook>
  readonly now: () => Date
}

const QUERY = { known_at: KNOWN_AT }

export const verificationOperations = (context: VerificationContext): readonly Operation[] => [
  {
    id: 'verifyOrder',
    method: 'GET',
    path: `${ORDER_PATH}/verification`,
    summary: 'Compute an order again',
    description:
      'Makes the receipt of the order from what is stored, computes everything in it again from the order as it was ' +
      'received, its events and the figures of its releases, and compares it with what was posted.',
    tag: 'Orders',
    scope: 'orders:read',
    pathParameters: ORDER_PARAMETERS,
    query: QUERY,
    answer: {
      description: 'What was computed again, and whether it is equal.',
      schema: ref(Verification),
      example: {
        outcome: 'equal',
        verified_at: '2025-01-02T08:00:00.000Z',
        lines: 4,
        devices: 1,
        entries: 1,
        dataset_releases: [context.book.release],
      },
    },
    failures: ['invalid_request', 'not_found'],
    handle: (request, reply) => verifyOrder(context, request, reply),
  },
]

async function verifyOrder(
  context: VerificationContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const knownAt = timeOf(readQuery(request.query, QUERY)['known_at'])
  const file = await askedFile(context, request, knownAt)
  return reply.send(await verify(context, callerOf(request).accountId, file, knownAt))
}

async function verify(context: VerificationContext, accountId: number, file: OrderFile, knownAt: Date | null) {
  const { version, book, bookOf, now } = context
  const at = now()
  const books = await readBooks(file.journals, [file.order.releaseId], bookOf)
  const { tree, lines, devices } = await inSlices(makeReceipt(file, books, { accountId, version, at, knownAt }))
  const releaseIds = new Set([...file.journals.values()].map(({ device }) => device.releaseId))
  const stored = [book, ...[...releaseIds, file.order.releaseId].map(books)]
  const verification = await inSlices(verifyInSteps(tree, true, stored))
  const isEqual = verification.outcome === 'equal'
  return {
    outcome: verification.outcome,
    verified_at: at.toISOString(),
    lines,
    devices,
    entries: ownEntries(file),
    dataset_releases: isEqual ? verification.receipt.comparedReleases : [],
    ...(!isEqual && { difference: differenceOf(verification) }),
  }
}

function ownEntries({ order, journals, entries }: OrderFile): number {
  const all = [...entries, ...[...journals.values()].flatMap((journal) => journal.entries)]
  return all.filter((entry) => orderKey(entry) === orderKey(order)).length
}

const differenceOf = ({ pointer, expected, found }: Readonly<Record<'pointer' | 'expected' | 'found', string>>) => ({
  pointer,
  expected,
  found,
})
