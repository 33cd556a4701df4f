// The ledgers of devices as they would be once the earlier rows of a file were stored: a dry run posts to them.
import { decideOrderEvent, orderDeviceOf } from '../engine/order-events.ts'
import { orderKey } from '../engine/device-timeline.ts'
import { EVENT_MESSAGES } from '../engine/messages.ts'
import { NO_EMISSIONS, emptyLedgerHistory, isInOrder } from '../engine/ledger-history.ts'
import { fromExactText, toFractionText } from '../engine/numbers/rational.ts'
import type { Problem } from '../engine/order.ts'
import type { TermsChange } from '../engine/post-entries.ts'
import type { ReferenceData } from '../engine/reference/reference-data.ts'
import { RunningLedger } from '../engine/running-ledger.ts'
import { serialNumbersOf } from '../engine/resolve-order.ts'
import { runCooperatively } from '../concurrency/cooperative.ts'
import type { WireOrder } from '../contract/order-schema.ts'
import { openDevices, type KnownDevices } from '../ledger/estimate-order.ts'
import { decodeOrderEvent, figuresOf, loadReferenceDataOf, openInSteps, orderKeyOf } from '../ledger/codec.ts'
import { postingOfKnownDevices, postingOfNewOrder, type ParsedOrder } from '../ledger/order-posting.ts'
import { ownFacts } from '../ledger/post-rental.ts'
import type { CachedLedger, DeviceLedger, DeviceLedgers, NewOrder, StoredDevice } from '../ledger/records.ts'
import type { StagedFact } from '../postgres/import-lookups.ts'
import type { RentalEnd } from './rental-ends.ts'

/** Of a device that a file rents more often, what earlier rows state beyond it is ignored. */
const FACTS_MAX = 1_000

/** What a row states of a device. */
interface Fact {
  readonly change: TermsChange
  /** For the first fact of a device that is not stored, and for one that names a stored device anew. */
  readonly device: Pick<StoredDevice, 'footprintId' | 'weightKg' | 'isCapped'> | null
}

export interface TrialContext {
  /** The release by which new orders are calculated. */
  readonly releaseId: number
  readonly referenceDataOf: (releaseId: number) => Promise<ReferenceData>
}

/** Ledgers for one batch of orders. */
export class TrialLedgers {
  readonly #context: TrialContext
  readonly #stored: DeviceLedgers
  /** What earlier rows state, by serial number. */
  readonly #facts = new Map<string, Fact[]>()
  readonly #open = new Map<string, DeviceLedger>()
  readonly #added: StagedFact[] = []

  /**
   * @param stored the ledgers of the devices of the batch
   * @param earlier what the rows before the batch state of them, in order
   */
  constructor(context: TrialContext, stored: DeviceLedgers, earlier: readonly StagedFact[]) {
    this.#context = context
    this.#stored = stored
    for (const { serialNumber, content } of earlier) this.#note(serialNumber, decodeFact(content))
  }

  /** What the rows of the batch state. */
  get added(): readonly StagedFact[] {
    return this.#added
  }

  /** The devices of an order that have a ledger. */
  async devicesOf(order: Pick<ParsedOrder, 'wire' | 'items' | 'releaseId'>): Promise<KnownDevices> {
    const ledgers = await this.#ledgersOf(serialNumbersOf(order.items))
    if (ledgers.size === 0) return new Map()
    const { releaseId, referenceDataOf } = this.#context
    return openDevices(order, ledgers, await loadReferenceDataOf(ledgers, [releaseId], referenceDataOf))
  }

