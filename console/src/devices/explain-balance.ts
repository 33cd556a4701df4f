// Why the terms of a device's equation are what they are.
import { nameOfFootprint } from './footprint-name.ts'
import { factorOf, notesOf, type Explanation } from '../components/explanation.ts'
import { KG, sumAsText } from '../emissions/kilograms.ts'
import { readLine } from './explain-rental.ts'
import type { Format } from '../i18n/format.ts'
import { isRented, type Balance } from './history.ts'
import type { DeviceMessages, DeviceData } from './events.ts'

const LEDGER = 'METHODOLOGY.md#ledger'

/** The factors of the first rental's line are those that the device is charged by for all its life. */
export async function explainBought(
  device: DeviceData,
  value: number,
  t: DeviceMessages,
  { told }: Format,
): Promise<Explanation> {
  const { initial, events } = device.history
  const first = events.find(isRented)
  const line = first && (await readLine(device, first, 'product_embodied_emission'))
  const { calculation } = line ?? {}
  return {
    title: t('whyBought', { name: told(nameOfFootprint(initial)) }),
    value,
    unit: KG,
    inputs: [
      {
        symbol: 'E',
        name: initial.footprint_id,
        value: initial.embodied_emission,
        unit: KG,
        from: initial.identified_by ? t('identifiedBy', { event: initial.identified_by }) : t('fromFirstOrder'),
      },
      { symbol: 'L', name: t('lifetime'), value: initial.lifetime_months, unit: t('monthsUnit'), from: '' },
    ],
    factors: calculation?.factors.map(factorOf) ?? [],
    notes: [t(initial.amortisation), ...(calculation ? notesOf(calculation) : [])],
    methodology: 'METHODOLOGY.md#embodied',
    release: initial.dataset_release,
  }
}

export function explainRefurbished({ history }: DeviceData, value: number, t: DeviceMessages): Explanation {
  const added = history.events.filter(({ type }) => type === 'refurbished')
  return {
    title: t('whyRefurbished'),
    value,
    unit: KG,
    ...(added.length > 1 && {
      formula: sumAsText(
        added.map((one) => one.emission_added ?? 0),
        value,
      ),
    }),
    inputs: added.map(({ date = '', emission_added: emission = 0, emission_default: standsIn }, at) => ({
      symbol: `R${at + 1}`,
      name: date,
      value: emission,
      unit: KG,
      from: standsIn
        ? t('fromDefault', { low: standsIn.low_kg, high: standsIn.high_kg, release: standsIn.dataset_release })
        : t('fromEvent'),
    })),
    ...(added.length === 0 && { notes: [t('neverRefurbished')] }),
    methodology: 'METHODOLOGY.md#refurbishment',
  }
}

export function explainAllocated({ history }: DeviceData, value: number, t: DeviceMessages): Explanation {
  const rentals = history.events.filter(isRented)
  return {
    title: t('whyAllocated'),
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
      from: t('fromMonths', { count: one.allocated_months ?? 0 }),
    })),
    notes: [t('allocatedNote')],
    methodology: LEDGER,
  }
}

export const explainWrittenOff = ({ history }: DeviceData, value: number, t: DeviceMessages): Explanation => ({
  title: t('whyWrittenOff'),
  value,
  unit: KG,
  formula: 'W = E − A',
  inputs: [
    { symbol: 'E', name: t('embodied_total'), value: history.balance.embodied_total, unit: KG, from: '' },
    { symbol: 'A', name: t('allocated'), value: history.balance.allocated, unit: KG, from: '' },
  ],
  notes: [t('writtenOffNote')],
  methodology: LEDGER,
})

export function explainRemaining(balance: Balance, t: DeviceMessages): Explanation {
  const { initial, refurbished, allocated, writtenOff, remaining } = balance
  return {
    title: t('whyRemaining'),
    value: remaining,
    unit: KG,
    formula: `${initial} + ${refurbished} − ${allocated}${writtenOff === 0 ? '' : ` − ${writtenOff}`} = ${remaining}`,
    inputs: (
      [
        ['E', 'initial', initial],
        ['R', 'refurbished', refurbished],
        ['A', 'allocated', allocated],
        ['W', 'writtenOff', writtenOff],
      ] as const
    ).map(([symbol, name, value]) => ({ symbol, name: t(name), value, unit: KG, from: '' })),
    methodology: LEDGER,
  }
}
