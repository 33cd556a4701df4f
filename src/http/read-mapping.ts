// From a request body to mappings: shapes checked, models found in the catalogue, all faults told at once.
import type { ValidateFunction } from 'ajv'
import type { FactorBook } from '../engine/factor-book.ts'
import { findModelId, productKey, type Mapping } from '../engine/find-product.ts'
import { nearest, suggesting } from '../engine/nearest.ts'
import type { Problem } from '../engine/order.ts'
import { PROBLEMS_MAX } from '../engine/order-problems.ts'
import type { NewMapping } from '../postgres/mappings.ts'
import {
  MAPPINGS_MAX,
  MappingParams,
  ProductMappingParams,
  type WireMapping,
  type WireTarget,
} from './product-schema.ts'
import { strangers } from './read-order.ts'
import { problemsOf } from './validate.ts'

export type ReadMappings =
  | { readonly ok: true; readonly mappings: readonly NewMapping[]; readonly ignored: readonly string[] }
  | { readonly ok: false; readonly problems: readonly Problem[] }

/** One mapping, of the product id that the path names. */
export function readMapping(
  productId: string,
  body: unknown,
  validate: ValidateFunction,
  book: FactorBook,
): ReadMappings {
  if (!validate(body)) return { ok: false, problems: problemsOf(validate.errors ?? []) }
  const read = readTarget(body as WireTarget, '', book)
  if (!read.ok) return read
  const ignored = strangers(body as object, Object.keys(MappingParams.properties)).map((name) => `/${name}`)
  return { ok: true, mappings: [{ productId, target: read.target }], ignored }
}

/** Many at once: one that is faulty leaves all of them out. */
export function readMappings(body: unknown, validate: ValidateFunction, book: FactorBook): ReadMappings {
  // Never shown to the validator, whose time grows with the square of the faults.
  if (Array.isArray(body) && body.length > MAPPINGS_MAX) {
    const message = `Must be an array of at most ${MAPPINGS_MAX} elements; it has ${body.length}`
    return { ok: false, problems: [{ path: '', message }] }
  }
  const shape = validate(body) ? [] : problemsOf(validate.errors ?? [])
  if (!Array.isArray(body)) return { ok: false, problems: shape }
  const faulty = new Set(shape.map(({ path }) => path.split('/')[1]))
  const sound = [...(body as readonly WireMapping[]).entries()].filter(([at]) => !faulty.has(String(at)))
  const problems = [...shape]
  const mappings: NewMapping[] = []
  const positions = new Map<string, number>()
  for (const [at, wire] of sound) {
    const productId = productKey(wire.product_id)
    const read = readTarget(wire, `/${at}`, book)
    problems.push(...(read.ok ? [] : read.problems), ...idProblems(productId, at, positions))
    if (read.ok) mappings.push({ productId, target: read.target })
    if (problems.length >= PROBLEMS_MAX) break
  }
  if (problems.length > 0) return { ok: false, problems: problems.slice(0, PROBLEMS_MAX) }
  const members = Object.keys(ProductMappingParams.properties)
  const ignored = sound.flatMap(([at, wire]) => strangers(wire, members).map((name) => `/${at}/${name}`))
  return { ok: true, mappings, ignored }
}

function idProblems(productId: string, at: number, positions: Map<string, number>): readonly Problem[] {
  const path = `/${at}/product_id`
  if (productId === '') return [{ path, message: 'Must be more than white space' }]
  const first = positions.get(productId)
  if (first === undefined) positions.set(productId, at)
  return first === undefined ? [] : [{ path, message: `Stands at /${first} already; a product id is mapped once` }]
}

type ReadTarget =
  { readonly ok: true; readonly target: Mapping } | { readonly ok: false; readonly problems: readonly Problem[] }

function readTarget(
  { model_id: text, device_type: deviceType }: WireTarget,
  path: string,
  book: FactorBook,
): ReadTarget {
  if (text !== undefined && deviceType !== undefined) {
    const message = 'Stands beside model_id, which has a type of its own; send one of the two'
    return { ok: false, problems: [{ path: `${path}/device_type`, message }] }
  }
  if (deviceType !== undefined) return { ok: true, target: { modelId: null, deviceType } }
  if (text === undefined) {
    const message = 'Is missing: it must be a device model, or device_type stands in its place'
    return { ok: false, problems: [{ path: `${path}/model_id`, message }] }
  }
  const modelId = findModelId(text, book)
  if (modelId !== null) return { ok: true, target: { modelId, deviceType: null } }
  return { ok: false, problems: [unknownModel(text, `${path}/model_id`, book)] }
}

function unknownModel(text: string, path: string, book: FactorBook): Problem {
  const message = `There is no device model "${text}"; GET /api/device-model-emissions lists all`
  return suggesting({ path, message }, nearest(text, book.models.keys()))
}
