// Parses the alternatives to an order: applies their changes, or reports why a change is impossible.
import { TRANSPORT_MODES, type ReferenceData, type TransportFactor } from '../engine/reference/reference-data.ts'
import { withSuggestions } from '../engine/reference/suggestions.ts'
import type { Item, Order, Problem, Transportation } from '../engine/order.ts'
import { rationalOfNumber } from '../engine/numbers/rational.ts'
import { PROBLEMS_MAX, validateDistanceBasis, unknownTransport } from '../engine/validate-order.ts'
import { REQUEST_MESSAGES } from './messages.ts'
import { ESTIMATED_ITEMS_MAX, type Refurbishment, type WireAlternative, type WireChanges } from './estimate-schema.ts'
import type { ValidationResult } from './validation.ts'

export interface ChangedOrder {
  readonly name: string
  readonly order: Order
  readonly refurbished: Refurbishment | null
}

export type ParsedAlternatives =
  | { readonly ok: true; readonly alternatives: readonly ChangedOrder[] }
  | { readonly ok: false; readonly problems: readonly Problem[] }

/** Applies all alternatives to the order. Reports the errors of all alternatives together, each with its path. */
export function readAlternatives(
  order: Order,
  wire: readonly WireAlternative[],
  referenceData: ReferenceData,
): ParsedAlternatives {
  const items = order.items.length * (wire.length + 1)
  if (wire.length > 0 && items > ESTIMATED_ITEMS_MAX) {
    const tooLarge = REQUEST_MESSAGES.estimate_too_large({ count: items, max: ESTIMATED_ITEMS_MAX })
    return { ok: false, problems: [{ path: '/alternatives', ...tooLarge }] }
  }
  const read = wire.map((one, at) => changeOrder(order, one.changes, alternativePath(at), referenceData))
  const problems = [...read.flatMap((one) => one.problems), ...nameProblems([...wire.entries()])]
  if (problems.length > 0) return { ok: false, problems: problems.slice(0, PROBLEMS_MAX) }
  const alternatives = read.map((one, at) => ({
    name: wire[at]!.name,
    order: one.order,
    refurbished: wire[at]!.changes.refurbished ?? null,
  }))
  return { ok: true, alternatives }
}

export const alternativePath = (at: number): string => `/alternatives/${at}/changes`

type Placed = readonly [at: number, alternative: WireAlternative]

/**
 * Errors of the alternatives with a valid shape, for an order that cannot be estimated itself.
 * @param order null if the shape of its items is invalid; then only duplicate names are reported
 */
export function validateAlternatives(
  body: unknown,
  order: Order | null,
  { faulty }: ValidationResult,
  referenceData: ReferenceData,
): readonly Problem[] {
  const sent: unknown = typeof body === 'object' && body !== null && 'alternatives' in body ? body.alternatives : []
  if (!Array.isArray(sent) || faulty.has('/alternatives')) return []
  const faultyAt = new Set([...faulty].map((path) => /^\/alternatives\/\d+/.exec(path)?.[0]))
  const sound = (sent as readonly WireAlternative[]).entries().filter(([at]) => !faultyAt.has(`/alternatives/${at}`))
  const placed: readonly Placed[] = [...sound]
  const changes = order
    ? placed.flatMap(([at, one]) => changeOrder(order, one.changes, alternativePath(at), referenceData).problems)
    : []
  return [...changes, ...nameProblems(placed)]
}

function nameProblems(placed: readonly Placed[]): readonly Problem[] {
  const firsts = new Map<string, number>()
  return placed.flatMap(([at, { name }]) => {
    const first = firsts.get(name)
    if (first === undefined) firsts.set(name, at)
    if (first === undefined) return []
    return [{ path: `/alternatives/${at}/name`, ...REQUEST_MESSAGES.name_repeated({ position: first }) }]
  })
}

interface Changed {
  readonly order: Order
  readonly problems: readonly Problem[]
}

