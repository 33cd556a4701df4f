// The standard sentences of a statement: the basis of the year's emission, exclusions, and notes for the reader.
import type { Statement } from './statement.ts'

export const STATEMENT_TEXTS: Pick<Statement, 'basis' | 'exclusions' | 'notes'> = {
  basis: [
    'Embodied emission and use of a rental are spread over its months until its end; the year contains what falls ' +
      'into its own months.',
    'Packaging and transportation of an order count in full on the day of dispatch, which is its tenure start.',
    'What was recorded later (orders, returns, extensions, cancellations, other corrections) counts in the months ' +
      'that it concerns. What it changes in months whose books were closed when it was recorded counts on the first ' +
      'open day, so that a closed year does not change.',
    'This statement includes everything recorded up to known_at. An order that was reversed with its import is left ' +
      'out, unless it counted in closed months.',
    'Opening is what all years before contain, closing is that with this year. What is posted for later months ' +
      'stands apart.',
  ],
  exclusions: [
    'The rental company’s own offices, computers and staff.',
    'Cleaning, repairing and wiping of devices, unless told to Cradle as a refurbishment.',
    'Transports that no order names, such as returns and journeys of people.',
    'The end of life of packaging.',
    'Networks, data centres and software that the devices use.',
    'Losses in electricity grids.',
  ],
  notes: [
    'Seen by the customer, who rents. What the rental company reports of the same devices is another book, and ' +
      'the two are never added up.',
    'Lines of the type indicative are stand-ins or somebody else’s scenario. Metered electricity holds the use of ' +
      'the devices already, indicative or not: do not add the two.',
    'Use is computed by the grid of the country (location-based, with the supply of fuels in it, which belongs to ' +
      'category 3), or by the electricity that a maker assumed. There is no market-based figure.',
    'Nothing here was measured by the rental company or its carriers: figures are published ones, fitted from such, ' +
      'or assumed where METHODOLOGY.md says so; what a refurbishment emitted is taken as it was told or, where it ' +
      'was not, by the default of the type.',
    'How each line came about is in the receipt of its order, which computes it from its inputs and figures. A grid ' +
      'factor is named by the year of use (EF_2026); it is the nearest published, whose year the receipt tells.',
    'Aligned with the GHG Protocol (Corporate Standard, Corporate Value Chain Standard); no third party has ' +
      'verified it.',
  ],
}
