// Brings the published footprints of a customer up to date with the ledgers.
import type { FootprintOwner, NewFootprint, PactFootprints } from '../postgres/pact-footprints.ts'
import type { Restatements } from '../postgres/restatements.ts'
import type { WorkingClient } from '../postgres/pact-clients.ts'
import { runCooperatively } from '../concurrency/cooperative.ts'
import { raceDeadline, withDeadline } from '../concurrency/deadline.ts'
import { createSemaphore } from '../concurrency/semaphore.ts'
import { DEFAULT_BOUNDARY } from '../engine/inventory-boundary.ts'
import { mapResumable } from '../engine/numbers/steps.ts'
import { digestOfContent, rentalFootprints, yearFootprint } from './footprints-of-statement.ts'
import type { FootprintContent } from './product-footprint.ts'
import type { Publisher } from './publisher.ts'
import { transportFootprints } from './transport-footprints.ts'
import { completenessOf } from '../statements/completeness.ts'
import { printMembers } from '../statements/print-statement.ts'
import { shipmentsOf } from '../statements/shipments.ts'
import type { StatementContent } from '../statements/statement.ts'
import { makeStatement, type StatementSources, type StatementWithRecords } from '../statements/make-statement.ts'
import { PactError } from './pact-errors.ts'
import { PACT_TEXTS } from './texts.ts'

export interface FootprintSources extends StatementSources {
  readonly restatements: Pick<Restatements, 'isApplying'>
  readonly pactFootprints: PactFootprints
}

/** @returns the ids of the footprints that were published */
export type PublishFootprints = (client: FootprintReader) => Promise<readonly string[]>

/** The client for whose customer footprints are published. */
export type FootprintReader = Pick<WorkingClient, 'accountId' | 'customerId' | 'account'>

/** Each holds all orders of a customer. Who waits longer gets 503, and the same again until there is a place. */
const RUNS_AT_ONCE = { most: 2, ofOneMost: 1, waitMs: 30_000 }
/** What took longer is used for as long as it took: a customer with many devices computes half the time at most. */
const SHORT_MS = 5_000

/**
 * Computes the footprints of all rentals, all shipments and all years that are over, publishes those that changed, and
 * deprecates those that they replace. Requests of the same customer that arrive meanwhile wait for the same run. It
 * goes on when a request has waited for as long as it may, so that a later one finds it done.
 * @param publicUrl where clients reach the service
 */
export function createPublisher(sources: FootprintSources, publicUrl: string): PublishFootprints {
  const url = new URL(publicUrl)
  const running = new Map<string, Promise<readonly string[]>>()
  /** Until when what a long run published is used. */
  const usedUntil = new Map<string, number>()
  const takeTurn = createSemaphore('lists of footprints', RUNS_AT_ONCE)

  async function run(key: string, client: FootprintReader): Promise<readonly string[]> {
    const release = await takeTurn(client.accountId)
    const begin = performance.now()
    try {
      const ids = await publish(sources, url, client)
      const end = performance.now()
      for (const [one, until] of usedUntil) if (until <= end) usedUntil.delete(one)
      if (end - begin > SHORT_MS) usedUntil.set(key, 2 * end - begin)
      return ids
    } finally {
      release()
    }
  }

  return (client) => {
    const key = `${client.accountId}\0${client.customerId}`
    if ((usedUntil.get(key) ?? 0) > performance.now()) return Promise.resolve([])
    const begun = running.get(key) ?? withDeadline(Infinity, () => run(key, client).finally(() => running.delete(key)))
    running.set(key, begun)
    return raceDeadline(begun)
  }
}

async function publish(sources: FootprintSources, url: URL, client: FootprintReader): Promise<readonly string[]> {
  // While half of the orders may be restated, the footprints that were published stay.
  if (await sources.restatements.isApplying(client.accountId)) return []
  const owner: FootprintOwner = { accountId: client.accountId, customerId: client.customerId }
  const footprints = await footprintsOf(sources, { url, companyName: client.account }, owner)
  return sources.pactFootprints.publish(owner, footprints, sources.now())
}

const toNew = (content: FootprintContent): NewFootprint => ({
  product: content.productIds[0],
  digest: digestOfContent(content),
  content: JSON.stringify(content),
})

async function footprintsOf(
  sources: FootprintSources,
  publisher: Publisher,
  owner: FootprintOwner,
): Promise<readonly NewFootprint[]> {
  const thisYear = sources.now().getUTCFullYear()
  const current = await rentalsAndShipments(sources, publisher, owner, thisYear)
  if (current === null) return []
  const footprints = [...current.footprints]
  for (let year = current.firstYear; year < thisYear; year += 1) {
    const made = await statementOf(sources, publisher, owner, year)
    if (made === null || made.content.by_part.every(({ emission }) => emission === 0)) continue
    const { content } = made
    const { root: ordersRoot } = await runCooperatively(completenessOf(await runCooperatively(printMembers(content))))
    footprints.push(toNew(yearFootprint(publisher, { content, ordersRoot })))
  }
  return footprints
}

/** Null for a customer without orders. */
async function rentalsAndShipments(
  sources: FootprintSources,
  publisher: Publisher,
  owner: FootprintOwner,
  year: number,
): Promise<{ readonly footprints: readonly NewFootprint[]; readonly firstYear: number } | null> {
  const current = await statementOf(sources, publisher, owner, year)
  if (current === null) return null
  const { content, records, referenceDataOf } = current
  const shipments = await runCooperatively(shipmentsOf(records, referenceDataOf))
  const rentals = await runCooperatively(mapResumable(rentalFootprints(publisher, content), toNew))
  const transport = await runCooperatively(mapResumable(transportFootprints(publisher, shipments), toNew))
  return { footprints: [...rentals, ...transport], firstYear: firstYearOf(content) }
}

function firstYearOf({ devices, year }: StatementContent): number {
  let first = year
  for (const { rentals } of devices) for (const { from } of rentals) first = Math.min(first, Number(from.slice(0, 4)))
  return first
}

/** Null for a customer without orders. @throws PactError for a customer with more devices than a statement can have */
async function statementOf(
  sources: FootprintSources,
  { companyName }: Publisher,
  { accountId, customerId }: FootprintOwner,
  year: number,
): Promise<StatementWithRecords | null> {
  const { consolidationApproach: approach } = DEFAULT_BOUNDARY
  const found = await makeStatement(sources, {
    accountId,
    account: companyName,
    customerId,
    year,
    knownAt: null,
    approach,
  })
  if (found === 'unknown_customer') return null
  if (typeof found === 'string') throw new PactError('NotImplemented', PACT_TEXTS.tooLarge)
  return found
}
