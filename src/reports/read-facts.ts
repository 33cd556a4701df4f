// Postings into facts: what of an entry reports need, with what its figures rest on looked up once for many.
import type { ReferenceDataOf, ReferenceData } from '../engine/reference/reference-data.ts'
import { footprintById } from '../engine/reference/footprint.ts'
import { toMilligrams } from '../engine/numbers/emission.ts'
import { useMethod } from '../engine/estimate.ts'
import { ONE, fromExactText, rationalOfNumber } from '../engine/numbers/rational.ts'
import { gridFactors } from '../engine/resolve-order.ts'
import { gridScore } from '../engine/uncertainty/uncertainty.ts'
import type { ReportOrder, ReportEntry } from '../postgres/reporting/entries.ts'
import { toFactAmounts } from './additions.ts'
import {
  ENTRY_KINDS,
  dayNoOf,
  encodeDevice,
  encodeProduct,
  decodeTerms,
  withGridScore,
  type FactDevice,
  type Fact,
} from './fact.ts'
import { encodeFactorMix } from './mix.ts'

/** Reads postings in the sequence in which they were posted; pages may cut it anywhere. */
export type FactBuilder = (postings: readonly ReportEntry[]) => Promise<readonly Fact[]>

/** What use rests on is kept of so many rentals at once. */
const KNOWN_MAX = 20_000

export function createFactBuilder(bookOf: (releaseId: number) => Promise<ReferenceData>): FactBuilder {
  const books = new Map<number, ReferenceData>()
  const bookAt: ReferenceDataOf = (releaseId) => books.get(releaseId)!
  const useKinds = new Map<string, number>()
  /** All entries of an order on a page bear the same one, which may have a thousand items. */
  const mixes = new Map<ReportOrder, string>()
  let lastOrder = ''
  /** An order's own entries, and those that undo it, stand together: the first of them counts the order. */
  const isFirstOf = ({ reason, order }: ReportEntry): boolean => {
    if (reason !== 'order' && reason !== 'undone') return false
    const key = [reason, order!.customerId, order!.orderId].join('\0')
    const isFirst = key !== lastOrder
    lastOrder = key
    return isFirst
  }
  /** @param months over which it is spread */
  const useKindOf = (posting: ReportEntry, months: string): number => {
    const { device, rental } = posting
    if (device === null || rental === null) return 0
    const { start, country, releaseId } = rental
    const key = [deviceOf(posting), country, releaseId, start, months].join('\0')
    const kind = useKinds.get(key) ?? kindOfUse(posting, months, bookAt)
    if (useKinds.size >= KNOWN_MAX) useKinds.clear()
    useKinds.set(key, kind)
    return kind
  }
  const mixOf = (order: ReportOrder): string => {
    const mix = mixes.get(order) ?? encodeFactorMix(order.items, order.releaseId, bookAt(order.releaseId))
    mixes.set(order, mix)
    return mix
  }
  const toFacts = (posting: ReportEntry): readonly Fact[] => {
    const { order, rental } = posting
    if (order === null) return refurbishments(posting)
    return toFactAmounts(posting, isFirstOf(posting)).map((addition) => {
      const { other, knownOn, flags } = addition
      const by = other?.order ?? order
      const { dispatchDay } = by
      return {
        customer: by.customerId,
        device: deviceOf(posting),
        product: posting.device?.guess ? encodeProduct(posting.device.guess) : '',
        country: (other ?? rental ?? by).country ?? '',
        metadata: by.metadata ?? '',
        mix: mixOf(by),
        terms: addition.terms,
        orderDay: by.orderDay,
        dispatchDay,
        sharedDay: knownOn === null ? dispatchDay : Math.max(dispatchDay, dayNoOf(knownOn)),
        kind: flags + useKindOf(posting, decodeTerms(addition.terms)?.months ?? ''),
        embodied: addition.product_embodied_emission,
        use: addition.product_use,
        packaging: addition.packaging,
        transportation: addition.transportation,
      }
    })
  }
  return async (postings) => {
    for (const releaseId of releasesIn(postings)) {
      if (!books.has(releaseId)) books.set(releaseId, await bookOf(releaseId))
    }
    mixes.clear()
    return postings.flatMap(toFacts)
  }
}

function releasesIn(postings: readonly ReportEntry[]): ReadonlySet<number> {
  const ids = new Set<number>()
  for (const { order, device, rental, otherRental } of postings) {
    if (order) ids.add(order.releaseId)
    if (otherRental?.order) ids.add(otherRental.order.releaseId)
    if (device) ids.add(device.releaseId)
    if (rental) ids.add(rental.releaseId)
  }
  return ids
}

const deviceOf = ({ device }: ReportEntry): string =>
  device === null ? '' : encodeDevice({ ...device, weightKg: device.weightKg ?? '' })

/** The footprint that a device is charged by. */
const footprintOfDevice = ({ basis, releaseId, weightKg }: FactDevice, bookOf: ReferenceDataOf) =>
  footprintById(basis, weightKg === '' ? ONE : fromExactText(weightKg), bookOf(releaseId))

/** How good the use of a rental is over so many months. */
function kindOfUse({ device, rental }: ReportEntry, months: string, bookOf: ReferenceDataOf): number {
  const footprint = footprintOfDevice({ ...device!, weightKg: device!.weightKg ?? '' }, bookOf)
  const { start, country, releaseId } = rental!
  const used = useMethod(footprint, gridFactors(country, bookOf(releaseId)), start, fromExactText(months))
  if (used === null) return 0
  return withGridScore(used.type === 'estimated' ? ENTRY_KINDS.useEstimated : 0, used.use ? gridScore(used.use) : 0)
}

/** Of what was told of devices alone, refurbishments have a burden, which only the owner's book counts by itself. */
function refurbishments(posting: ReportEntry): readonly Fact[] {
  if (posting.reason !== 'refurbishment') return []
  const { date, emission_kg } = JSON.parse(posting.eventContent!) as { date: string; emission_kg: number }
  const day = dayNoOf(date)
  return [
    {
      customer: '',
      device: deviceOf(posting),
      product: '',
      country: '',
      metadata: '',
      mix: '',
      terms: '',
      orderDay: day,
      dispatchDay: day,
      sharedDay: day,
      kind: ENTRY_KINDS.refurbishment,
      embodied: toMilligrams(rationalOfNumber(emission_kg)),
      use: 0n,
      packaging: 0n,
      transportation: 0n,
    },
  ]
}
