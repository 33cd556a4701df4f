// The formulas of worked examples that keep a device's ledger: rentals in turn, and a whole life with its events.
import { allocateLives, livesOf, type AllocatedLives } from '../src/engine/allocation-methods.ts'
import { addMonths } from '../src/engine/numbers/calendar.ts'
import { findEventConflict } from '../src/engine/device-events.ts'
import { replayEntries, type LedgerEntry } from '../src/engine/ledger-history.ts'
import {
  allocateRental,
  remainingMonths,
  openBalance,
  totalEmbodied,
  type RentalShare,
} from '../src/engine/device-ledger.ts'
import type { DeviceEvent } from '../src/engine/device-timeline.ts'
import type { ReferenceData } from '../src/engine/reference/reference-data.ts'
import { footprintById } from '../src/engine/reference/footprint.ts'
import { sumMilligrams, toKilograms, toMilligrams } from '../src/engine/numbers/emission.ts'
import { decideOrderEvent, orderDeviceOf } from '../src/engine/order-events.ts'
import { timelineOf, type RentalChange, type DeviceFootprint } from '../src/engine/post-entries.ts'
import { RunningLedger } from '../src/engine/running-ledger.ts'
import { runToCompletion } from '../src/engine/numbers/steps.ts'
import { ONE, parseDecimal as exact, toDecimal, whole, type Rational } from '../src/engine/numbers/rational.ts'
import { splitByMonth } from '../src/engine/reporting-periods.ts'

type Decimal = string

interface Device {
  readonly embodied: Decimal
  readonly lifetime_months: Decimal
}

function rentInTurn(device: Device, tenures: readonly Rational[]): readonly RentalShare[] {
  let balance = openBalance(exact(device.embodied), exact(device.lifetime_months))
  return tenures.map((tenure) => {
    const share = allocateRental(balance, tenure)
    balance = share.balance
    return share
  })
}

export const rentals = (given: Device & { readonly tenures: readonly Decimal[] }) => {
  const shares = rentInTurn(given, given.tenures.map(exact))
  return {
    emissions: shares.map(({ emission }) => toKilograms(emission)),
    allocated_months: shares.map(({ allocatedMonths }) => toDecimal(allocatedMonths)),
    unallocated_months: shares.map(({ unallocatedMonths }) => toDecimal(unallocatedMonths)),
    sum: toKilograms(sumMilligrams(shares.map(({ emission }) => emission))),
  }
}

const spreadOf = (unsorted: readonly bigint[]) => {
  const emissions = unsorted.toSorted((a, b) => (a < b ? -1 : 1))
  return {
    lowest: toKilograms(emissions[0]!),
    highest: toKilograms(emissions.at(-1)!),
    number_of_highest: emissions.filter((emission) => emission === emissions.at(-1)).length,
    sum: toKilograms(sumMilligrams(emissions)),
  }
}

export const rentalsOfOneMonth = (given: Device & { readonly rentals: number }) =>
  spreadOf(rentInTurn(given, Array<Rational>(given.rentals).fill(ONE)).map(({ emission }) => emission))

export const embodiedByYear = (given: Device & { readonly start: string; readonly tenure_months: Decimal }) => {
  const months = exact(given.tenure_months)
  const { emission } = rentInTurn(given, [months])[0]!
  const byYear = Map.groupBy(splitByMonth(emission, { start: given.start, months }), ({ month }) => month.slice(0, 4))
  return {
    posted: toKilograms(emission),
    years: [...byYear].map(([year, parts]) => ({
      year: Number(year),
      emission: toKilograms(sumMilligrams(parts.map((part) => part.emission))),
    })),
  }
}

/** A fact as it becomes known. What concerns no order is an event on the device. */
type Fact =
  | { readonly order: string; readonly start: string; readonly tenure_months: number }
  | { readonly order: string; readonly returned: string }
  | { readonly order: string; readonly extended: number }
  | { readonly refurbished: string; readonly emission: Decimal; readonly months_added: number }
  | { readonly retired: string }

interface Life extends Device {
  /** Every month in full, however many there were before. */
  readonly uncapped?: boolean
  /** In the sequence in which they become known. */
  readonly facts: readonly Fact[]
}

const CUSTOMER = 'customer'
const SERIAL = 'DEVICE'

const figuresOf = ({ embodied, lifetime_months, uncapped = false }: Life, book: ReferenceData): DeviceFootprint => {
  const anyModel = footprintById(book.models.keys().next().value!, ONE, book)
  const lifetimeMonths = exact(lifetime_months)
  return {
    footprint: { ...anyModel, embodied: exact(embodied), lifetimeMonths, useOverLifetime: null, yearlyEnergyKwh: null },
    isCapped: !uncapped,
    gridOf: () => [],
  }
}

/** Posts the facts one after the other, each to the ledger of those before it. */
function live(life: Life, book: ReferenceData): readonly LedgerEntry[] {
  const figures = figuresOf(life, book)
  const ledger = RunningLedger.open(replayEntries([]), figures)
  return life.facts.flatMap((fact, at) => ledger.post(changeOf(fact, `fact-${at}`, ledger)).entries)
}

