// A device's ledger that is updated with each new fact, at the cost of what changes and not of the complete history.
import {
  NO_EMISSIONS,
  applyEntry,
  inForceAfter,
  type EventWithdrawal,
  type Identification,
  type LedgerEntry,
  type MutableLedgerHistory,
  type PostedRental,
  type EmissionsByPart,
} from './ledger-history.ts'
import { isSame, openBalance, type EmbodiedBalance } from './device-ledger.ts'
import {
  afterEvents,
  compareRentals,
  endingOf,
  hasDuration,
  orderKey,
  runRental,
  type DeviceEvent,
  type OrderKey,
  type Rental,
  type AllocatedRental,
  type RentalTerms,
} from './device-timeline.ts'
import { sortInSteps } from './numbers/sort-in-steps.ts'
import { runToCompletion, type Resumable } from './numbers/steps.ts'
import { addByDate, placeOf, startedBefore } from './occupancy.ts'
import {
  correctionOf,
  isIdentification,
  isNothing,
  toStoredBalance,
  missing,
  ownEntry,
  type RentalChange,
  type DeviceFootprint,
  type PostedEntries,
} from './post-entries.ts'

const AFTER_ALL_DAYS = '~'

/** A rental that occupies time, with its outcome. */
interface Turn extends Rental {
  run: AllocatedRental
}

export interface CutRental extends OrderKey {
  readonly end: string
}

/**
 * The rentals of a device that occupy time, in chronological order, each with the balance before and after it. A new
 * fact recomputes only what it changes: the rental before it, which it may end, its own rental, and later ones until
 * the balance equals the previous one. The result is the same as that of computeTimeline over all facts, and posting
 * takes no longer for a device with a hundred thousand entries than for any other. METHODOLOGY.md#ledger
 */
export class RunningLedger {
  /** All recorded facts, with the posted emissions. */
  readonly history: MutableLedgerHistory
  #figures: DeviceFootprint
  #opening: EmbodiedBalance
  readonly #turns: Turn[] = []
  /** Sorted by date. */
  readonly #events: DeviceEvent[] = []
  /** Rentals whose posted emissions differ from their computed ones; the next fact posts a correction for them, too. */
  readonly #unsettled = new Set<string>()
  /** By orderKey: when each rental that the current fact recomputes ended before that fact. */
  readonly #endsBefore = new Map<string, string>()

