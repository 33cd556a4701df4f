// What of a statement's facts has to fit together before anything is summed: numbers that name something, and shares.
import { PARTS, sumMilligrams, toKilograms, type Milligrams } from '../engine/numbers/emission.ts'
import type { StatementData, StatementRental, StatementShare } from './statement.ts'
import { milligramsOf, partsOf } from './periods.ts'

/** A JSON pointer, and what is wrong there. */
export interface Inconsistency {
  readonly pointer: string
  readonly sentence: string
}

export function findInconsistencies(facts: StatementData): readonly Inconsistency[] {
  return [...numbering(facts), ...names(facts), ...allocation(facts), ...firstEntries(facts), ...times(facts)]
}

/** Things with numbers stand in the sequence of these, so that a number names one of them. */
function numbering({ grounds, factors, sources }: StatementData): readonly Inconsistency[] {
  return Object.entries({ grounds, factors, sources }).flatMap(([name, things]) =>
    things.flatMap(({ no }, at) =>
      no === at + 1 ? [] : [{ pointer: `/${name}/${at}/no`, sentence: `is ${no}, and stands in place ${at + 1}` }],
    ),
  )
}

function names({ grounds, factors, sources, releases, devices }: StatementData): readonly Inconsistency[] {
  const known = new Set(releases.map(({ name }) => name))
  const unknownRelease = (pointer: string, release: string): readonly Inconsistency[] =>
    known.has(release) ? [] : [{ pointer, sentence: `names the release ${release}, which is not listed` }]
  const unlisted = (pointer: string, no: number, list: readonly unknown[]): readonly Inconsistency[] =>
    no >= 1 && no <= list.length ? [] : [{ pointer, sentence: `names number ${no}, which is not listed` }]
  return [
    ...grounds.flatMap((one, at) => one.factors.flatMap((no) => unlisted(`/grounds/${at}/factors`, no, factors))),
    ...factors.flatMap((one, at) => [
      ...unlisted(`/factors/${at}/source`, one.source, sources),
      ...unknownRelease(`/factors/${at}/dataset_release`, one.dataset_release),
    ]),
    ...devices.flatMap(({ model, rentals }, at) => [
      ...unknownRelease(`/devices/${at}/model/dataset_release`, model.dataset_release),
      ...rentals.flatMap((rental, place) => wrongGrounds(rental, `/devices/${at}/rentals/${place}`, grounds)),
    ]),
  ]
}

function wrongGrounds(
  rental: StatementRental,
  pointer: string,
  grounds: StatementData['grounds'],
): readonly Inconsistency[] {
  const misfit = (name: string, no: number, parts: readonly string[]): readonly Inconsistency[] =>
    parts.includes(grounds[no - 1]?.part ?? '')
      ? []
      : [{ pointer: `${pointer}/${name}`, sentence: `names ground ${no}, which is of no ${parts.join(' or ')}` }]
  return [
    ...misfit('embodied_ground', rental.embodied_ground, ['product_embodied_emission']),
    ...rental.entries.flatMap(({ use_ground: ground }, at) =>
      ground === null ? [] : misfit(`entries/${at}/use_ground`, ground, ['product_use']),
    ),
    ...rental.shares.flatMap(({ ground }) => misfit('shares', ground, ['packaging', 'transportation'])),
  ]
}

type Sums = Map<number, Milligrams>

function addShares(sums: Sums, shares: readonly StatementShare[]): Sums {
  for (const { ground, emission } of shares) sums.set(ground, (sums.get(ground) ?? 0n) + milligramsOf(emission))
  return sums
}

/** The shares of an order's devices add up to what each of its lines comes to. */
function allocation({ orders, devices }: StatementData): readonly Inconsistency[] {
  const rentals = devices.flatMap((device) => device.rentals)
  const byOrder = Map.groupBy(rentals, ({ order_id: orderId }) => orderId)
  return orders.flatMap(({ order_id: orderId, number_of_devices: number, lines }, at) => {
    const held = byOrder.get(orderId) ?? []
    if (held.length !== number)
      return [{ pointer: `/orders/${at}/number_of_devices`, sentence: `is ${number}; ${held.length} are listed` }]
    if (held.length === 0) return []
    const shared = held.reduce((sums, { shares }) => addShares(sums, shares), new Map() as Sums)
    const own = addShares(new Map(), lines)
    return [...new Set([...own.keys(), ...shared.keys()])].flatMap((ground) => {
      const [emission, shares] = [own.get(ground) ?? 0n, shared.get(ground) ?? 0n]
      if (shares === emission) return []
      const sentence =
        `ground ${ground} comes to ${toKilograms(emission)} kg, and the devices’ shares of it to ` +
        `${toKilograms(shares)} kg`
      return [{ pointer: `/orders/${at}/lines`, sentence }]
    })
  })
}

/** What was posted first of packaging and transportation is the shares that are listed. */
function firstEntries({ devices, orders, grounds }: StatementData): readonly Inconsistency[] {
  const places = [
    ...devices.flatMap(({ rentals }, at) =>
      rentals.map(({ entries, shares }, place) => ({ pointer: `/devices/${at}/rentals/${place}`, entries, shares })),
    ),
    ...orders
      .map(({ entries, lines }, at) => ({ pointer: `/orders/${at}`, entries, shares: lines }))
      .filter(({ entries }) => entries.length > 0),
  ]
  return places.flatMap(({ pointer, entries, shares }) => {
    const [first] = entries
    if (!first) return [{ pointer: `${pointer}/entries`, sentence: 'has nothing that was posted' }]
    const posted = partsOf(first)
    return PARTS.filter((part) => part === 'packaging' || part === 'transportation').flatMap((part) => {
      const bearing = shares.filter(({ ground }) => grounds[ground - 1]?.part === part)
      const shared = sumMilligrams(bearing.map(({ emission }) => milligramsOf(emission)))
      return shared === posted[part]
        ? []
        : [
            {
              pointer: `${pointer}/entries/0/${part}`,
              sentence: `is ${toKilograms(posted[part])} kg; the shares come to ${toKilograms(shared)} kg`,
            },
          ]
    })
  })
}

/** Nothing was posted after the time until which it says to know. */
function times({ devices, orders, made }: StatementData): readonly Inconsistency[] {
  const known = Date.parse(made.known_at)
  const late = (entries: StatementRental['entries'], pointer: string): readonly Inconsistency[] =>
    entries.flatMap(({ posted_at: postedAt }, at) =>
      Date.parse(postedAt) <= known
        ? []
        : [{ pointer: `${pointer}/entries/${at}/posted_at`, sentence: `is after ${made.known_at}, the time it is of` }],
    )
  return [
    ...devices.flatMap(({ rentals }, at) =>
      rentals.flatMap(({ entries }, place) => late(entries, `/devices/${at}/rentals/${place}`)),
    ),
    ...orders.flatMap(({ entries }, at) => late(entries, `/orders/${at}`)),
  ]
}
