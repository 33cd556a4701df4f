// The facts of entries without an order: of these, only refurbishments have a burden, which only the owner counts.
import type { StoredDeviceEvent } from '../contract/event-schema.ts'
import { toMilligrams } from '../engine/numbers/emission.ts'
import { rationalOfNumber } from '../engine/numbers/rational.ts'
import { laterDay } from '../engine/reporting-periods.ts'
import type { StoredEntry } from '../ledger/records.ts'
import type { ChargedAs, ReportEntry } from '../postgres/reporting/entries.ts'
import { ENTRY_KINDS, dayNoOf, encodeDevice, type Fact } from './fact.ts'

/**
 * A refurbishment counts its burden. A withdrawal takes it back on the day on which it counted, as far as that is
 * open. If the device is identified as another model, the burdens of its earlier refurbishments move there.
 */
export function factsWithoutOrder(posting: ReportEntry): readonly Fact[] {
  const { reason, ledger, no, device, countsFrom } = posting
  if (reason === 'refurbishment') return [factOf(posting, device!, 1n, countsFrom)]
  if (!ledger) return []
  const before = ledger.footprints.findLast((entry) => entry.no < no)!.footprint!
  if (ledger.footprints.some((entry) => entry.no === no)) {
    return countedBefore(ledger.entries, no).flatMap((told) => [
      factOf(told, before, -1n, countsFrom),
      factOf(told, device!, 1n, countsFrom),
    ])
  }
  const withdrawn = ledger.entries.find((entry) => isWithdrawalOf(posting, entry))
  return withdrawn?.reason === 'refurbishment' ? [factOf(withdrawn, device!, -1n, countsFrom)] : []
}

/** The refurbishments that count when an entry is posted. */
function countedBefore(entries: readonly StoredEntry[], no: number): readonly StoredEntry[] {
  const earlier = entries.filter((entry) => entry.orderId === '' && entry.no < no)
  return earlier.filter(
    (told) => told.reason === 'refurbishment' && !earlier.some((entry) => isWithdrawalOf(entry, told)),
  )
}

type DeviceEntry = Pick<StoredEntry, 'reason' | 'eventContent' | 'countsFrom'>

const isWithdrawalOf = ({ reason, eventContent }: DeviceEntry, { orderId, eventId }: StoredEntry): boolean =>
  reason === 'withdrawal' &&
  orderId === '' &&
  eventId === (JSON.parse(eventContent!) as { withdraws: string }).withdraws

function factOf(told: DeviceEntry, device: ChargedAs, sign: bigint, countsFrom: string | null): Fact {
  const { date, emission_kg, emission_default } = JSON.parse(told.eventContent!) as Extract<
    StoredDeviceEvent,
    { readonly type: 'refurbished' }
  >
  const day = dayNoOf(date)
  return {
    customer: '',
    device: deviceOf({ device }),
    product: '',
    country: '',
    metadata: '',
    mix: '',
    terms: '',
    orderDay: day,
    dispatchDay: day,
    sharedDay: dayNoOf(laterDay(countsFrom, laterDay(told.countsFrom, date))),
    kind: ENTRY_KINDS.refurbishment + (emission_default ? ENTRY_KINDS.byDefault : 0),
    embodied: sign * toMilligrams(rationalOfNumber(emission_kg)),
    use: 0n,
    packaging: 0n,
    transportation: 0n,
  }
}

/** A device in the form used in facts. */
export const deviceOf = ({ device }: { readonly device: ChargedAs | null }): string =>
  device === null ? '' : encodeDevice({ ...device, weightKg: device.weightKg ?? '' })
