// Emissions as they are read: in tonnes from 1,000 kg on.
import { KG } from './kilograms.ts'

const TONNES = 't CO₂e'
const KG_OF_TONNE = 1000

export interface MassUnit {
  readonly unit: typeof KG | typeof TONNES
  /** In the unit, without the digits that are the doubles' own. */
  readonly of: (kilograms: number) => number
}

const IN_KILOGRAMS: MassUnit = { unit: KG, of: (kilograms) => kilograms }
const IN_TONNES: MassUnit = { unit: TONNES, of: (kilograms) => Number((kilograms / KG_OF_TONNE).toFixed(9)) }

/** The unit of a value, or of the greatest of several. */
export const massUnit = (kilograms: number): MassUnit => (Math.abs(kilograms) < KG_OF_TONNE ? IN_KILOGRAMS : IN_TONNES)
