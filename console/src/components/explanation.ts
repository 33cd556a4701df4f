// Why a number is what it is: what the panel shows, in the form in which the API tells how a line came about.
import type { Schemas } from '../api/client.ts'
import { said, type ServiceText } from '../i18n/service-text.tsx'

type Calculation = Schemas['Calculation']
export type Source = Schemas['Source']

export interface Explanation {
  /** What the number is. */
  readonly title: ServiceText
  readonly value: number
  readonly unit: string
  /** With its symbols filled in, and its numbers with a point before their decimals, whatever the language. */
  readonly formula?: string
  readonly inputs?: readonly Input[]
  readonly factors?: readonly Factor[]
  /** Who published the number itself, where it is no result. */
  readonly source?: Source
  readonly notes?: readonly ServiceText[]
  readonly uncertainty?: Schemas['Uncertainty']
  readonly type?: 'estimated' | 'indicative'
  /** Where the formula is explained, like METHODOLOGY.md#embodied. */
  readonly methodology?: string
  readonly release?: string
  /** What was asked of the API, like /api/reports/emissions?year=2025: whoever has a key can ask it again. */
  readonly call?: string
  /** Pages on which there is more of it. */
  readonly links?: readonly { readonly path: string; readonly label: string }[]
}

export interface Input {
  readonly symbol: string
  readonly name: ServiceText
  readonly value: number
  readonly unit: ServiceText
  /** Where it comes from; '' where that goes without saying. */
  readonly from: ServiceText
}

export type Factor = Omit<Calculation['factors'][number], 'dataset_release' | 'unit'> & {
  readonly unit: ServiceText
  readonly dataset_release?: string
}

/** What a figure is explained by: at once, or after a question to the API. */
export type Why = () => Explanation | Promise<Explanation>

/** Of a line of an order that was read with include=calculation. */
export function explanationOfLine(line: Schemas['EmissionBreakdown']): Explanation {
  const { description: title, emission: value, emission_unit: unit, type, calculation, uncertainty } = line
  return {
    title: said(title),
    value,
    unit,
    type,
    ...(calculation && {
      formula: calculation.formula,
      inputs: calculation.inputs.map(inputOf),
      factors: calculation.factors.map(factorOf),
      notes: calculation.notes.map((note) => said(note)),
      methodology: calculation.methodology,
    }),
    ...(uncertainty && { uncertainty }),
  }
}

const inputOf = ({ name, unit, from, ...input }: Calculation['inputs'][number]): Input => ({
  ...input,
  name: said(name, 'input'),
  unit: said(unit, 'unit'),
  from: said(from, 'origin'),
})

export const factorOf = ({ unit, ...factor }: Calculation['factors'][number]): Factor => ({
  ...factor,
  unit: said(unit, 'unit'),
})