  private constructor(history: MutableLedgerHistory, figures: DeviceFootprint) {
    this.history = history
    this.#figures = figures
    this.#opening = openingOf(figures)
    for (const event of history.events.values()) addByDate(this.#events, event)
  }

  /** @param history owned by the ledger from now on, which adds to it */
  static *openInSteps(history: MutableLedgerHistory, figures: DeviceFootprint): Resumable<RunningLedger> {
    const ledger = new RunningLedger(history, figures)
    const rentals = [...history.rentals.values()]
    const inTurn = yield* sortInSteps(rentals.filter(takesTime), compareRentals)
    for (const [at, { customerId, orderId, terms }] of inTurn.entries()) {
      const before = ledger.#balanceBefore(at, terms.start)
      const run = runRental(before, terms, endingOf(terms, inTurn[at + 1], ledger.#events))
      ledger.#turns.push({ customerId, orderId, terms, run })
      yield
    }
    for (const rental of rentals) {
      ledger.#note(rental)
      yield
    }
    return ledger
  }

  /** @param history owned by the ledger from now on, which adds to it */
  static open(history: MutableLedgerHistory, figures: DeviceFootprint): RunningLedger {
    return runToCompletion(RunningLedger.openInSteps(history, figures))
  }

  get figures(): DeviceFootprint {
    return this.#figures
  }

  /** The balance after all recorded facts. */
  get balance(): EmbodiedBalance {
    return this.#balanceBefore(this.#turns.length, AFTER_ALL_DAYS)
  }

  /**
   * Adds a new fact and returns the entries it posts: the newly computed emissions less those already posted. The entry
   * of the fact itself comes first, even if its emissions are zero; then come corrections to other orders, in the
   * chronological order of their rentals. METHODOLOGY.md#corrections
   */
  post(change: RentalChange): PostedEntries {
    const own = 'event' in change ? null : orderKey(change)
    this.#endsBefore.clear()
    if ('event' in change) this.#setEvents(change.event, change.figures)
    else this.#setTerms({ ...change, ...inForceAfter(change) })
    const isForAll = isIdentification(change)
    const concerned = isForAll ? this.history.rentals.keys() : [...this.#endsBefore.keys(), ...this.#unsettled]
    const isInterim = !('event' in change) && change.isInterim === true
    const others = isInterim ? [] : [...new Set(concerned)].filter((key) => key !== own)
    const corrections = others
      .map((key) => this.history.rentals.get(key)!)
      .toSorted(compareRentals)
      .flatMap((rental) => {
        const parts = this.#missing(rental)
        // An identification posts to every order: what it posted before was of another model.
        return isNothing(parts) && !isForAll ? [] : [correctionOf(rental, parts, this.#hasOtherEnd(rental), change)]
      })
    const run = own === null ? null : this.runOf(change as OrderKey)
    const ownParts = own === null ? NO_EMISSIONS : this.#missing(this.history.rentals.get(own)!)
    const first = this.history.lastNo + 1
    const entries = [ownEntry(change, ownParts), ...corrections].map((entry, at) => ({ ...entry, no: first + at }))
    for (const entry of entries) applyEntry(this.history, entry)
    if (isInterim) for (const key of this.#endsBefore.keys()) this.#note(this.history.rentals.get(key)!)
    else this.#unsettled.clear()
    return { entries, run, balance: toStoredBalance(this.balance) }
  }

  /** Adds the next ledger entry, which was posted elsewhere and did not change the figures of the device. */
  add(entry: LedgerEntry): void {
    const { event, terms } = entry
    this.#endsBefore.clear()
    if (event) this.#setEvents(event)
    else if (terms) this.#setTerms({ ...entry, ...inForceAfter(entry), terms })
    applyEntry(this.history, entry)
    const own = event ? [] : [orderKey(entry)]
    for (const key of [...this.#endsBefore.keys(), ...own]) this.#note(this.history.rentals.get(key)!)
  }

  /** The outcome of a recorded rental. @throws RangeError when the order has no rental of the device */
  runOf(order: OrderKey): AllocatedRental {
    const rental = this.history.rentals.get(orderKey(order))
    if (!rental) throw new RangeError(`The device was not rented under the order "${order.orderId}"`)
    const place = placeOf(this.#turns, rental)
    if (takesTime(rental)) return this.#turns[place]!.run
    return runRental(this.#balanceBefore(place, rental.terms.start), rental.terms, null)
  }

  /** When a recorded rental would end, and what would end it, under new terms with the same start. */
  endWith({ customerId, orderId }: OrderKey, terms: RentalTerms): Pick<AllocatedRental, 'end' | 'endedBy'> {
    const place = placeOf(this.#turns, { customerId, orderId, terms })
    const there = this.#turns[place]
    const next = there?.orderId === orderId && there.customerId === customerId ? this.#turns[place + 1] : there
    const ending = hasDuration(terms) ? endingOf(terms, next, this.#events) : null
    return { end: ending?.day ?? terms.end, endedBy: ending?.by ?? null }
  }

  /** The order whose rental has the device on a day; null if there is none. */
  rentedOn(day: string): OrderKey | null {
    // The last rental that started by then ended any earlier one, at the latest when it started itself.
    const last = this.#turns[startedBefore(this.#turns, `${day}~`) - 1]
    return last && day < last.run.end ? last : null
  }

  /** The rental that another one would cut short, and the day on which it ends otherwise; null if there is none. */
  cutBy(rental: Rental): CutRental | null {
    // The last rental before it has cut short any earlier one.
    const last = takesTime(rental) ? this.#turns[placeOf(this.#turns, rental) - 1] : undefined
    if (!last || last.run.end <= rental.terms.start) return null
    return { customerId: last.customerId, orderId: last.orderId, end: last.run.end }
  }

  /** The emission of a recorded rental that is computed and not posted yet; after most facts, there is none. */
  unposted(order: OrderKey): EmissionsByPart {
    return this.#missing(this.history.rentals.get(orderKey(order))!)
  }

  /** The balance after a hypothetical event, as the last one of its day. */
  balanceAfter(event: DeviceEvent): EmbodiedBalance {
    const { balance, since, events } = this.#runWithEvent(event, startedBefore(this.#turns, event.date))
    return afterEvents(balance, events.slice(0, events.indexOf(event) + 1), since, event.date)
  }

  /** The outcome of a hypothetical rental; if there is an event on its start day, the event comes first. */
  runWith(rental: Rental, event: DeviceEvent | null): AllocatedRental {
    const { terms } = rental
    const place = placeOf(this.#turns, rental)
    const { balance, since, events } = this.#runWithEvent(event, place, rental)
    const ending = hasDuration(terms) ? endingOf(terms, this.#turns[place], events) : null
    return runRental(afterEvents(balance, events, since, terms.start), terms, ending)
  }

  /** The balance at a position and the day up to which it holds, with a hypothetical event and rental included. */
  #runWithEvent(event: DeviceEvent | null, place: number, rental?: Rental) {
    const events = [...this.#events]
    if (event) addByDate(events, event)
    const day = event?.date ?? rental?.terms.start ?? ''
    const from = Math.max(0, startedBefore(this.#turns, day) - 1)
    const last = this.#turns[from - 1]
    let [balance, since] = last ? [last.run.share.balance, last.terms.start] : [this.#opening, '']
    for (let at = from; at < place; at += 1) {
      const { terms } = this.#turns[at]!
      const next = at + 1 === place && rental && takesTime(rental) ? rental : this.#turns[at + 1]
      const before = afterEvents(balance, events, since, terms.start)
      balance = runRental(before, terms, endingOf(terms, next, events)).share.balance
      since = terms.start
    }
    return { balance, since, events }
  }

  #setEvents(event: DeviceEvent | Identification | EventWithdrawal, figures?: DeviceFootprint): void {
    if (figures) {
      this.#figures = figures
      this.#opening = openingOf(figures)
      return this.#runAgain(0, this.#turns.length)
    }
    if (event.type === 'identified') throw new RangeError('A device is identified without figures')
    const changed = event.type === 'withdrawn' ? this.history.events.get(event.withdraws) : event
    if (!changed) throw new RangeError('An event is withdrawn that the device does not have')
    if (changed === event) addByDate(this.#events, changed)
    else this.#events.splice(this.#events.indexOf(changed), 1)
    const last = startedBefore(this.#turns, changed.date) - 1
    this.#runAgain(last, last)
  }

  #setTerms({ customerId, orderId, terms, reason, country, releaseId }: Omit<PostedRental, 'posted'>): void {
    const key = orderKey({ customerId, orderId })
    const known = this.history.rentals.get(key)
    const posted = known?.posted ?? NO_EMISSIONS
    this.history.rentals.set(key, { customerId, orderId, terms, reason, country, releaseId, posted })
    this.#place(known ?? null, { customerId, orderId, terms })
  }

  #place(known: Rental | null, rental: Rental): void {
    const left = known && takesTime(known) ? placeOf(this.#turns, known) : null
    if (left !== null) this.#turns.splice(left, 1)
    if (left === null && !takesTime(rental)) return
    const place = placeOf(this.#turns, rental)
    // The outcome is computed below, as are those of the previous rental and of the one after the former position.
    if (takesTime(rental))
      this.#turns.splice(place, 0, { ...rental, run: runRental(this.#opening, rental.terms, null) })
    const places = [place, left ?? place]
    this.#runAgain(Math.min(...places) - 1, Math.max(...places))
  }

  /**
   * Recomputes turns from one index to at least another, and continues until the balance equals the previous one. An
   * event belongs to no turn: it ends the turn during which it happens, and changes later ones by the balance alone.
   */
  #runAgain(from: number, until: number): void {
    for (let at = Math.max(0, from); at < this.#turns.length; at += 1) {
      const turn = this.#turns[at]!
      const before = this.#balanceBefore(at, turn.terms.start)
      if (at > until && isSame(turn.run.before, before)) return
      this.#endsBefore.set(orderKey(turn), turn.run.end)
      turn.run = runRental(before, turn.terms, endingOf(turn.terms, this.#turns[at + 1], this.#events))
    }
  }

  /** The balance on a day after the turn before `place` has started, including the events of that day. */
  #balanceBefore(place: number, day: string): EmbodiedBalance {
    const last = this.#turns[place - 1]
    const [balance, since] = last ? [last.run.share.balance, last.terms.start] : [this.#opening, '']
    return afterEvents(balance, this.#events, since, day)
  }

  #missing(rental: PostedRental): EmissionsByPart {
    return missing(rental, this.runOf(rental), this.#figures)
  }

  #note(rental: PostedRental): void {
    if (isNothing(this.#missing(rental))) this.#unsettled.delete(orderKey(rental))
    else this.#unsettled.add(orderKey(rental))
  }

  #hasOtherEnd(rental: Rental): boolean {
    const { end } = this.runOf(rental)
    return end !== (this.#endsBefore.get(orderKey(rental)) ?? end)
  }
}

const openingOf = ({ footprint, isCapped }: DeviceFootprint): EmbodiedBalance =>
  openBalance(footprint.embodied, footprint.lifetimeMonths, isCapped)

const takesTime = ({ terms }: Rental): boolean => hasDuration(terms)
