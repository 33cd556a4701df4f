// Validates an order: unknown names and contradictions. All problems are reported together, each with its path.
import { unversionedId } from './reference/own-figures.ts'
import type { DistanceBasis, ReferenceData, TransportFactor } from './reference/reference-data.ts'
import { modelIdByAlias } from './reference/product-match.ts'
import { closestMatches, withSuggestions } from './reference/suggestions.ts'
import { ORDER_MESSAGES } from './messages.ts'
import type { Item, Packaging, Problem, Product, Transportation } from './order.ts'
import { distanceBases } from './transport.ts'
import { serviceNamedIn } from './reference/carrier-services.ts'
import { resolveSynonym, resolveCountry } from './reference/synonyms.ts'

/** Maximum number of problems in an error response; it limits the work that a hostile request can cause. */
export const PROBLEMS_MAX = 50

/** Problems of items, given with their positions in the order: unknown names and duplicate serial numbers. */
export function validateItems(
  items: Iterable<readonly [number, Item]>,
  referenceData: ReferenceData,
): readonly Problem[] {
  const problems: Problem[] = []
  const positionOfSerial = new Map<string, number>()
  for (const [position, item] of items) {
    if (problems.length >= PROBLEMS_MAX) break
    const path = `/items/${position}/config`
    problems.push(...itemProblems(item, referenceData, path))
    if (item.type !== 'product') continue
    const first = positionOfSerial.get(item.serialNumber)
    if (first === undefined) positionOfSerial.set(item.serialNumber, position)
    else
      problems.push({
        path: `${path}/serial_number`,
        ...ORDER_MESSAGES.device_repeated({ position: first }),
      })
  }
  return problems
}

export function validateCountry(
  country: string | null,
  referenceData: ReferenceData,
  path: string,
): readonly Problem[] {
  if (country === null || referenceData.grid.has(country)) return []
  const problem = { path, ...ORDER_MESSAGES.unknown_country({ country }) }
  return [withSuggestions(problem, resolveCountry(country))]
}

function itemProblems(item: Item, referenceData: ReferenceData, path: string): readonly Problem[] {
  switch (item.type) {
    case 'product':
      return productProblems(item, referenceData, path)
    case 'transportation':
      return transportationProblems(item, referenceData, path)
    case 'packaging':
      return packagingProblems(item, referenceData, path)
  }
}

/** An unknown product is never an error, but a model that the client names has to exist. */
function productProblems(
  { modelId, serialNumber, country }: Product,
  referenceData: ReferenceData,
  path: string,
): readonly Problem[] {
  const problems = [...validateCountry(country, referenceData, `${path}/country`)]
  if (serialNumber === '') problems.push({ path: `${path}/serial_number`, ...ORDER_MESSAGES.blank() })
  if (modelId !== null && modelIdByAlias(modelId, referenceData) === null) {
    problems.push(unknownModel(modelId, `${path}/model_id`, referenceData))
  }
  return problems
}

export const unknownModel = (modelId: string, path: string, { models }: ReferenceData): Problem =>
  withSuggestions(
    { path, ...ORDER_MESSAGES.unknown_model({ model_id: modelId }) },
    closestMatches(modelId, [...models.keys()].map(unversionedId)),
  )

function transportationProblems(item: Transportation, referenceData: ReferenceData, path: string): readonly Problem[] {
  const factor = referenceData.transports.get(item.transportationId)
  if (!factor) return [unknownTransport(item.transportationId, `${path}/transportation_id`, referenceData)]
  return [
    ...modeProblems(item, factor, path),
    ...validateDistanceBasis(item.distanceBasis, factor, `${path}/distance_basis`),
  ]
}

export function unknownTransport(id: string, path: string, { transports, matching }: ReferenceData): Problem {
  const service = serviceNamedIn(id, matching.carriers)
  const titlesOf = (one: string) => [transports.get(one)!.name]
  const suggestions = resolveSynonym(id, transports.keys(), matching.synonyms, titlesOf, service)
  const isNone = service?.length === 0 && suggestions.length === 0
  const says = isNone ? ORDER_MESSAGES.no_transportation : ORDER_MESSAGES.unknown_transportation
  return withSuggestions({ path, ...says({ transportation_id: id }) }, suggestions)
}

function modeProblems(item: Transportation, factor: TransportFactor, path: string): readonly Problem[] {
  if (item.transportationMode.toLowerCase() === factor.mode) return []
  const { id, mode } = factor
  const wrong = ORDER_MESSAGES.wrong_mode({ transportation_id: id, mode, sent: item.transportationMode })
  return [{ path: `${path}/transportation_mode`, ...wrong, suggestions: [mode] }]
}

/** A distance basis that is valid for one mode may not be valid for another. */
export function validateDistanceBasis(
  basis: DistanceBasis | null,
  { mode }: Pick<TransportFactor, 'mode'>,
  path: string,
): readonly Problem[] {
  const suggestions = distanceBases(mode)
  if (basis === null || suggestions.includes(basis)) return []
  return [{ path, ...ORDER_MESSAGES.wrong_distance_basis({ mode, bases: suggestions, sent: basis }), suggestions }]
}

const packagingProblems = ({ packagingId }: Packaging, data: ReferenceData, path: string): readonly Problem[] =>
  data.packagings.has(packagingId) ? [] : [unknownPackaging(packagingId, `${path}/packaging_id`, data)]

export function unknownPackaging(id: string, path: string, { packagings, matching }: ReferenceData): Problem {
  const textsOf = (one: string) => [packagings.get(one)!.name, packagings.get(one)!.material]
  const suggestions = resolveSynonym(id, packagings.keys(), matching.synonyms, textsOf)
  return withSuggestions({ path, ...ORDER_MESSAGES.unknown_packaging({ packaging_id: id }) }, suggestions)
}
