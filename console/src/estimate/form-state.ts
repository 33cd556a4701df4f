// What is asked: the fields as they are filled in, and how they stand in the address, so that it can be linked to.
import { useEffect, useRef, useState } from 'react'
import { useLocation, useSearch } from 'wouter'

/** Numbers are kept as they are typed: half of one must not be put right under the hands of who types. */
export interface Leg {
  readonly id: string
  readonly km: string
}

export interface Packing {
  readonly id: string
  readonly kg: string
}

export interface Refurbished {
  readonly kg: string
  readonly added: string
  /** '' where the reference lifetime is taken. */
  readonly before: string
}

/** In place of one leg another: `from` is a transportation of the order. */
export interface OtherWay {
  readonly from: string
  readonly to: string
  readonly km: string
}

export interface FormState {
  /** What people call the product. */
  readonly words: string
  /** The model that was chosen for them; '' where the words are to be judged. */
  readonly model: string
  readonly type: string
  readonly weight: string
  readonly months: string
  readonly country: string
  readonly legs: readonly Leg[]
  readonly packings: readonly Packing[]
  readonly refurbished: Refurbished | null
  readonly otherWay: OtherWay | null
  readonly otherMonths: string | null
}

/** Something to begin with: a laptop that comes by air, rented for a year. */
const AT_FIRST: FormState = {
  words: 'Apple MacBook Air 13 M3 256GB',
  model: 'apple-macbook-air-13-m3-256gb',
  type: '',
  weight: '1.24',
  months: '12',
  country: 'DE',
  legs: [
    { id: 'air-long-haul', km: '9000' },
    { id: 'road-van-diesel', km: '100' },
  ],
  packings: [{ id: 'corrugated-board-recycled', kg: '0.3' }],
  refurbished: { kg: '8', added: '24', before: '' },
  otherWay: { from: 'air-long-haul', to: 'sea-container-average', km: '19000' },
  otherMonths: null,
}

/** For what was emptied: a parameter that is not there means what stood there at first. */
const NONE = '-'

const tuples = (rows: readonly (readonly string[])[]): string => rows.map((row) => row.join('*')).join(' ') || NONE
const fromTuples = (text: string): readonly (readonly string[])[] =>
  text === NONE ? [] : text.split(' ').map((row) => row.split('*'))

type Written = Readonly<Record<keyof FormState, string>>

const write = ({ legs, packings, refurbished, otherWay, otherMonths, ...texts }: FormState): Written => ({
  ...(Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, text || NONE])) as Omit<
    Written,
    'legs' | 'packings' | 'refurbished' | 'otherWay' | 'otherMonths'
  >),
  legs: tuples(legs.map(({ id, km }) => [id, km])),
  packings: tuples(packings.map(({ id, kg }) => [id, kg])),
  refurbished: refurbished ? tuples([[refurbished.kg, refurbished.added, refurbished.before]]) : NONE,
  otherWay: otherWay ? tuples([[otherWay.from, otherWay.to, otherWay.km]]) : NONE,
  otherMonths: otherMonths ?? NONE,
})

function toParameters(form: FormState): URLSearchParams {
  const atFirst = write(AT_FIRST)
  const changed = Object.entries(write(form)).filter(([name, text]) => text !== atFirst[name as keyof FormState])
  return new URLSearchParams(changed)
}

export function fromParameters(parameters: URLSearchParams): FormState {
  const atFirst = write(AT_FIRST)
  const text = (name: keyof FormState): string => {
    const written = parameters.get(name) ?? atFirst[name]
    return written === NONE ? '' : written
  }
  const rows = (name: keyof FormState) => fromTuples(parameters.get(name) ?? atFirst[name])
  const [refurbished] = rows('refurbished')
  const [otherWay] = rows('otherWay')
  const otherMonths = parameters.get('otherMonths')
  return {
    words: text('words'),
    model: text('model'),
    type: text('type'),
    weight: text('weight'),
    months: text('months'),
    country: text('country'),
    legs: rows('legs').map(([id = '', km = '']) => ({ id, km })),
    packings: rows('packings').map(([id = '', kg = '']) => ({ id, kg })),
    refurbished: refurbished
      ? { kg: refurbished[0] ?? '', added: refurbished[1] ?? '', before: refurbished[2] ?? '' }
      : null,
    otherWay: otherWay ? { from: otherWay[0] ?? '', to: otherWay[1] ?? '', km: otherWay[2] ?? '' } : null,
    otherMonths: otherMonths === null || otherMonths === NONE ? null : otherMonths,
  }
}

/** Who types, or moves the slider, is waited for: each step would be a question to the API, and one to the address. */
const TYPING_MS = 250

export type Change = (changed: Partial<FormState>) => void

/** @returns the fields as they are, and as they are in the address: there they come to rest, and are estimated */
export function useFormState(): { readonly form: FormState; readonly settled: string; readonly change: Change } {
  // The query is the browser's own: the router's is decoded halfway, which is wrong for words with a percent sign.
  useSearch()
  const [, navigate] = useLocation()
  const parameters = new URLSearchParams(location.search)
  const settled = parameters.toString()
  const [form, setForm] = useState(() => fromParameters(parameters))
  const written = useRef(settled)
  useEffect(() => {
    if (settled === written.current) return
    written.current = settled
    setForm(fromParameters(parameters))
  }, [settled])
  useEffect(() => {
    const next = toParameters(form).toString()
    if (next === written.current) return
    const waiting = setTimeout(() => {
      written.current = next
      navigate(`${location.pathname}${next && `?${next}`}`, { replace: true })
    }, TYPING_MS)
    return () => clearTimeout(waiting)
  }, [form])
  return { form, settled, change: (changed) => setForm((before) => ({ ...before, ...changed })) }
}
