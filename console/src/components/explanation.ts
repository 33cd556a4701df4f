// Why a number is what it is: what the panel shows, in the form in which the API tells how a line came about.
import type { Schemas } from '../api/client.ts'
import type { ListedValue } from '../api-values/api-values.ts'
import type { ServiceText } from '../i18n/service-text.tsx'
import type { ServiceMessage } from '../service-texts/messages.ts'

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
  readonly name: ServiceText | ListedValue
  readonly value: number
  readonly unit: string | ListedValue
  /** Where it comes from; '' where that goes without saying. */
  readonly from: ServiceText | ListedValue
}

export type Factor = Omit<Calculation['factors'][number], 'dataset_release' | 'unit'> & {
  readonly unit: string | ListedValue
  readonly dataset_release?: string
}

/** What a figure is explained by: at once, or after a question to the API. */
export type Why = () => Explanation | Promise<Explanation>

type Line = Schemas['EmissionBreakdown']

/** Of a line of an order that was read with include=calculation. */
export const describeLine = ({ description: message, description_message: reference }: Line): ServiceMessage => ({
  message,
  ...reference,
})

/** Of a calculation. */
export const notesOf = ({ notes, note_messages: messages = [] }: Calculation): readonly ServiceMessage[] =>
  notes.map((message, at) => ({ message, ...messages[at] }))

/** Of a line of an order that was read with include=calculation. */
export function explanationOfLine(line: Line): Explanation {
  const { emission: value, emission_unit: unit, type, calculation, uncertainty } = line
  return {
    title: describeLine(line),
    value,
    unit,
    type,
    ...(calculation && {
      formula: calculation.formula,
      inputs: calculation.inputs.map(inputOf),
      factors: calculation.factors.map(factorOf),
      notes: notesOf(calculation),
      methodology: calculation.methodology,
    }),
    ...(uncertainty && { uncertainty }),
  }
}

const inputOf = ({ name, unit, from, years, ...input }: Calculation['inputs'][number]): Input => ({
  ...input,
  name: years ? monthsIn(years) : { list: 'input', value: name },
  unit: unitOf(unit),
  from: { list: 'origin', value: from },
})

/** Years are texts, which have no thousands separator. */
function monthsIn([first = 0, last = first]: readonly number[]): ListedValue {
  const value = first === last ? 'months_in_year' : 'months_in_years'
  return { list: 'input', value, values: { first: `${first}`, last: `${last}` } }
}

/** The unit of what has none is 1. */
const unitOf = (value: string): string | ListedValue => (value === '1' ? '' : { list: 'unit', value })

export const factorOf = ({ unit, ...factor }: Calculation['factors'][number]): Factor => ({
  ...factor,
  unit: unitOf(unit),
})
