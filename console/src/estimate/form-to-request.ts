// The order that the fields come to, as POST /api/estimates takes it, with its alternatives.
import type { Schemas } from '../api/client.ts'
import type { FormState } from './form-state.ts'

export type EstimateBody = Schemas['EstimateParams']
type Items = NonNullable<EstimateBody['items']>
type Changes = Schemas['OrderChanges']
export type Transport = Schemas['Transportation']

/** The generated types take the name of its schema for what tells the kind of an item: the document has no mapping. */
type Item<Kind extends string, Name extends 'ProductItem' | 'TransportationItem' | 'PackagingItem'> = {
  readonly type: Kind
  readonly config: Schemas[Name]['config']
}

export interface AlternativeNames {
  readonly refurbished: string
  readonly otherWay: string
  readonly otherMonths: string
  readonly together: string
}

/** Nobody's: nothing is stored, so that they need not be told apart. */
const CUSTOMER = 'estimate'

/** An alternative is no more than what was asked: what lacks a number is not there yet. */
const isFilled = (...numbers: readonly string[]): boolean =>
  numbers.every((number) => number !== '' && Number.isFinite(Number(number)))

/** @returns null while something is not filled in that no estimate does without */
export function toBody(
  form: FormState,
  transports: readonly Transport[],
  names: AlternativeNames,
): EstimateBody | null {
  const { words, model, weight, months, country, legs, packings } = form
  if ((words === '' && model === '') || !isFilled(weight, months) || Number(weight) === 0) return null
  if (![...legs.map(({ km }) => km), ...packings.map(({ kg }) => kg)].every((number) => isFilled(number))) return null
  const today = new Date().toISOString().slice(0, 10)
  return {
    customer_id: CUSTOMER,
    order_id: CUSTOMER,
    order_date: today,
    tenure_start_date: today,
    ...(country !== '' && { country }),
    items: [productOf(form), ...legsOf(form, transports), ...packingsOf(form)] as unknown as Items,
    alternatives: alternativesOf(form, names),
  }
}

function productOf({ words, model, type, weight, months }: FormState): Item<'product', 'ProductItem'> {
  const device = {
    serial_number: CUSTOMER,
    tenure_months: Math.round(Number(months)),
    weight_kg: Number(weight),
  }
  const named = model === '' ? { product_id: words, product_name: words } : { product_id: model, model_id: model }
  const kind = model === '' && type !== '' ? { device_type: type as 'laptop' } : {}
  return { type: 'product', config: { ...named, ...kind, ...device } }
}

/** What is carried: the product in its packaging. Doubles of a few digits are written with as few. */
export const carriedKg = ({ weight, packings }: FormState): number =>
  Number([weight, ...packings.map(({ kg }) => kg)].reduce((sum, kg) => sum + Number(kg), 0).toFixed(6))

const legsOf = (
  form: FormState,
  transports: readonly Transport[],
): readonly Item<'transportation', 'TransportationItem'>[] =>
  form.legs.map(({ id, km }) => ({
    type: 'transportation',
    config: {
      transportation_id: id,
      transportation_mode: transports.find((one) => one.transportation_id === id)?.transportation_mode ?? 'road',
      distance_km: Number(km),
      weight_kg: carriedKg(form),
    },
  }))

const packingsOf = ({ packings }: FormState): readonly Item<'packaging', 'PackagingItem'>[] =>
  packings.map(({ id, kg }) => ({ type: 'packaging', config: { packaging_id: id, weight_kg: Number(kg) } }))

/** Each by itself, and where there are several, all of them together. */
function alternativesOf(form: FormState, names: AlternativeNames): Schemas['AlternativeParams'][] {
  const changes = changesOf(form)
  const keys = Object.keys(changes) as (keyof typeof changes)[]
  const single = keys.map((key) => ({ name: names[key], changes: changes[key]! }))
  if (keys.length < 2) return single
  return [...single, { name: names.together, changes: Object.assign({}, ...Object.values(changes)) as Changes }]
}

function changesOf({ refurbished, otherWay, otherMonths, legs }: FormState) {
  const isThere = otherWay !== null && legs.some(({ id }) => id === otherWay.from)
  return {
    ...(refurbished &&
      isFilled(refurbished.kg, refurbished.added) && {
        refurbished: {
          refurbished: {
            emission_kg: Number(refurbished.kg),
            lifetime_months_added: Math.round(Number(refurbished.added)),
            ...(isFilled(refurbished.before) && { months_before: Math.round(Number(refurbished.before)) }),
          },
        },
      }),
    ...(isThere &&
      otherWay.to !== '' &&
      isFilled(otherWay.km) && {
        otherWay: { transportation: { from: otherWay.from, to: otherWay.to, distance_km: Number(otherWay.km) } },
      }),
    ...(otherMonths !== null &&
      isFilled(otherMonths) && { otherMonths: { tenure_months: Math.round(Number(otherMonths)) } }),
  } satisfies Partial<Record<keyof AlternativeNames, Changes>>
}
