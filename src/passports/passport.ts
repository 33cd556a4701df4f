// The passport of a device: the header of EN 18223, and what the lessor’s records say of its footprint and its lives.
import type { KeyObject } from 'node:crypto'
import { isDecommissioning } from '../engine/device-event-types.ts'
import { isFullyAmortised, remainingMonths, totalEmbodied } from '../engine/device-ledger.ts'
import { orderKey, type AllocatedRental, type DeviceTimeline, type EmissionDefault } from '../engine/device-timeline.ts'
import { METHOD_VERSION } from '../engine/explanation/calculation.ts'
import { isActive, isInOrder, type PostedRental } from '../engine/ledger-history.ts'
import { EMISSION_UNIT, toKilograms, toMilligrams, type Milligrams } from '../engine/numbers/emission.ts'
import { toDecimal } from '../engine/numbers/rational.ts'
import type { Resumable } from '../engine/numbers/steps.ts'
import type { ReferenceDataOf } from '../engine/reference/reference-data.ts'
import { combine } from '../engine/uncertainty/lognormal.ts'
import { UNCERTAINTY_LEVEL, embodiedErrors, intervalAround } from '../engine/uncertainty/uncertainty.ts'
import { signDocument, type Run, type SignedDocument } from '../documents/signature.ts'
import { knownInSteps, timelineOfDevice, type DeviceState } from '../ledger/codec.ts'
import type { DeviceHistory } from '../ledger/records.ts'
import { toJsonValue, type JsonObject } from '../strict-json/exact-tree.ts'
import { eventsOfDevice } from './device-events.ts'
import { epcisDocument } from './epcis.ts'
import { passportNames, type PassportNames } from './names.ts'

export const PASSPORT_SCHEMA = 'cradle-1'

/** The members that are Cradle’s own have these names; there is no document under this name. */
const CONTEXT = { '@vocab': 'urn:uuid:6d1c0b5e-51a7-4f0e-9d0b-3f6f5a5f2c11#' } as const

const NOTES = [
  'This is the record of the company that rents the device out, not the passport of its maker under Regulation (EU) ' +
    '2024/1781.',
  'UniqueProductIdentifier follows from the key of the lessor and the serial number, because no GTIN is known.',
  'Customers and orders have pseudonyms, which are other ones in the passport of every other device.',
  'Receipts of orders are not linked, because they name the customer.',
]

interface Recorded {
  readonly history: DeviceHistory
  /** The key of the account that signs its documents. */
  readonly privateKey: KeyObject
  readonly now: Date
}

export interface PassportSubject extends Recorded {
  readonly referenceDataOf: ReferenceDataOf
  /** Name of the account. */
  readonly account: string
}

/** @param run does the work of computing and hashing */
export async function signPassport(subject: PassportSubject, run: Run): Promise<SignedDocument> {
  return signDocument(await run(passportOf(subject)), subject.privateKey, 'vnd.cradle.passport+jws', run)
}

/** What happened to a device until now, with the time of the last change. */
export function* epcisOf({ history, privateKey, now }: Recorded) {
  const names = passportNames(privateKey, history.ledger.device.serialNumber)
  const events = yield* eventsOfDevice(history, names, now)
  const posted = history.ledger.entries.map(({ postedAt }) => postedAt.toISOString())
  const times = [...posted, ...events.map(({ eventTime }) => eventTime)]
  return epcisDocument(
    times.reduce((latest, time) => (time > latest ? time : latest)),
    events,
  )
}

function* passportOf(subject: PassportSubject): Resumable<JsonObject> {
  const { history, referenceDataOf, account, privateKey } = subject
  const known = yield* knownInSteps(history.ledger, referenceDataOf)
  const run = yield* timelineOfDevice(known)
  const { serialNumber } = known.device
  const names = passportNames(privateKey, serialNumber)
  const epcis = yield* epcisOf(subject)
  const left = leftOf(run)
  return toJsonValue({
    '@context': [CONTEXT],
    '@type': ['DeviceRecord'],
    DigitalProductPassportId: names.passport,
    UniqueProductIdentifier: names.product,
    Granularity: 'Item',
    DppSchemaVersion: PASSPORT_SCHEMA,
    DppStatus: left ? 'inactive' : 'active',
    LastUpdated: epcis.creationDate,
    EconomicOperatorId: names.lessor,
    issuer: { account, role: 'lessor' },
    serial_number: serialNumber,
    model: modelOf(known),
    embodied: embodiedOf(known),
    electricity: electricityOf(known),
    lives: livesOf(known, run, names),
    refurbishments: refurbishmentsOf(run),
    ...(left && { left }),
    balance: balanceOf(run),
    events: epcis,
    notes: NOTES,
  }) as JsonObject
}

