// Makes the inventory of electricity of a year from the ledgers of devices and the figures of the account.
import { runCooperatively } from '../concurrency/cooperative.ts'
import { energyByMonth, type MilliwattHours } from '../engine/electricity/energy.ts'
import {
  readInventoryFigures,
  type InventoryFigureKind,
  type InventoryFigures,
} from '../engine/electricity/inventory-figures.ts'
import {
  inventoryLines,
  inventoryTotal,
  type CountryEnergy,
  type InventoryLine,
  type InventoryTotal,
} from '../engine/electricity/inventory.ts'
import { orderKey } from '../engine/device-timeline.ts'
import { dayPosition } from '../engine/numbers/calendar.ts'
import { ZERO, add, compare, whole, type Rational } from '../engine/numbers/rational.ts'
import type { Resumable } from '../engine/numbers/steps.ts'
import type { ReferenceData, ReferenceDataOf } from '../engine/reference/reference-data.ts'
import { knownInSteps, loadReferenceDataOf, timelineOfDevice } from '../ledger/codec.ts'
import { serialNumbersEverInOrder } from '../ledger/order-state.ts'
import type { DeviceLedger, DeviceLedgers } from '../ledger/records.ts'
import type { AccountFigures } from '../postgres/account-figures.ts'
import type { ReadAccountLedgers } from '../postgres/account-ledgers.ts'
import type { ReadCustomerRecords } from '../postgres/customer-records.ts'

/** What an inventory is made from. */
export interface InventorySources {
  readonly figures: Pick<AccountFigures, 'list'>
  readonly readCustomer: ReadCustomerRecords
  readonly readAccountLedgers: ReadAccountLedgers
  readonly referenceDataOf: (releaseId: number) => Promise<ReferenceData>
  readonly now: () => Date
}

export interface InventoryQuery {
  readonly accountId: number
  /** Null for all customers. */
  readonly customerId: string | null
  readonly year: number
  /** Of the account's new orders: its grid factors are those of the inventory. */
  readonly referenceData: ReferenceData
}

export interface Inventory {
  readonly lines: readonly InventoryLine[]
  readonly total: InventoryTotal
  readonly rentals: RentalCounts
}

/** Rentals with months in the year. */
export interface RentalCounts {
  readonly all: number
  /** Of them, those of devices whose electricity is not known. */
  readonly withoutEnergy: number
}

/** All records of a customer are in memory, as for a statement. Those of all customers are read page by page. */
const CUSTOMER_DEVICES_MAX = 20_000
/** With more devices, an inventory would take longer than a request may. */
const ACCOUNT_DEVICES_MAX = 100_000

/** Why there is none. */
export type NoInventory =
  | { readonly why: 'unknown_customer' }
  | { readonly why: 'too_many_devices'; readonly max: number }

export async function makeInventory(
  sources: InventorySources,
  { accountId, customerId, year, referenceData }: InventoryQuery,
): Promise<Inventory | NoInventory> {
  const collected = await collect(sources, accountId, customerId, year)
  if ('why' in collected) return collected
  const figures = await readFigures(sources.figures, accountId)
  const currentMonth = sources.now().toISOString().slice(0, 7)
  const energies = collected.energies()
  const lines = inventoryLines(energies, { year, referenceData, figures, currentMonth })
  return { lines, total: inventoryTotal(lines), rentals: collected.counts }
}

async function readFigures(figures: Pick<AccountFigures, 'list'>, accountId: number): Promise<InventoryFigures> {
  const of = (kind: InventoryFigureKind) => figures.list(accountId, kind)
  const [months, residualMixes, losses, instruments] = await Promise.all([
    of('grid-month'),
    of('residual-mix'),
    of('grid-loss'),
    of('instrument'),
  ])
  return readInventoryFigures({ months, residualMixes, losses, instruments })
}

async function collect(
  { readCustomer, readAccountLedgers, referenceDataOf }: InventorySources,
  accountId: number,
  customerId: string | null,
  year: number,
): Promise<EnergyCollector | NoInventory> {
  const collectFrom = async (collector: EnergyCollector, ledgers: DeviceLedgers): Promise<EnergyCollector> => {
    const referenceDataById = await loadReferenceDataOf(ledgers, [], referenceDataOf)
    await runCooperatively(collector.addLedgers(ledgers, referenceDataById))
    return collector
  }
  if (customerId !== null) {
    const limits = { devicesMax: CUSTOMER_DEVICES_MAX, serialsOf: serialNumbersEverInOrder }
    const query = { accountId, customerId, knownAt: null, before: `${year + 1}-01-01`, ...limits }
    const records = await readCustomer(query)
    if (records === null) return { why: 'unknown_customer' }
    if (records === 'too-large') return { why: 'too_many_devices', max: CUSTOMER_DEVICES_MAX }
    return collectFrom(createEnergyCollector(customerId, year), records.ledgers)
  }
  const all = await readAccountLedgers({ accountId, devicesMax: ACCOUNT_DEVICES_MAX }, async (pages) => {
    const collector = createEnergyCollector(null, year)
    for await (const ledgers of pages) await collectFrom(collector, ledgers)
    return collector
  })
  return all ?? { why: 'too_many_devices', max: ACCOUNT_DEVICES_MAX }
}

interface EnergyCollector {
  readonly addLedgers: (ledgers: DeviceLedgers, referenceDataOf: ReferenceDataOf) => Resumable<void>
  readonly energies: () => readonly CountryEnergy[]
  readonly counts: RentalCounts
}

/** @param customerId null for the rentals of all customers */
function createEnergyCollector(customerId: string | null, year: number): EnergyCollector {
  const sums = new Map<string, CountryEnergy & { readonly months: MilliwattHours[] }>()
  const counts = { all: 0, withoutEnergy: 0 }
  const sumOf = (customer: string, country: string | null): MilliwattHours[] => {
    const key = `${customer}\0${country ?? ''}`
    const known = sums.get(key) ?? { customerId: customer, country, months: Array<MilliwattHours>(12).fill(0n) }
    sums.set(key, known)
    return known.months
  }
  function* addLedger(ledger: DeviceLedger, referenceDataOf: ReferenceDataOf): Resumable<void> {
    const known = yield* knownInSteps(ledger, referenceDataOf)
    const { yearlyEnergyKwh } = known.figures.footprint
    const timeline = yield* timelineOfDevice(known)
    for (const rental of known.history.rentals.values()) {
      if (customerId !== null && rental.customerId !== customerId) continue
      const { terms, months } = timeline.rentals.get(orderKey(rental))!
      const held = { start: terms.start, months }
      if (!isInYear(held, year)) continue
      counts.all += 1
      if (yearlyEnergyKwh === null) counts.withoutEnergy += 1
      else addMonths(sumOf(rental.customerId, rental.country), energyByMonth(yearlyEnergyKwh, held, year))
    }
  }
  return {
    *addLedgers(ledgers, referenceDataOf) {
      for (const ledger of ledgers.values()) {
        yield* addLedger(ledger, referenceDataOf)
        yield
      }
    },
    energies: () => [...sums.values()],
    counts,
  }
}

/** A rental that was cancelled or taken back has no months. */
function isInYear({ start, months }: { readonly start: string; readonly months: Rational }, year: number): boolean {
  const from = dayPosition(start)
  const isBefore = compare(add(from, months), whole(12 * year)) <= 0
  return compare(months, ZERO) > 0 && !isBefore && compare(from, whole(12 * (year + 1))) < 0
}

function addMonths(sums: MilliwattHours[], months: readonly MilliwattHours[]): void {
  for (const [at, energy] of months.entries()) sums[at]! += energy
}
