// Entries as JSON text: what was posted, when, why, because of what, and what it corrects.
import { totalEmissionOf, type EntryReason } from '../../engine/ledger-history.ts'
import { PARTS, toKilograms } from '../../engine/numbers/emission.ts'
import { fromExactText, toDecimal } from '../../engine/numbers/rational.ts'
import type { Resumable } from '../../engine/numbers/steps.ts'
import type { StoredEntry } from '../../ledger/records.ts'
import { deviceId } from '../../ledger/codec.ts'

type Kind = 'allocation' | 'correction' | 'refurbishment' | 'retirement'

/** What each reason is to a ledger: something given out, something put right, or a fact about the device. */
const KINDS: Readonly<Record<EntryReason, Kind>> = {
  order: 'allocation',
  extension: 'allocation',
  late_return: 'allocation',
  swapped_in: 'allocation',
  early_return: 'correction',
  return: 'correction',
  cancelled: 'correction',
  undone: 'correction',
  swapped_out: 'correction',
  overlap: 'correction',
  resequenced: 'correction',
  refurbishment: 'refurbishment',
  retirement: 'retirement',
  loss: 'retirement',
}

/** @param all the journals' entries in sequence: an entry may correct one that is not shown */
export function* entryViews(
  accountId: number,
  shown: readonly StoredEntry[],
  all: readonly StoredEntry[],
): Resumable<string> {
  const wanted = new Set(shown)
  const texts = new Map<StoredEntry, string>()
  /** Of each order and device, the last entry so far. */
  const last = new Map<string, StoredEntry>()
  for (const entry of all) {
    const key = [entry.serialNumber, entry.customerId, entry.orderId].join('\0')
    if (wanted.has(entry)) texts.set(entry, renderEntry(accountId, entry, last.get(key)))
    last.set(key, entry)
    yield
  }
  return `[${shown.map((entry) => texts.get(entry)!).join(',')}]`
}

function renderEntry(accountId: number, entry: StoredEntry, corrected: StoredEntry | undefined): string {
  const { serialNumber, customerId, orderId, reason, terms, postedAt } = entry
  // One that shortens a rental on behalf of a refurbishment or a retirement belongs to an order, and corrects it.
  const kind = orderId !== '' && KINDS[reason] !== 'allocation' ? 'correction' : KINDS[reason]
  const emission = PARTS.map((part) => `"${part}":${toKilograms(entry[part])}`)
  return JSON.stringify({
    entry_no: entry.no,
    kind,
    reason,
    posted_at: postedAt.toISOString(),
    ...(serialNumber !== '' && { device_id: deviceId(accountId, serialNumber), serial_number: serialNumber }),
    ...(orderId !== '' && { customer_id: customerId, order_id: orderId }),
    ...causeOf(entry),
    ...(kind === 'correction' && corrected && { corrects: corrected.no }),
    ...(terms && { tenure_start_date: terms.start, tenure_end_date: terms.end }),
  }).replace(
    /\}$/,
    `${renderMonths(terms)},"total_emission":${toKilograms(totalEmissionOf(entry))},"emission":{${emission.join()}}}`,
  )
}

/** What made it be posted: an event by its id, and the order that it was told of where that is another one. */
function causeOf({ eventId, cause }: StoredEntry) {
  if (eventId === null && cause === null) return {}
  return {
    cause: {
      ...(eventId !== null && { event_id: eventId }),
      ...(cause && { customer_id: cause.customerId, order_id: cause.orderId }),
    },
  }
}

const renderMonths = (terms: StoredEntry['terms']): string =>
  terms ? `,"tenure_months":${toDecimal(fromExactText(terms.months))}` : ''
