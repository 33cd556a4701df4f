// Null in an optional member is the same as its absence: removes such members before a body is validated.
import { EstimateParams, OrderChanges, OtherOrigin, OtherTransportation } from './estimate-schema.ts'
import { OrderParams, PackagingConfig, ProductConfig, TransportationConfig } from './order-schema.ts'

interface ObjectSchema {
  readonly properties: Readonly<Record<string, unknown>>
  readonly required?: readonly string[] | undefined
}

/** Where null is the same as absence: in optional members of a value, of its members or of its elements. */
export interface NullableParts {
  /** The optional members; null if all members are optional. */
  readonly optional: ReadonlySet<string> | null
  readonly members?: Readonly<Record<string, NullableParts>>
  readonly elements?: NullableParts
}

const NONE: ReadonlySet<string> = new Set()

/** The members that none of the schemas requires. */
export const optionalMembers = (...schemas: readonly ObjectSchema[]): ReadonlySet<string> =>
  new Set(
    schemas.flatMap(({ properties, required = [] }) =>
      Object.keys(properties).filter((one) => !required.includes(one)),
    ),
  )

const listOf = (elements: NullableParts): NullableParts => ({ optional: NONE, elements })

const MEMBERS_OF_ORDER = {
  metadata: { optional: null },
  // No member is optional in one type of item and required in another.
  items: listOf({
    optional: NONE,
    members: { config: { optional: optionalMembers(ProductConfig, TransportationConfig, PackagingConfig) } },
  }),
}
const CHANGES: NullableParts = {
  optional: optionalMembers(OrderChanges),
  members: {
    transportation: { optional: optionalMembers(OtherTransportation) },
    refurbished: { optional: optionalMembers(OtherOrigin) },
  },
}

export const NULLS_OF_ORDER: NullableParts = { optional: optionalMembers(OrderParams), members: MEMBERS_OF_ORDER }

export const NULLS_OF_ESTIMATE: NullableParts = {
  optional: optionalMembers(EstimateParams),
  members: { ...MEMBERS_OF_ORDER, alternatives: listOf({ optional: NONE, members: { changes: CHANGES } }) },
}

/** The body without optional members that are null; the same body if there is none. */
export function withoutNulls(body: unknown, parts: NullableParts): unknown {
  if (typeof body !== 'object' || body === null) return body
  if (Array.isArray(body)) return parts.elements ? elementsWithoutNulls(body, parts.elements) : body
  let isChanged = false
  const kept: [string, unknown][] = []
  for (const [name, value] of Object.entries(body)) {
    if (value === null && (parts.optional?.has(name) ?? true)) {
      isChanged = true
      continue
    }
    const inner = parts.members && Object.hasOwn(parts.members, name) ? parts.members[name] : undefined
    const bare: unknown = inner ? withoutNulls(value, inner) : value
    isChanged ||= bare !== value
    kept.push([name, bare])
  }
  return isChanged ? Object.fromEntries(kept) : body
}

function elementsWithoutNulls(elements: readonly unknown[], parts: NullableParts): readonly unknown[] {
  const bare = elements.map((element) => withoutNulls(element, parts))
  return bare.some((element, at) => element !== elements[at]) ? bare : elements
}