/** @throws RangeError when the fact contradicts those before it */
function changeOf(fact: Fact, eventId: string, ledger: RunningLedger): RentalChange {
  if (!('order' in fact)) return deviceChange(fact, eventId, ledger)
  const order = { customerId: CUSTOMER, orderId: fact.order }
  if ('start' in fact) {
    const { start, tenure_months: months } = fact
    const terms = { start, end: addMonths(start, months), months: whole(months) }
    const shared = { packaging: 0n, transportation: 0n }
    return { ...order, terms, reason: 'order', country: null, releaseId: 1, eventId: null, shared }
  }
  const common = { eventId, serialNumber: SERIAL }
  const event =
    'returned' in fact
      ? { ...common, type: 'returned' as const, date: fact.returned }
      : { ...common, type: 'extended' as const, tenureMonths: fact.extended }
  const tenureStartDate = [...ledger.history.rentals.values()].find(({ orderId }) => orderId === fact.order)!.terms
    .start
  const devices = [orderDeviceOf(SERIAL, ledger, order)]
  const ruling = decideOrderEvent(event, { ...order, tenureStartDate, devices }, null)
  if (!ruling.ok) throw new RangeError(ruling.problem.message)
  return ruling.changes.get(SERIAL)!
}

function deviceChange(
  fact: Exclude<Fact, { readonly order: string }>,
  eventId: string,
  ledger: RunningLedger,
): RentalChange {
  const event: DeviceEvent =
    'retired' in fact
      ? { type: 'retired', date: fact.retired }
      : {
          type: 'refurbished',
          date: fact.refurbished,
          emission: exact(fact.emission),
          monthsAdded: whole(fact.months_added),
        }
  const problem = findEventConflict(event, ledger)
  if (problem) throw new RangeError(problem.message)
  return { event, eventId, releaseId: 1 }
}

/** Every entry that was posted, what each order came to, and the balance. */
export function deviceLife(life: Life, book: ReferenceData) {
  const entries = live(life, book)
  const { balance } = runToCompletion(timelineOf(replayEntries(entries), figuresOf(life, book)))
  const posted = new Map<string, bigint>()
  for (const { orderId, product_embodied_emission: emission } of entries) {
    if (orderId !== '') posted.set(orderId, (posted.get(orderId) ?? 0n) + emission)
  }
  return {
    entries: entries.map((entry) => ({
      ...(entry.orderId !== '' && { order: entry.orderId }),
      reason: entry.reason,
      emission: toKilograms(entry.product_embodied_emission),
    })),
    orders: Object.fromEntries([...posted].map(([order, emission]) => [order, toKilograms(emission)])),
    balance: {
      embodied_total: toKilograms(toMilligrams(totalEmbodied(balance))),
      allocated: toKilograms(sumMilligrams(posted.values())),
      unallocated: toKilograms(toMilligrams(balance.unallocated)),
      remaining: toKilograms(toMilligrams(balance.pool)),
      remaining_months: toDecimal(remainingMonths(balance)),
    },
  }
}

const sharesOf = (life: Life, book: ReferenceData, resaleValues: readonly Decimal[]): readonly AllocatedLives[] => {
  const figures = figuresOf(life, book)
  const timeline = runToCompletion(timelineOf(replayEntries(live(life, book)), figures))
  return allocateLives(livesOf(timeline, figures.footprint), resaleValues.map(exact))
}

/** What each method gives to each rental, and what it leaves. */
export const secondLives = (given: Life & { readonly resale_values?: readonly Decimal[] }, book: ReferenceData) =>
  Object.fromEntries(
    sharesOf(given, book, given.resale_values ?? []).map(({ method, isProvisional, shares, residual }) => [
      method,
      {
        ...(isProvisional && { provisional: true }),
        lives: shares?.map(toKilograms) ?? 'resale values are missing',
        residual: toKilograms(residual),
      },
    ]),
  )

/** A device that is rented year by year, by the sum of the years' digits. */
export function yearsDigits(given: { readonly embodied: Decimal; readonly years: number }, book: ReferenceData) {
  const facts = Array.from({ length: given.years }, (_, at) => ({
    order: `year-${at + 1}`,
    start: addMonths('2021-01-01', at * 12),
    tenure_months: 12,
  }))
  const life = { embodied: given.embodied, lifetime_months: String(given.years * 12), facts }
  const { shares } = sharesOf(life, book, []).find(({ method }) => method === 'years_digits')!
  return { emissions: shares!.map(toKilograms) }
}

/** A life that goes on in rentals of one month each, from a day on: how what they are given is spread. */
export function singleMonths(given: Life & { readonly from: string; readonly months: number }, book: ReferenceData) {
  const facts = Array.from({ length: given.months }, (_, at) => ({
    order: `month-${String(at + 1).padStart(2, '0')}`,
    start: addMonths(given.from, at),
    tenure_months: 1,
  }))
  const before = live(given, book)
  const entries = live({ ...given, facts: [...given.facts, ...facts] }, book)
  const all = entries.map((entry) => entry.product_embodied_emission)
  return {
    ...spreadOf(all.slice(before.length)),
    sum_of_all: toKilograms(sumMilligrams(all)),
  }
}