  /** Posts an order as storing it would. @returns what would be stored */
  async post(order: ParsedOrder): Promise<NewOrder> {
    const ledgers = await this.#ledgersOf(serialNumbersOf(order.items))
    const asNew = postingOfNewOrder(order)
    const posting =
      ledgers.size === 0 ? asNew : await postingOfKnownDevices(order, asNew, ledgers, this.#context.referenceDataOf)
    const devices = new Map(posting.devices.map((device) => [device.serialNumber, device]))
    const identified = new Set(posting.identifications.map(({ serialNumber }) => serialNumber))
    for (const item of order.items) {
      if (item.type !== 'product') continue
      const { serialNumber } = item.product
      const stored = ledgers.get(serialNumber)
      const device = stored && !identified.has(serialNumber) ? null : devices.get(serialNumber)!
      if (stored && device) this.#open.set(serialNumber, { ...stored, device })
      this.#add(serialNumber, {
        change: { ...ownFacts(item, order.wire, order.releaseId), shared: NO_EMISSIONS },
        device,
      })
    }
    return posting.order
  }

  /** Records the end of a rental. @returns why it cannot have happened; null if it can */
  async end(wire: WireOrder, event: RentalEnd['event']): Promise<Problem | null> {
    const [serial, order] = [event.serial_number!, orderKeyOf(wire)]
    const ledger = (await this.#ledgersOf([serial])).get(serial)!.cached!.ledger!
    const rental = ledger.history.rentals.get(orderKey(order))
    // Since the row was stored, its order was corrected, and has the device no more.
    if (!rental || !isInOrder(rental))
      return { path: '/serial_number', ...EVENT_MESSAGES.device_not_in_order({ serial_number: serial }) }
    const devices = [orderDeviceOf(serial, ledger, order)]
    const recorded = { ...order, tenureStartDate: wire.tenure_start_date, devices }
    const decision = decideOrderEvent(decodeOrderEvent(event, serial), recorded, null)
    if (!decision.ok) return decision.problem
    for (const change of decision.changes.values()) {
      ledger.post(change)
      this.#add(serial, { change, device: null })
    }
    return null
  }

  async #ledgersOf(serialNumbers: readonly string[]): Promise<DeviceLedgers> {
    const ledgers = new Map<string, DeviceLedger>()
    for (const serial of serialNumbers) {
      const ledger = this.#open.get(serial) ?? (await this.#openLedger(serial))
      if (ledger) ledgers.set(serial, ledger)
    }
    return ledgers
  }

  async #openLedger(serial: string): Promise<DeviceLedger | null> {
    const [stored, facts] = [this.#stored.get(serial), this.#facts.get(serial) ?? []]
    if (!stored && facts.length === 0) return null
    let ledger = stored ? await this.#openStored(serial, stored) : await this.#openNew(serial, facts[0]!.device!)
    for (const { change, device } of facts) {
      if (stored && device) ledger = await this.#identify(ledger, device)
      ledger.cached!.ledger!.post(change)
    }
    this.#open.set(serial, ledger)
    return ledger
  }

  async #openStored(serial: string, stored: DeviceLedger): Promise<DeviceLedger> {
    const { releaseId, referenceDataOf } = this.#context
    const cached = emptyCache()
    const referenceData = await loadReferenceDataOf(new Map([[serial, stored]]), [releaseId], referenceDataOf)
    await runCooperatively(openInSteps({ ...stored, cached }, referenceData))
    return { ...stored, cached }
  }

  async #identify(ledger: DeviceLedger, charged: NonNullable<Fact['device']>): Promise<DeviceLedger> {
    const { releaseId, referenceDataOf } = this.#context
    const referenceData = await referenceDataOf(releaseId)
    const device = { ...ledger.device, ...charged, releaseId }
    const figures = figuresOf(device, () => referenceData)
    ledger.cached!.ledger!.post({ event: { type: 'identified' }, eventId: '', releaseId, figures })
    return { ...ledger, device }
  }

  async #openNew(serialNumber: string, charged: NonNullable<Fact['device']>): Promise<DeviceLedger> {
    const { releaseId, referenceDataOf } = this.#context
    const referenceData = await referenceDataOf(releaseId)
    const balance = { embodiedTotal: 0n, allocated: 0n }
    const device = { ...charged, serialNumber, releaseId, possibleMatch: null, balance }
    const running = RunningLedger.open(
      emptyLedgerHistory(),
      figuresOf(device, () => referenceData),
    )
    return { device, entries: [], cached: { ...emptyCache(), ledger: running } }
  }

  #add(serialNumber: string, fact: Fact): void {
    if (this.#note(serialNumber, fact)) this.#added.push({ serialNumber, content: encodeFact(fact) })
  }

  #note(serialNumber: string, fact: Fact): boolean {
    const facts = this.#facts.get(serialNumber) ?? []
    if (facts.length >= FACTS_MAX) return false
    facts.push(fact)
    this.#facts.set(serialNumber, facts)
    return true
  }
}

/** A ledger that is in a cache goes on with what was posted to it. */
const emptyCache = (): CachedLedger => ({
  ledger: null,
  lastErasure: 0,
  releases: new Set(),
  identifiedBy: null,
  referenceDataOf: null,
})

function encodeFact({ change, device }: Fact): string {
  const { customerId, orderId, terms, reason, country, releaseId, eventId } = change
  const months = toFractionText(terms.months)
  const charged = device && [device.footprintId, device.weightKg, device.isCapped]
  return JSON.stringify([
    [customerId, orderId, terms.start, terms.end, months, reason, country, releaseId, eventId],
    charged,
  ])
}

type EncodedChange = readonly [string, string, string, string, string, string, string | null, number, string | null]
type EncodedFact = readonly [EncodedChange, readonly [string, string | null, boolean] | null]

function decodeFact(content: string): Fact {
  const [change, charged] = JSON.parse(content) as EncodedFact
  const [customerId, orderId, start, end, months, reason, country, releaseId, eventId] = change
  return {
    change: {
      customerId,
      orderId,
      terms: { start, end, months: fromExactText(months) },
      reason: reason as TermsChange['reason'],
      country,
      releaseId,
      eventId,
      shared: NO_EMISSIONS,
    },
    device: charged && { footprintId: charged[0], weightKg: charged[1], isCapped: charged[2] },
  }
}
