// Why the terms of a device's equation are what they are.
import { factorOf, type Explanation } from '../components/explanation.ts'
import { KG, sumAsText } from '../emissions/kilograms.ts'
import { readLine } from './explain-rental.ts'
import type { Format } from '../i18n/format.ts'
import { said } from '../i18n/service-text.tsx'
import { isRented, type Equation } from './history.ts'
import type { SayOfDevices, EventText } from './events.ts'

const LEDGER = 'METHODOLOGY.md#ledger'

/** The factors of the first rental's line are those that the device is charged by for all its life. */
export async function explainBought(
  device: EventText,
  value: number,
  say: SayOfDevices,
  { told }: Format,
): Promise<Explanation> {
  const { initial, events } = device.history
  const first = events.find(isRented)
  const line = first && (await readLine(device, first, 'product_embodied_emission'))
  const { calculation } = line ?? {}
  return {
    title: say('whyBought', { name: told(initial.name) }),
    value,
    unit: KG,
    inputs: [
      {
        symbol: 'E',
        name: initial.footprint_id,
        value: initial.embodied_emission,
        unit: KG,
        from: say('fromFirstOrder'),
      },
      { symbol: 'L', name: say('lifetime'), value: initial.lifetime_months, unit: say('monthsUnit'), from: '' },
    ],
    factors: calculation?.factors.map(factorOf) ?? [],
    notes: [say(initial.amortisation), ...(calculation?.notes.map((note) => said(note)) ?? [])],
    methodology: 'METHODOLOGY.md#embodied',
    release: initial.dataset_release,
  }
}

export function explainRefurbished({ history }: EventText, value: number, say: SayOfDevices): Explanation {
  const added = history.events.filter(({ type }) => type === 'refurbished')
  return {
    title: say('whyRefurbished'),
    value,
    unit: KG,
    ...(added.length > 1 && {
      formula: sumAsText(
        added.map((one) => one.emission_added ?? 0),
        value,
      ),
    }),
    inputs: added.map(({ date = '', emission_added: emission = 0 }, at) => ({
      symbol: `R${at + 1}`,
      name: date,
      value: emission,
      unit: KG,
      from: say('fromEvent'),
    })),
    ...(added.length === 0 && { notes: [say('neverRefurbished')] }),
    methodology: 'METHODOLOGY.md#refurbishment',
  }
}

export function explainCharged({ history }: EventText, value: number, say: SayOfDevices): Explanation {
  const rentals = history.events.filter(isRented)
  return {
    title: say('whyCharged'),
    value,
    unit: KG,
    ...(rentals.length > 1 && {
      formula: sumAsText(
        rentals.map((one) => one.embodied_emission),
        value,
      ),
    }),
    inputs: rentals.map((one, at) => ({
      symbol: `${at + 1}`,
      name: `${one.customer_id} · ${one.order_id}`,
      value: one.embodied_emission,
      unit: KG,
      from: say('fromMonths', { count: one.allocated_months ?? 0 }),
    })),
    notes: [say('chargedNote')],
    methodology: LEDGER,
  }
}

export const explainRemaining = ({ history }: EventText, value: number, say: SayOfDevices): Explanation => ({
  title: say('whyKept'),
  value,
  unit: KG,
  formula: 'K = P − G',
  inputs: [
    { symbol: 'P', name: say('embodied_total'), value: history.balance.embodied_total, unit: KG, from: '' },
    { symbol: 'G', name: say('charged'), value: history.balance.allocated, unit: KG, from: '' },
  ],
  notes: [say('keptNote')],
  methodology: LEDGER,
})

export function explainLeft(equation: Equation, say: SayOfDevices): Explanation {
  const { initial, refurbished, charged, kept, remaining } = equation
  return {
    title: say('whyLeft'),
    value: remaining,
    unit: KG,
    formula: `${initial} + ${refurbished} − ${charged}${kept === 0 ? '' : ` − ${kept}`} = ${remaining}`,
    inputs: (
      [
        ['P', 'initial', initial],
        ['R', 'refurbished', refurbished],
        ['G', 'charged', charged],
        ['K', 'kept', kept],
      ] as const
    ).map(([symbol, name, value]) => ({ symbol, name: say(name), value, unit: KG, from: '' })),
    methodology: LEDGER,
  }
}