function modelOf({ device, figures: { footprint }, referenceData }: DeviceState) {
  const { name, level, model, known, fallback, typeDefault } = footprint
  return {
    id: device.footprintId,
    name,
    brand: (model ?? known)?.brand ?? fallback?.fallback.brand ?? null,
    type: (model ?? known)?.type ?? typeDefault.type,
    match_level: level,
    dataset_release: referenceData.release,
  }
}

/** As published or, for a fallback, as fitted; with the interval in which the true value is in 95 of 100 cases. */
function embodiedOf({ device, figures: { footprint } }: DeviceState) {
  const { embodied, embodiedType, source } = footprint
  const errors = embodiedErrors({ footprintId: device.footprintId, footprint })
  const interval = intervalAround(toMilligrams(embodied), combine(...errors.map(({ logSd }) => logSd)))
  return {
    value: toDecimal(embodied),
    unit: EMISSION_UNIT,
    interval: {
      low: toKilograms(interval.low),
      high: toKilograms(interval.high),
      level: String(UNCERTAINTY_LEVEL),
    },
    type: embodiedType,
    source,
  }
}

function electricityOf({ figures: { footprint } }: DeviceState) {
  const { yearlyEnergyKwh, energyFrom, useOverLifetime } = footprint
  return {
    kwh_per_year: yearlyEnergyKwh && toDecimal(yearlyEnergyKwh),
    stated_by: yearlyEnergyKwh && energyFrom,
    emission_over_lifetime: useOverLifetime && toDecimal(useOverLifetime),
    unit: EMISSION_UNIT,
  }
}

/** The rentals that occupied time, in order. Their shares, what remains and what is unallocated add up to the total. */
function livesOf({ device, history }: DeviceState, { steps }: DeviceTimeline, names: PassportNames) {
  const cap = device.isCapped ? 'capped' : 'uncapped'
  const method = `linear over the lifetime, ${cap}; method version ${METHOD_VERSION}`
  return steps.flatMap((step) => {
    if (!('run' in step)) return []
    const rental = history.rentals.get(orderKey(step.order))!
    if (!isInOrder(rental) || step.run.end <= step.run.terms.start) return []
    return [
      {
        customer: names.customer(step.order.customerId),
        order: names.order(step.order),
        from: step.run.terms.start,
        to: step.run.end,
        ...endOf(step.run, rental),
        country: rental.country,
        months: toDecimal(step.run.months),
        embodied_emission: toKilograms(rental.posted.product_embodied_emission),
        use_emission: toKilograms(rental.posted.product_use),
        unit: EMISSION_UNIT,
        method,
      },
    ]
  })
}

/** What ended it; without it, `to` is the day that was agreed. */
function endOf({ endedBy }: AllocatedRental, rental: PostedRental) {
  if (endedBy) return { ended_by: 'event' in endedBy ? endedBy.event.type : 'overlap' }
  return isActive(rental) ? {} : { ended_by: rental.reason }
}

const refurbishmentsOf = ({ steps }: DeviceTimeline) =>
  steps.flatMap((step) =>
    'event' in step && step.event.type === 'refurbished'
      ? [
          {
            date: step.event.date,
            emission_added: toDecimal(step.event.emission),
            unit: EMISSION_UNIT,
            months_added: toDecimal(step.event.monthsAdded),
            ...(step.event.byDefault && { emission_default: defaultOf(step.event.byDefault) }),
          },
        ]
      : [],
  )

const defaultOf = ({ deviceType, low, high, release }: EmissionDefault) => ({
  device_type: deviceType,
  low: toDecimal(low),
  high: toDecimal(high),
  dataset_release: release,
})

function leftOf({ steps }: DeviceTimeline) {
  const last = steps.findLast((step) => 'event' in step && isDecommissioning(step.event))
  return last && 'event' in last ? { date: last.event.date, reason: last.event.type } : null
}

function balanceOf(run: DeviceTimeline) {
  const { balance } = run
  const total = toMilligrams(totalEmbodied(balance))
  const allocated = toMilligrams(balance.allocated)
  const rest: Milligrams = total - allocated
  const hasLeft = leftOf(run) !== null
  return {
    embodied_total: toKilograms(total),
    allocated: toKilograms(allocated),
    remaining: toKilograms(hasLeft ? 0n : rest),
    unallocated: toKilograms(hasLeft ? rest : 0n),
    unit: EMISSION_UNIT,
    lifetime_months: toDecimal(balance.lifetimeMonths),
    remaining_months: hasLeft ? '0' : toDecimal(remainingMonths(balance)),
    fully_amortised: isFullyAmortised(balance),
  }
}
