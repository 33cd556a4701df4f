// What is answered about orders and the ledgers of devices, schema by schema.
import Type, { type TSchema } from 'typebox'
import { STATUSES } from '../../engine/order.ts'
import { namedSchema, schemaRef } from '../../contract/named-schema.ts'
import { RecordedEvent } from '../../contract/event-schema.ts'
import { DeviceHistory, LedgerEntry, day } from './ledger.ts'
import { Source, emissionUnit, kilograms } from './response.ts'

export const CalculationSchema = namedSchema(
  'Calculation',
  Type.Object(
    {
      method: Type.String({ examples: ['embodied-linear'] }),
      methodology: Type.String({
        description: 'Where the formula is explained.',
        examples: ['METHODOLOGY.md#embodied'],
      }),
      formula: Type.String({ description: 'The formula with its symbols filled in.' }),
      inputs: Type.Array(
        Type.Object({
          symbol: Type.String(),
          name: Type.String(),
          value: Type.Number(),
          unit: Type.String(),
          from: Type.String({ description: 'Where the value comes from.' }),
        }),
      ),
      factors: Type.Array(
        Type.Object({
          symbol: Type.String(),
          id: Type.String(),
          value: Type.Number(),
          unit: Type.String(),
          source: schemaRef(Source),
          dataset_release: Type.String(),
        }),
      ),
      notes: Type.Array(Type.String()),
      ledger: Type.Optional(
        Type.Object(
          {
            ledger_months_before: Type.Number({ description: 'Months of the device that earlier rentals were given.' }),
            allocated_months: Type.Number(),
            unallocated_tenure_months: Type.Number({
              description: 'Months beyond the device’s lifetime: they carry 0.',
            }),
            remaining_before: Type.Number({ description: 'What was left to give before this rental, kg CO2e.' }),
            remaining_after: Type.Number(),
            fully_amortised: Type.Boolean({
              description: 'All that is embodied in the device has been given to orders; it is charged, not undone.',
            }),
          },
          { description: 'Where the rental stands in its device’s ledger; of the embodied line.' },
        ),
      ),
    },
    { description: 'How a line came about; with include=calculation.' },
  ),
)

export const Uncertainty = namedSchema(
  'Uncertainty',
  Type.Object(
    {
      low: kilograms('Lower end, never above the emission.', 4.7),
      high: kilograms('Upper end, never below the emission.', 9.62),
      level: Type.Number({ description: 'How often the true value lies between them.', examples: [0.95] }),
      kind: Type.Literal('lognormal', { description: 'The distribution; its arithmetic mean is the emission.' }),
      gsd: Type.Number({ description: 'Geometric standard deviation.', examples: [1.2], minimum: 1 }),
      from: Type.Optional(
        Type.Array(
          Type.Object({
            name: Type.String({ description: 'What may be off.' }),
            log_sd: Type.Number({ description: 'By how much: standard deviation of the logarithm.', minimum: 0 }),
          }),
          { description: 'Of a line: what it may be off by. ln gsd is the root of the sum of their squares.' },
        ),
      ),
    },
    { description: 'How sure a line or a total is; with include=calculation.' },
  ),
)

export const EmissionBreakdown = namedSchema(
  'EmissionBreakdown',
  Type.Object({
    description: Type.String({ description: 'Description of the emission source.' }),
    emission: kilograms('GHG emission value, a whole number of milligrams.', 6.834375),
    emission_unit: emissionUnit,
    ghg_category: Type.String({ examples: ['Category 1: Purchased goods and services'] }),
    ghg_scope: Type.String({ examples: ['3'] }),
    type: Type.Enum(['estimated', 'indicative'], { description: 'Kind of computation result.' }),
    calculation: Type.Optional(schemaRef(CalculationSchema)),
    uncertainty: Type.Optional(schemaRef(Uncertainty)),
  }),
)

const breakdown = (description: string) =>
  Type.Object(
    {
      packaging: Type.Optional(schemaRef(EmissionBreakdown)),
      product_embodied_emission: Type.Optional(schemaRef(EmissionBreakdown)),
      product_use: Type.Optional(schemaRef(EmissionBreakdown)),
      transportation: Type.Optional(schemaRef(EmissionBreakdown)),
    },
    { description },
  )

export const ResponseItem = namedSchema(
  'ResponseItem',
  Type.Object({
    type: Type.Enum(['product', 'packaging', 'transportation']),
    device_id: Type.Optional(
      Type.String({ description: 'Device identifier: one for each serial number of the account.' }),
    ),
    serial_number: Type.Optional(Type.String({ description: 'Serial number of the product.' })),
    total_emission: kilograms('Total GHG emission of the item.', 8.4375),
    uncertainty: Type.Optional(schemaRef(Uncertainty)),
    emission_breakdown: breakdown('The lines of the item.'),
  }),
)

