// Builds the responses about a stored order; run in the service, or in a worker if a device has a large ledger.
import { orderKey, type OrderKey } from '../../engine/device-timeline.ts'
import type { Problem } from '../../engine/order.ts'
import type { ReferenceDataOf, ReferenceData } from '../../engine/reference/reference-data.ts'
import type { Resumable } from '../../engine/numbers/steps.ts'
import type { OrderRecords, StoredEntry } from '../../ledger/records.ts'
import { privateKeyOf, signDocument, type Run } from '../../documents/signature.ts'
import { canonicaliseResumable, withoutMembers, type Difference } from '../../strict-json/exact-tree.ts'
import { verifyReceiptResumable } from '../../receipts/verify-receipt.ts'
import { JSON_TYPE } from '../../strict-json/json-number.ts'
import type { Include } from '../parameters.ts'
import { runCooperatively } from '../../concurrency/cooperative.ts'
import { originalEstimate, currentOrderState } from '../../ledger/order-state.ts'
import { orderViewResumable } from './order.ts'
import { entryViews } from './ledger.ts'
import { recordedEventsView } from './recorded-event.ts'
import { tagOf } from '../../ledger/correct-order.ts'
import { loadReferenceDataOf, printRecorder } from '../../ledger/codec.ts'
import { correctionsOf, eventsOfOrder, type Correction } from '../../ledger/revisions.ts'
import { warningsMember } from './warnings.ts'
import { buildReceiptFor } from '../../ledger/make-receipt.ts'

/** What is requested of an order: its current state, its creation response, its receipt, or the recomputed receipt. */
export interface OrderRequest {
  readonly of: 'standing' | 'creation' | 'receipt' | 'verification'
  readonly accountId: number
  readonly key: OrderKey
  /** Null for the current state. */
  readonly knownAt: Date | null
  readonly include: Include
  /** Warnings about the request that is answered with the order. */
  readonly warnings?: readonly Problem[]
  /** The key that a receipt is signed with, PKCS #8 in DER; without it the receipt is not signed. */
  readonly signWith?: Uint8Array
}

export interface OrderResponseContext {
  readonly version: string
  readonly referenceData: ReferenceData
  readonly referenceDataOf: (releaseId: number) => Promise<ReferenceData>
  readonly now: () => Date
}

