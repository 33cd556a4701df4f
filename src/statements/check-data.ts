// Checks the consistency of a statement's data before anything is summed: references by number or name, and shares.
import { PARTS, sumMilligrams, toKilograms, type Milligrams } from '../engine/numbers/emission.ts'
import type { Difference } from '../strict-json/exact-tree.ts'
import { referenceKey, type StatementData, type StatementRental, type StatementShare } from './statement.ts'
import { milligramsOf, partsOf } from './periods.ts'

export function findInconsistencies(facts: StatementData): readonly Difference[] {
  return [...numbering(facts), ...names(facts), ...allocation(facts), ...firstEntries(facts), ...times(facts)]
}

/** Numbered rows must be in the order of their numbers, so that each number identifies one row. */
function numbering({ calculation_bases, factors, sources }: StatementData): readonly Difference[] {
  return Object.entries({ calculation_bases, factors, sources }).flatMap(([name, things]) =>
    things.flatMap(({ no }, at) =>
      no === at + 1 ? [] : [{ place: `/${name}/${at}/no`, found: String(no), expected: String(at + 1) }],
    ),
  )
}

function names({
  calculation_bases: bases,
  factors,
  sources,
  releases,
  devices,
}: StatementData): readonly Difference[] {
  const known = new Set(releases.map(({ name }) => name))
  const unknownRelease = (place: string, release: string): readonly Difference[] =>
    known.has(release) ? [] : [{ place, found: release, expected: 'a release that is listed' }]
  const unlisted = (place: string, no: number, list: readonly unknown[]): readonly Difference[] =>
    no >= 1 && no <= list.length ? [] : [{ place, found: String(no), expected: 'a number that is listed' }]
  return [
    ...bases.flatMap((one, at) =>
      one.factors.flatMap((no) => unlisted(`/calculation_bases/${at}/factors`, no, factors)),
    ),
    ...factors.flatMap((one, at) => [
      ...unlisted(`/factors/${at}/source`, one.source, sources),
      ...unknownRelease(`/factors/${at}/dataset_release`, one.dataset_release),
    ]),
    ...devices.flatMap(({ model, rentals }, at) => [
      ...unknownRelease(`/devices/${at}/model/dataset_release`, model.dataset_release),
      ...rentals.flatMap((rental, place) => wrongBases(rental, `/devices/${at}/rentals/${place}`, bases)),
    ]),
  ]
}

function wrongBases(
  rental: StatementRental,
  pointer: string,
  bases: StatementData['calculation_bases'],
): readonly Difference[] {
  const misfit = (name: string, no: number, parts: readonly string[]): readonly Difference[] =>
    parts.includes(bases[no - 1]?.part ?? '')
      ? []
      : [
          {
            place: `${pointer}/${name}`,
            found: String(no),
            expected: `a calculation basis of ${parts.join(' or ')}`,
          },
        ]
  return [
    ...misfit('embodied_basis', rental.embodied_basis, ['product_embodied_emission']),
    ...rental.entries.flatMap(({ use_basis: basis }, at) =>
      basis === null ? [] : misfit(`entries/${at}/use_basis`, basis, ['product_use']),
    ),
    ...rental.shares.flatMap(({ calculation_basis: basis }) =>
      misfit('shares', basis, ['packaging', 'transportation']),
    ),
  ]
}

type Sums = Map<number, Milligrams>

function addShares(sums: Sums, shares: readonly StatementShare[]): Sums {
  for (const { calculation_basis: basis, emission } of shares)
    sums.set(basis, (sums.get(basis) ?? 0n) + milligramsOf(emission))
  return sums
}

/** The shares of an order's devices must add up to the emission of each of its lines. */
function allocation({ orders, devices }: StatementData): readonly Difference[] {
  const rentals = devices.flatMap((device) => device.rentals)
  const byOrder = Map.groupBy(rentals, referenceKey)
  return orders.flatMap((order, at) => {
    const { number_of_devices: number, lines } = order
    const held = byOrder.get(referenceKey(order)) ?? []
    if (held.length !== number)
      return [{ place: `/orders/${at}/number_of_devices`, found: String(number), expected: String(held.length) }]
    if (held.length === 0) return []
    const shared = held.reduce((sums, { shares }) => addShares(sums, shares), new Map() as Sums)
    const own = addShares(new Map(), lines)
    return [...new Set([...own.keys(), ...shared.keys()])].flatMap((basis) => {
      const [emission, shares] = [own.get(basis) ?? 0n, shared.get(basis) ?? 0n]
      if (shares === emission) return []
      const expected = `${toKilograms(shares)} kg, the sum of the devices’ shares`
      const found = `${toKilograms(emission)} kg by calculation basis ${basis}`
      return [{ place: `/orders/${at}/lines`, found, expected }]
    })
  })
}

/** The first posting of packaging and transportation must equal the sum of the listed shares. */
function firstEntries({ devices, orders, calculation_bases: bases }: StatementData): readonly Difference[] {
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
    if (!first) return [{ place: `${pointer}/entries`, found: 'none', expected: 'at least one entry' }]
    const posted = partsOf(first)
    return PARTS.filter((part) => part === 'packaging' || part === 'transportation').flatMap((part) => {
      const bearing = shares.filter(({ calculation_basis: basis }) => bases[basis - 1]?.part === part)
      const shared = sumMilligrams(bearing.map(({ emission }) => milligramsOf(emission)))
      return shared === posted[part]
        ? []
        : [
            {
              place: `${pointer}/entries/0/${part}`,
              found: `${toKilograms(posted[part])} kg`,
              expected: `${toKilograms(shared)} kg, the sum of the shares`,
            },
          ]
    })
  })
}

/** Nothing may have been posted after `known_at`. */
function times({ devices, orders, issued }: StatementData): readonly Difference[] {
  const known = Date.parse(issued.known_at)
  const late = (entries: StatementRental['entries'], pointer: string): readonly Difference[] =>
    entries.flatMap(({ posted_at: postedAt }, at) =>
      Date.parse(postedAt) <= known
        ? []
        : [
            {
              place: `${pointer}/entries/${at}/posted_at`,
              found: postedAt,
              expected: `a time not after ${issued.known_at}`,
            },
          ],
    )
  return [
    ...devices.flatMap(({ rentals }, at) =>
      rentals.flatMap(({ entries }, place) => late(entries, `/devices/${at}/rentals/${place}`)),
    ),
    ...orders.flatMap(({ entries }, at) => late(entries, `/orders/${at}`)),
  ]
}
