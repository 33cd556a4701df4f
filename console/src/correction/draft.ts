// The content of an order while it is corrected: each member as the text of its field, and the order that comes of it.
import type { Schemas } from '../api/client.ts'
import type { ProblemDetail } from '../api/problem.ts'

export type Content = Schemas['OrderParams']

/** In the sequence of the API's document. */
const MEMBERS = {
  product: [
    'product_id',
    'serial_number',
    'tenure_months',
    'weight_kg',
    'product_name',
    'brand',
    'device_type',
    'model_id',
    'country',
  ],
  transportation: ['transportation_id', 'transportation_mode', 'distance_km', 'weight_kg', 'distance_basis'],
  packaging: ['packaging_id', 'weight_kg'],
} as const
const NUMBERS: ReadonlySet<string> = new Set(['tenure_months', 'weight_kg', 'distance_km'])
const ORDER_MEMBERS = ['order_date', 'tenure_start_date', 'country'] as const

export type Kind = keyof typeof MEMBERS
export type Member = (typeof MEMBERS)[Kind][number]
export type OrderMember = (typeof ORDER_MEMBERS)[number]
export type Texts = Readonly<Partial<Record<Member, string>>>

export interface DraftItem {
  /** Stays the same while items before it are dropped. */
  readonly key: number
  readonly type: Kind
  /** '' or absent for what is not stated. */
  readonly texts: Texts
}

export interface Label {
  readonly name: string
  readonly value: string
}

export interface Draft {
  readonly texts: Readonly<Record<OrderMember, string>>
  readonly labels: readonly Label[]
  readonly items: readonly DraftItem[]
  readonly nextKey: number
}

/** The generated types do not say which type of item has which members. */
interface AnyItem {
  readonly type: Kind
  readonly config: Readonly<Partial<Record<Member, string | number>>>
}

export const textsOf = ({ type, config }: AnyItem): Texts =>
  Object.fromEntries(MEMBERS[type].map((member) => [member, String(config[member] ?? '')]))

export function toDraft(content: Content): Draft {
  const { metadata = {}, items = [] } = content
  return {
    texts: {
      order_date: content.order_date,
      tenure_start_date: content.tenure_start_date,
      country: content.country ?? '',
    },
    labels: Object.entries(metadata).map(([name, value]) => ({ name, value })),
    items: (items as readonly AnyItem[]).map((item, key) => ({ key, type: item.type, texts: textsOf(item) })),
    nextKey: items.length,
  }
}

/** What is empty is left out: the service says which of it has to be there. */
export function toContent({ texts, labels, items }: Draft, { customer_id, order_id }: Content): Content {
  return {
    customer_id,
    order_id,
    ...Object.fromEntries(ORDER_MEMBERS.filter((member) => texts[member] !== '').map((one) => [one, texts[one]])),
    metadata: Object.fromEntries(statedOf(labels).map(({ name, value }) => [name, value])),
    items: items.map(({ type, texts: config }) => ({ type, config: toConfig(type, config) })),
  } as unknown as Content
}

const toConfig = (type: Kind, texts: Texts): AnyItem['config'] =>
  Object.fromEntries(
    MEMBERS[type].flatMap((member) => {
      const text = texts[member] ?? ''
      return text === '' ? [] : [[member, NUMBERS.has(member) ? Number(text) : text]]
    }),
  )

/** Two labels of one name would become one. */
export function hasRepeatedName({ labels }: Draft): boolean {
  const stated = statedOf(labels)
  return new Set(stated.map(({ name }) => name)).size < stated.length
}

/** Without rows that are not filled in. */
const statedOf = (labels: readonly Label[]): readonly Label[] =>
  labels.filter(({ name, value }) => name !== '' || value !== '')

/** What the service rejects of a draft that was sent: at its fields, and the rest. */
export interface FieldErrors {
  /** By the name of the field: a member of the order, or of an item as `fieldOf` names it. */
  readonly at: ReadonlyMap<string, { readonly detail: ProblemDetail; readonly text: string }>
  readonly others: readonly ProblemDetail[]
}

export const fieldOf = (key: number, member: Member): string => `${key}/${member}`

/** The field of errors that are of all labels, or of the name of one. */
export const LABELS = 'metadata'
export const fieldOfLabel = (name: string): string => `${LABELS}/${name}`

export function fieldErrorsOf(sent: Draft, details: readonly ProblemDetail[]): FieldErrors {
  const placed = details.map((detail) => ({ detail, place: placeOf(sent, detail.path) }))
  return {
    at: new Map(placed.flatMap(({ detail, place }) => (place ? [[place.field, { detail, text: place.text }]] : []))),
    others: placed.flatMap(({ detail, place }) => (place ? [] : [detail])),
  }
}

function placeOf(sent: Draft, path: string): { readonly field: string; readonly text: string } | null {
  const [, name = '', at, , member = ''] = pointerParts(path)
  if (name === LABELS) {
    const label = sent.labels.find((one) => one.name === at)
    return label ? { field: fieldOfLabel(label.name), text: label.value } : { field: LABELS, text: textOf(sent.labels) }
  }
  const own = ORDER_MEMBERS.find((one) => path === `/${one}`)
  if (own) return { field: own, text: sent.texts[own] }
  const item = name === 'items' ? sent.items[Number(at)] : undefined
  const known = item && MEMBERS[item.type].find((one) => one === member)
  return item && known ? { field: fieldOf(item.key, known), text: item.texts[known] ?? '' } : null
}

export const textOf = (labels: readonly Label[]): string => JSON.stringify(labels)

/** @param pointer JSON pointer (RFC 6901) */
export const pointerParts = (pointer: string): readonly string[] =>
  pointer.split('/').map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))

/** An error is of what was sent: it is gone as soon as something else stands there. */
export function errorAt(errors: FieldErrors, field: string, text: string): ProblemDetail | null {
  const error = errors.at.get(field)
  return error?.text === text ? error.detail : null
}