function changeOrder(order: Order, changes: WireChanges, path: string, referenceData: ReferenceData): Changed {
  const { tenure_months: tenureMonths, transportation, refurbished } = changes
  const lacking = order.items.some(({ type }) => type === 'product')
    ? []
    : Object.entries({ tenure_months: tenureMonths, refurbished }).flatMap(([name, change]) =>
        change === undefined ? [] : [{ path: `${path}/${name}`, ...REQUEST_MESSAGES.no_devices_to_change() }],
      )
  const replaced = transportation
    ? readReplacement(order, transportation, `${path}/transportation`, referenceData)
    : null
  const change = (item: Item): Item => {
    if (item.type === 'product') return tenureMonths === undefined ? item : { ...item, tenureMonths }
    return item.type === 'transportation' && replaced?.replace ? replaced.replace(item) : item
  }
  return {
    order: { ...order, items: order.items.map(change) },
    problems: [...lacking, ...(replaced?.problems ?? [])],
  }
}

type WireReplacement = NonNullable<WireChanges['transportation']>

interface Replacement {
  readonly replace: ((leg: Transportation) => Transportation) | null
  readonly problems: readonly Problem[]
}

function readReplacement(order: Order, wire: WireReplacement, path: string, referenceData: ReferenceData): Replacement {
  const legs = order.items.filter((item) => item.type === 'transportation')
  const isReplaced = (leg: Transportation) =>
    leg.transportationId === wire.from || leg.transportationMode === wire.from.toLowerCase()
  const factor = findTransport(wire.to, referenceData)
  const problems = [
    ...(legs.some(isReplaced) ? [] : [absentLeg(wire.from, legs, path)]),
    ...(factor
      ? statedProblems(wire, legs.filter(isReplaced), factor, path)
      : [unclearTransport(wire.to, referenceData, `${path}/to`)]),
  ]
  if (!factor || problems.length > 0) return { replace: null, problems }
  return { problems, replace: (leg) => (isReplaced(leg) ? replaceLeg(leg, wire, factor) : leg) }
}

const replaceLeg = (leg: Transportation, wire: WireReplacement, factor: TransportFactor): Transportation => ({
  ...leg,
  transportationId: factor.id,
  transportationMode: factor.mode,
  distanceKm: wire.distance_km === undefined ? leg.distanceKm : rationalOfNumber(wire.distance_km),
  distanceBasis: basisAfter(leg, wire),
})

/** The distance basis belongs to the distance: a leg keeps its basis only if it keeps its distance. */
const basisAfter = (leg: Transportation, wire: WireReplacement) =>
  wire.distance_basis ?? (wire.distance_km === undefined ? leg.distanceBasis : null)

function absentLeg(from: string, legs: readonly Transportation[], path: string): Problem {
  const there = [...new Set(legs.map(({ transportationId }) => transportationId))]
  const absent =
    there.length === 0
      ? REQUEST_MESSAGES.no_transportation_to_replace()
      : REQUEST_MESSAGES.transportation_not_in_order({ sent: from })
  return withSuggestions({ path: `${path}/from`, ...absent }, there.slice(0, 3))
}

/** Finds a transportation by its id, or by its mode if the mode has only one transportation. */
function findTransport(to: string, { transports }: ReferenceData): TransportFactor | null {
  const ofMode = [...transports.values()].filter(({ mode }) => mode === to.toLowerCase())
  return transports.get(to) ?? (ofMode.length === 1 ? ofMode[0]! : null)
}

/** Reports an unknown transportation, or a mode that has no transportation or several. */
function unclearTransport(to: string, referenceData: ReferenceData, path: string): Problem {
  const mode = to.toLowerCase()
  if (!TRANSPORT_MODES.some((one) => one === mode)) return unknownTransport(to, path, referenceData)
  const ofMode = [...referenceData.transports.values()].flatMap((one) => (one.mode === mode ? [one.id] : []))
  const ambiguous = REQUEST_MESSAGES.ambiguous_mode({ count: ofMode.length, mode })
  return withSuggestions({ path, ...ambiguous }, ofMode.slice(0, 3))
}

function statedProblems(
  wire: WireReplacement,
  legs: readonly Transportation[],
  factor: TransportFactor,
  path: string,
): readonly Problem[] {
  const stated = new Set(legs.map((leg) => basisAfter(leg, wire)))
  const place = `${path}/${wire.distance_basis === undefined ? 'distance_km' : 'distance_basis'}`
  return [...stated].flatMap((basis) => validateDistanceBasis(basis, factor, place))
}
