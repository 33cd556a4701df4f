// From a request body to mappings: shapes checked, models found in the catalogue, all faults told at once.
import type { ReferenceData } from '../../engine/reference/reference-data.ts'
import { modelIdByAlias, normaliseProductId, type Mapping } from '../../engine/reference/product-match.ts'
import type { Problem } from '../../engine/order.ts'
import { PROBLEMS_MAX, unknownModel } from '../../engine/validate-order.ts'
import type { NewMapping } from '../../postgres/product-mappings.ts'
import {
  MappingParams,
  PRODUCT_ID_MAX,
  ProductMappingParams,
  type WireMapping,
  type WireTarget,
} from './product-schema.ts'
import { unknownMembers } from '../wire/read-order.ts'
import { suggestMember, type Validate } from '../requests/validate.ts'

export type ParsedMappings =
  | { readonly ok: true; readonly mappings: readonly NewMapping[]; readonly ignored: readonly string[] }
  | { readonly ok: false; readonly problems: readonly Problem[] }

/** One mapping, of the product id that the path names, in the form in which they are compared. */
export function parseMapping(
  productId: string,
  body: unknown,
  validate: Validate,
  book: ReferenceData,
): ParsedMappings {
  const { problems: shape } = validate(body)
  if (shape.length > 0) return { ok: false, problems: shape }
  const wire = body as WireTarget & { readonly product_id?: unknown }
  const read = readTarget(wire, '', MAPPING_MEMBERS, book)
  const problems = [...otherProblems(productId, wire.product_id), ...(read.ok ? [] : read.problems)]
  if (!read.ok || problems.length > 0) return { ok: false, problems }
  const ignored = unknownMembers(wire, [...MAPPING_MEMBERS, 'product_id']).map((name) => `/${name}`)
  return { ok: true, mappings: [{ productId, target: read.target }], ignored }
}

const MAPPING_MEMBERS = Object.keys(MappingParams.properties)
const PRODUCT_MAPPING_MEMBERS = Object.keys(ProductMappingParams.properties)

/** A product id in the body beside that of the path was meant for one of the two. */
function otherProblems(productId: string, sent: unknown): readonly Problem[] {
  if (sent === undefined || (typeof sent === 'string' && normaliseProductId(sent) === productId)) return []
  const shown = JSON.stringify(sent).slice(0, 80)
  return [{ path: '/product_id', message: `Is ${shown} here, and "${productId}" in the path; leave it out` }]
}

/** Many at once: one that is faulty leaves all of them out. */
export function parseMappings(body: unknown, validate: Validate, book: ReferenceData): ParsedMappings {
  const shape = validate(body)
  if (!Array.isArray(body) || shape.faulty.has('')) return { ok: false, problems: shape.problems }
  const faulty = new Set([...shape.faulty].map((path) => path.split('/')[1]))
  const sound = [...(body as readonly WireMapping[]).entries()].filter(([at]) => !faulty.has(String(at)))
  const problems = [...shape.problems]
  const mappings: NewMapping[] = []
  const positions = new Map<string, number>()
  for (const [at, wire] of sound) {
    if (problems.length >= PROBLEMS_MAX) break
    const productId = normaliseProductId(wire.product_id)
    const read = readTarget(wire, `/${at}`, PRODUCT_MAPPING_MEMBERS, book)
    problems.push(...(read.ok ? [] : read.problems), ...idProblems(wire.product_id, at, positions))
    if (read.ok) mappings.push({ productId, target: read.target })
  }
  if (problems.length > 0) return { ok: false, problems: problems.slice(0, PROBLEMS_MAX) }
  const ignored = sound.flatMap(([at, wire]) =>
    unknownMembers(wire, PRODUCT_MAPPING_MEMBERS).map((name) => `/${at}/${name}`),
  )
  return { ok: true, mappings, ignored }
}

/** Why a product id cannot be mapped, or null where it can: asked alike of one in a path and one in a body. */
export function validateProductId(sent: string): string | null {
  const key = normaliseProductId(sent)
  if (key === '') return 'Must be more than white space'
  if (/^\.\.?$/.test(key)) return `Must not be "${key}": a path that ends so is read as another one`
  return [...key].length <= PRODUCT_ID_MAX && !/[\u0000-\u001f\u007f-\u009f]/.test(sent)
    ? null
    : `Must be 1 to ${PRODUCT_ID_MAX} characters after NFC and trimming, none of them a control character`
}

function idProblems(sent: string, at: number, positions: Map<string, number>): readonly Problem[] {
  const path = `/${at}/product_id`
  const fault = validateProductId(sent)
  if (fault !== null) return [{ path, message: fault }]
  const productId = normaliseProductId(sent)
  const first = positions.get(productId)
  if (first === undefined) positions.set(productId, at)
  return first === undefined ? [] : [{ path, message: `Stands at /${first} already; a product id is mapped once` }]
}

type ReadTarget =
  { readonly ok: true; readonly target: Mapping } | { readonly ok: false; readonly problems: readonly Problem[] }

function readTarget(wire: WireTarget, path: string, members: readonly string[], book: ReferenceData): ReadTarget {
  const { model_id: text, device_type: deviceType } = wire
  if (text !== undefined && deviceType !== undefined) {
    const message = 'Stands beside model_id, which has a type of its own; send one of the two'
    return { ok: false, problems: [{ path: `${path}/device_type`, message }] }
  }
  if (deviceType !== undefined) return { ok: true, target: { modelId: null, deviceType } }
  if (text === undefined) {
    const hint = suggestMember('model_id', wire, members) || suggestMember('device_type', wire, members)
    const message = `Is missing: it must be a device model, or device_type stands in its place${hint}`
    return { ok: false, problems: [{ path: `${path}/model_id`, message }] }
  }
  const modelId = modelIdByAlias(text, book)
  if (modelId !== null) return { ok: true, target: { modelId, deviceType: null } }
  return { ok: false, problems: [unknownModel(text, `${path}/model_id`, book)] }
}
