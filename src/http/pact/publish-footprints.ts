// Brings the published footprints of a customer up to date with the ledgers.
import type { FootprintOwner, NewFootprint, PactFootprints } from '../../postgres/pact-footprints.ts'
import type { Restatements } from '../../postgres/restatements.ts'
import type { WorkingClient } from '../../postgres/pact-clients.ts'
import { runCooperatively } from '../../concurrency/cooperative.ts'
import { ApiError } from '../../contract/errors.ts'
import { DEFAULT_BOUNDARY } from '../../engine/inventory-boundary.ts'
import { digestOfContent, rentalFootprints, yearFootprint, type Publisher } from '../../pact/footprints-of-statement.ts'
import type { FootprintContent } from '../../pact/product-footprint.ts'
import { completenessOf } from '../../statements/completeness.ts'
import { printMembers } from '../../statements/print-statement.ts'
import type { StatementContent } from '../../statements/statement.ts'
import { makeStatement, type StatementSources } from '../routes/statements.ts'
import { PactError } from './pact-errors.ts'

export interface FootprintSources extends StatementSources {
  readonly restatements: Pick<Restatements, 'isApplying'>
  readonly pactFootprints: PactFootprints
}

/** @returns the ids of the footprints that were published */
export type PublishFootprints = (client: FootprintReader) => Promise<readonly string[]>

/** The client for whose customer footprints are published. */
export type FootprintReader = Pick<WorkingClient, 'accountId' | 'customerId' | 'account'>

/**
 * Computes the footprints of all rentals and of all years that are over, publishes those that changed, and deprecates
 * those that they replace. Requests of the same customer that arrive meanwhile wait for the same run.
 * @param publicUrl where clients reach the service
 */
export function createPublisher(sources: FootprintSources, publicUrl: string): PublishFootprints {
  const url = new URL(publicUrl)
  const running = new Map<string, Promise<readonly string[]>>()
  return (client) => {
    const key = `${client.accountId}\0${client.customerId}`
    const run = running.get(key) ?? publish(sources, url, client).finally(() => running.delete(key))
    running.set(key, run)
    return run
  }
}

async function publish(sources: FootprintSources, url: URL, client: FootprintReader): Promise<readonly string[]> {
  // While half of the orders may be restated, the footprints that were published stay.
  if (await sources.restatements.isApplying(client.accountId)) return []
  const owner: FootprintOwner = { accountId: client.accountId, customerId: client.customerId }
  const contents = await contentsOf(sources, { url, companyName: client.account }, owner)
  return sources.pactFootprints.publish(owner, contents.map(toNew), sources.now())
}

const toNew = (content: FootprintContent): NewFootprint => ({
  product: content.productIds[0],
  digest: digestOfContent(content),
  content: JSON.stringify(content),
})

async function contentsOf(
  sources: FootprintSources,
  publisher: Publisher,
  owner: FootprintOwner,
): Promise<readonly FootprintContent[]> {
  const thisYear = sources.now().getUTCFullYear()
  const current = await statementOf(sources, publisher, owner, thisYear)
  if (current === null) return []
  const contents: FootprintContent[] = []
  for (const content of rentalFootprints(publisher, current)) contents.push(content)
  for (let year = firstYearOf(current); year < thisYear; year += 1) {
    const content = await statementOf(sources, publisher, owner, year)
    if (content === null || content.by_part.every(({ emission }) => emission === 0)) continue
    const { root: ordersRoot } = await runCooperatively(completenessOf(await runCooperatively(printMembers(content))))
    contents.push(yearFootprint(publisher, { content, ordersRoot }))
  }
  return contents
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
): Promise<StatementContent | null> {
  const wanted = { customerId, year, knownAt: null }
  try {
    return await makeStatement(sources, accountId, companyName, wanted, DEFAULT_BOUNDARY.consolidationApproach)
  } catch (error) {
    if (error instanceof ApiError && error.code === 'not_found') return null
    if (error instanceof ApiError && error.code === 'too_large') throw new PactError('NotImplemented', error.message)
    throw error
  }
}
