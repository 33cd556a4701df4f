// What is wrong with an order: names that the book lacks, contradictions; all faults at once, each where it stands.
import type { FactorBook, TransportFactor } from './factor-book.ts'
import { findModelId } from './find-product.ts'
import { nearest, suggesting } from './nearest.ts'
import type { Item, Packaging, Problem, Product, Transportation } from './order.ts'
import { basesOf } from './transport.ts'

/** An error answers at most this many problems; looking for more would only let a hostile body cost more. */
export const PROBLEMS_MAX = 50

/** What is wrong with items, by their position in the order: names that the book lacks, serials that stand twice. */
export function problemsOfItems(items: ReadonlyMap<number, Item>, book: FactorBook): readonly Problem[] {
  const problems: Problem[] = []
  const positionOfSerial = new Map<string, number>()
  for (const [position, item] of items) {
    if (problems.length >= PROBLEMS_MAX) break
    const path = `/items/${position}/config`
    problems.push(...itemProblems(item, book, path))
    if (item.type !== 'product') continue
    const first = positionOfSerial.get(item.serialNumber)
    if (first === undefined) positionOfSerial.set(item.serialNumber, position)
    else
      problems.push({
        path: `${path}/serial_number`,
        message: `Stands at /items/${first} already; a device is rented once an order`,
      })
  }
  return problems
}

export function countryProblems(country: string | null, book: FactorBook, path: string): readonly Problem[] {
  if (country === null || book.grid.has(country)) return []
  const problem = { path, message: `"${country}" is not an ISO 3166-1 alpha-2 country code` }
  return [suggesting(problem, country === 'UK' ? ['GB'] : country === 'EL' ? ['GR'] : [])]
}

function itemProblems(item: Item, book: FactorBook, path: string): readonly Problem[] {
  switch (item.type) {
    case 'product':
      return productProblems(item, book, path)
    case 'transportation':
      return transportationProblems(item, book, path)
    case 'packaging':
      return packagingProblems(item, book, path)
  }
}

/** An unknown product is never an error, but a model that the client names has to exist. */
function productProblems(
  { modelId, serialNumber, country }: Product,
  book: FactorBook,
  path: string,
): readonly Problem[] {
  const problems = [...countryProblems(country, book, `${path}/country`)]
  if (serialNumber === '') problems.push({ path: `${path}/serial_number`, message: 'Must be more than white space' })
  if (modelId !== null && findModelId(modelId, book) === null) {
    const message = `There is no device model "${modelId}"; GET /api/device-model-emissions lists all`
    problems.push(suggesting({ path: `${path}/model_id`, message }, nearest(modelId, book.models.keys())))
  }
  return problems
}

function transportationProblems(item: Transportation, book: FactorBook, path: string): readonly Problem[] {
  const factor = book.transports.get(item.transportationId)
  if (!factor) {
    const message = `There is no transportation "${item.transportationId}"; GET /api/transportations lists all`
    const textsOf = (id: string) => [book.transports.get(id)!.name]
    const suggestions = nearest(item.transportationId, book.transports.keys(), textsOf)
    return [suggesting({ path: `${path}/transportation_id`, message }, suggestions)]
  }
  return [...modeProblems(item, factor, path), ...basisProblems(item, factor, path)]
}

function modeProblems(item: Transportation, factor: TransportFactor, path: string): readonly Problem[] {
  if (item.transportationMode.toLowerCase() === factor.mode) return []
  const message = `"${factor.id}" goes by ${factor.mode}, not by "${item.transportationMode}"`
  return [{ path: `${path}/transportation_mode`, message, suggestions: [factor.mode] }]
}

function basisProblems(item: Transportation, { mode }: TransportFactor, path: string): readonly Problem[] {
  const suggestions = basesOf(mode)
  if (item.distanceBasis === null || suggestions.includes(item.distanceBasis)) return []
  const message = `A distance by ${mode} is stated as ${suggestions.join(' or ')}, not ${item.distanceBasis}`
  return [{ path: `${path}/distance_basis`, message, suggestions }]
}

function packagingProblems({ packagingId }: Packaging, book: FactorBook, path: string): readonly Problem[] {
  if (book.packagings.has(packagingId)) return []
  const message = `There is no packaging "${packagingId}"; GET /api/packagings lists all`
  const textsOf = (id: string) => [book.packagings.get(id)!.name, book.packagings.get(id)!.material]
  const suggestions = nearest(packagingId, book.packagings.keys(), textsOf)
  return [suggesting({ path: `${path}/packaging_id`, message }, suggestions)]
}