const summaryFields = <Status extends TSchema>(status: Status) => ({
  order_id: Type.String({ description: 'Order identifier.' }),
  customer_id: Type.String({ description: 'Customer identifier.' }),
  order_date: day('Order date.'),
  tenure_start_date: day('Tenure start date of the order.'),
  created_at: Type.String({ description: 'Order creation time.', format: 'date-time' }),
  status,
  emission_unit: emissionUnit,
  total_emission: kilograms('Total GHG emission of the order: the sum of its lines.', 9.9289),
  metadata: Type.Optional(Type.Record(Type.String(), Type.String(), { description: 'With include=metadata.' })),
})

const orderFields = <Status extends TSchema>(status: Status) => ({
  ...summaryFields(status),
  total_emission_excluding_indicative: Type.Optional(
    kilograms('Without indicative lines; with include=calculation.', 8.325775),
  ),
  uncertainty: Type.Optional(schemaRef(Uncertainty)),
  items: Type.Array(schemaRef(ResponseItem)),
})

/** What a new order is answered with, and an estimate of one. */
export const EstimatedOrderFields = orderFields(Type.Literal('created', { description: 'Order status.' }))

export const OrderResponse = namedSchema('OrderResponse', Type.Object(EstimatedOrderFields))

const standing = Type.Enum([...STATUSES], {
  description:
    'created: nothing changed since. amended: it was extended or swapped, some of its devices came back or were ' +
    'cancelled, or another order or an event on a device changed its figures. returned: no device of it is out. ' +
    'cancelled: all of it was. undone: with the import that stored it; it counts nowhere.',
})

export const OrderState = namedSchema(
  'OrderState',
  Type.Object(
    {
      ...orderFields(standing),
      entries: Type.Optional(Type.Array(schemaRef(LedgerEntry), { description: 'With include=entries.' })),
      events: Type.Optional(Type.Array(schemaRef(RecordedEvent), { description: 'With include=events.' })),
    },
    { description: 'The order as it stands, or as it was known at some time.' },
  ),
)

export const OrderSummary = namedSchema(
  'OrderSummary',
  Type.Object(
    {
      ...summaryFields(standing),
      number_of_devices: Type.Integer({
        description: 'Devices that it holds or held; one that was swapped counts, and so does the one in its place.',
        examples: [1],
      }),
    },
    { description: 'An order in a list, as it stands.' },
  ),
)

export const DeviceOrderEmission = namedSchema(
  'DeviceOrderEmission',
  Type.Object({
    customer_id: Type.String({ description: 'Customer identifier.' }),
    order_id: Type.String({ description: 'Order identifier.' }),
    order_date: day('Order date.'),
    tenure_start_date: day('Tenure start date.'),
    emission_unit: emissionUnit,
    total_emission: kilograms('Emission total for the order and device.', 9.9289),
    emission: breakdown('The device’s own lines, and its shares of the order’s transport and packaging.'),
  }),
)

export const DeviceOrderEmissionsResponse = namedSchema(
  'DeviceOrderEmissionsResponse',
  Type.Object({
    serial_number: Type.String({ description: 'The serial number asked for.' }),
    emission_unit: emissionUnit,
    number_of_orders: Type.Integer({ description: 'Count of entries in orders.' }),
    total_emission: kilograms('Total emission over the orders.', 9.9289),
    orders: Type.Array(schemaRef(DeviceOrderEmission)),
    entries: Type.Optional(Type.Array(schemaRef(LedgerEntry), { description: 'With include=entries.' })),
    history: Type.Optional(schemaRef(DeviceHistory)),
  }),
)

export const ListedDevice = namedSchema(
  'ListedDevice',
  Type.Object(
    {
      serial_number: Type.String(),
      footprint_id: Type.String({ description: 'Device model, or what stands in for it.' }),
      name: Type.String({ description: 'The model with its brand, or what stands in for it.' }),
      emission_unit: emissionUnit,
      embodied_total: kilograms('Embodied footprint and refurbishments.', 117.35),
      allocated: kilograms('What of it is allocated to orders.', 13.66875),
      unallocated: kilograms('What remained when it was retired or lost.', 0),
      remaining: kilograms('What no order is allocated yet; 0 once it is retired or lost.', 103.68125),
      total_emission: kilograms(
        'All that was posted on it: embodied, use, packaging and transport; with customer_id, to that one’s orders.',
        15.5289,
      ),
      number_of_orders: Type.Integer(),
      decommissioned: Type.Optional(Type.Enum(['retired', 'lost'], { description: 'Why it is no longer rented out.' })),
      last_rental: Type.Optional(
        Type.Object(
          {
            customer_id: Type.String(),
            order_id: Type.String(),
            from: day('First day.'),
            to: day('The day after the last.'),
          },
          { description: 'The one that began last; absent where every rental was cancelled.' },
        ),
      ),
    },
    { description: 'A device as it stands.' },
  ),
)