export interface OrderResponse {
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

const answerOf = (
  text: string,
  releases: readonly string[],
  headers: OrderResponse['headers'] = {},
): OrderResponse => ({
  headers: {
    ...(releases.length > 0 && { 'dataset-release': releases.join(', ') }),
    'content-type': JSON_TYPE,
    ...headers,
  },
  text,
})

/** @param signal ends the work */
export async function buildOrderResponse(
  context: OrderResponseContext,
  ask: OrderRequest,
  records: OrderRecords,
  signal?: AbortSignal,
): Promise<OrderResponse> {
  const referenceDataById = await loadReferenceDataOf(
    records.ledgers,
    [records.order.releaseId],
    context.referenceDataOf,
  )
  if (ask.of === 'receipt') return buildReceiptResponse(context, ask, records, referenceDataById, signal)
  return runCooperatively(answersOf[ask.of](context, ask, records, referenceDataById), signal)
}

async function buildReceiptResponse(
  { version, now }: OrderResponseContext,
  { accountId, knownAt, signWith }: OrderRequest,
  records: OrderRecords,
  referenceDataById: ReferenceDataOf,
  signal?: AbortSignal,
): Promise<OrderResponse> {
  const run: Run = (steps) => runCooperatively(steps, signal)
  const { tree } = await run(buildReceiptFor(records, referenceDataById, { accountId, version, at: now(), knownAt }))
  const content = withoutMembers(tree, ['hash'])
  const document = signWith
    ? (await signDocument(content, privateKeyOf(signWith), 'vnd.cradle.receipt+jws', run)).tree
    : tree
  const names = (tree['releases'] as readonly { readonly name: string }[]).map(({ name }) => name)
  return answerOf(await run(canonicaliseResumable(document)), names)
}

type AnswerInSteps = (
  context: OrderResponseContext,
  ask: OrderRequest,
  records: OrderRecords,
  referenceDataById: ReferenceDataOf,
) => Resumable<OrderResponse>

const answersOf: Readonly<Record<Exclude<OrderRequest['of'], 'receipt'>, AnswerInSteps>> = {
  *standing({ version }, { accountId, include, warnings, knownAt }, records, referenceDataById) {
    const { items, status } = yield* currentOrderState(records, referenceDataById)
    const createdAt = records.corrections?.[0]?.replaced.createdAt ?? records.order.createdAt
    const order = { ...records.order, status, createdAt }
    const history = {
      ...(include.has('entries') && { entries: yield* ownEntryViews(accountId, records) }),
      ...(include.has('events') && { events: recordedEventsView(eventsOfOrder(records)) }),
      ...(records.corrections && { corrections: JSON.stringify(correctionsOf(records).map(correctionView)) }),
      ...warningsMember(warnings),
    }
    const referenceData = referenceDataById(order.releaseId)
    const text = yield* orderViewResumable({ accountId, order, items, referenceData }, include, history)
    return answerOf(text, [referenceData.release], knownAt === null ? { etag: `"${tagOf(records, version)}"` } : {})
  },
  *creation(_, { accountId, include, warnings }, { order: stored, ledgers }, referenceDataById) {
    const order = { ...stored, status: 'created' as const }
    const items = yield* originalEstimate({ order, ledgers }, referenceDataById)
    const referenceData = referenceDataById(order.releaseId)
    const text = yield* orderViewResumable(
      { accountId, order, items, referenceData },
      include,
      warningsMember(warnings),
    )
    return answerOf(text, [referenceData.release])
  },
  *verification({ version, referenceData, now }, { accountId, knownAt }, records, referenceDataById) {
    const at = now()
    const { tree, lines, devices } = yield* buildReceiptFor(records, referenceDataById, {
      accountId,
      version,
      at,
      knownAt,
    })
    const releaseIds = new Set([...records.ledgers.values()].map(({ device }) => device.releaseId))
    const stored = [referenceData, ...[...releaseIds, records.order.releaseId].map(referenceDataById)]
    const verification = yield* verifyReceiptResumable(tree, referenceData.matching, stored)
    const isEqual = verification.outcome === 'equal'
    const body = {
      outcome: verification.outcome,
      verified_at: at.toISOString(),
      lines,
      devices,
      entries: ownEntries(records).length,
      dataset_releases: isEqual ? verification.receipt.comparedReleases : [],
      ...(!isEqual && { difference: differenceOf(verification.difference) }),
    }
    return answerOf(JSON.stringify(body), [])
  },
}

const correctionView = ({ eventId, correctedAt, recordedBy, reason, changes }: Correction) => ({
  event_id: eventId,
  corrected_at: correctedAt,
  recorded_by: printRecorder(recordedBy),
  ...(reason !== null && { reason }),
  changes,
})

function ownEntries({ order, ledgers, entries }: OrderRecords): readonly StoredEntry[] {
  const all = [...entries, ...[...ledgers.values()].flatMap((ledger) => ledger.entries)]
  return all.filter((entry) => orderKey(entry) === orderKey(order))
}

/** The order's entries, in the order in which they were posted. */
function ownEntryViews(accountId: number, records: OrderRecords): Resumable<string> {
  const own = ownEntries(records)
  const inTurn = own.toSorted((a, b) => a.postedAt.getTime() - b.postedAt.getTime() || a.no - b.no)
  return entryViews(accountId, inTurn, own)
}

const differenceOf = ({ place: pointer, expected, found }: Difference) => ({ pointer, expected, found })
