// What is answered about one device, from its journal: by the service, or by a process beside it where that is long.
import { orderKey } from '../../engine/device-run.ts'
import type { ReferenceDataOf, ReferenceData } from '../../engine/figures/factor-book.ts'
import type { Resumable } from '../../engine/numbers/steps.ts'
import type { DeviceRecords } from '../../postgres/orders/order-files.ts'
import { JSON_TYPE } from '../requests/exact-json.ts'
import type { Include } from '../requests/request-manners.ts'
import { inSlices } from '../serving/in-slices.ts'
import { ledgerOrders } from '../wire/ledger-view.ts'
import { renderEntries } from '../wire/render-entries.ts'
import { renderLedger, renderStory, type LedgerOrder } from '../wire/render-ledger.ts'
import { knownInSteps, readBooks, runOfDevice } from '../wire/stored-journal.ts'

export interface DeviceAsk {
  readonly accountId: number
  readonly serialNumber: string
  /** Null for the device as it stands. */
  readonly knownAt: Date | null
  readonly include: Include
}

export interface DeviceAnswer {
  readonly headers: Readonly<Record<string, string>>
  readonly pieces: ReturnType<typeof renderLedger>
}

export const deviceHeaders = (releases: Iterable<string>): DeviceAnswer['headers'] => ({
  'dataset-release': [...releases].join(', '),
  'content-type': JSON_TYPE,
})

/** @param signal ends the work */
export async function answerDevice(
  { accountId, serialNumber, include }: DeviceAsk,
  { journal, orders }: DeviceRecords,
  bookOf: (releaseId: number) => Promise<ReferenceData>,
  signal?: AbortSignal,
): Promise<DeviceAnswer> {
  const releases = orders.map(({ releaseId }) => releaseId)
  const books = await readBooks(new Map([[serialNumber, journal]]), releases, bookOf)
  const names = new Set([journal.device.releaseId, ...releases].map((id) => books(id).release))
  const steps = prepare(accountId, serialNumber, { journal, orders }, books, include)
  const { listed, additions } = await inSlices(steps, signal)
  return { headers: deviceHeaders(names), pieces: renderLedger(serialNumber, listed, additions) }
}

/** A device may have a hundred thousand entries. */
function* prepare(
  accountId: number,
  serialNumber: string,
  { journal, orders }: DeviceRecords,
  books: ReferenceDataOf,
  include: Include,
): Resumable<{ readonly listed: readonly LedgerOrder[]; readonly additions: string }> {
  const device = yield* knownInSteps(journal, books)
  const run = yield* runOfDevice(device)
  const byKey = new Map(orders.map((order) => [orderKey(order), order]))
  const entries = include.has('entries') ? yield* renderEntries(accountId, journal.entries, journal.entries) : null
  const story = include.has('story') ? yield* renderStory(device, run) : null
  const additions = (entries === null ? '' : `,"entries":${entries}`) + (story === null ? '' : `,"story":${story}`)
  const listed = yield* ledgerOrders(serialNumber, device, run, byKey, books)
  return { listed, additions }
}
