// Response schemas of orders and devices.
import Type, { type TSchema } from 'typebox'
import { DECOMMISSIONING_TYPES } from '../../engine/device-event-types.ts'
import { STATUSES } from '../../engine/order.ts'
import { namedSchema, schemaRef } from '../../contract/named-schema.ts'
import { RecordedDeviceEvent, RecordedEvent, recordedBy } from '../../contract/event-schema.ts'
import { LifeAllocation } from './allocations.ts'
import { DeviceHistory, LedgerEntry, day } from './ledger.ts'
import { MessageReference, Source, emissionUnit, kilograms, warnings } from './response.ts'

export const CalculationSchema = namedSchema(
  'Calculation',
  Type.Object(
    {
      method: Type.String({ examples: ['embodied-linear'] }),
      methodology: Type.String({
        description: 'Section of the methodology that explains the formula.',
        examples: ['METHODOLOGY.md#embodied'],
      }),
      formula: Type.String({ description: 'The formula, and the formula with values in place of the symbols.' }),
      inputs: Type.Array(
        Type.Object({
          symbol: Type.String(),
          name: Type.String(),
          value: Type.Number(),
          unit: Type.String(),
          from: Type.String({ description: 'Origin of the value.' }),
          years: Type.Optional(
            Type.Array(Type.Integer(), {
              description: 'Only for months of use: the first and the last calendar year that they lie in.',
              minItems: 2,
              maxItems: 2,
            }),
          ),
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
      notes: Type.Array(Type.String(), { description: 'Assumptions, and how the model or the fallback was found.' }),
      note_messages: Type.Optional(
        Type.Array(schemaRef(MessageReference), {
          description: 'The codes and values of the notes, in the same sequence. Not in receipts.',
        }),
      ),
      ledger: Type.Optional(
        Type.Object(
          {
            ledger_months_before: Type.Number({
              description: 'Months of the device that were allocated to earlier rentals.',
            }),
            allocated_months: Type.Number(),
            unallocated_tenure_months: Type.Number({
              description: 'Months beyond the device’s lifetime; they are allocated 0.',
            }),
            remaining_before: Type.Number({ description: 'Embodied emission remaining before this rental, kg CO2e.' }),
            remaining_after: Type.Number(),
            fully_amortised: Type.Boolean({
              description:
                'True if all embodied emission of the device is allocated to orders. ' +
                'Allocation does not reverse the emission.',
            }),
          },
          { description: 'Position of the rental in the ledger of its device; only for the embodied line.' },
        ),
      ),
    },
    { description: 'How the emission of a line was calculated; with include=calculation.' },
  ),
)

export const Uncertainty = namedSchema(
  'Uncertainty',
  Type.Object(
    {
      low: kilograms('Lower end of the interval, never above the emission.', 4.7),
      high: kilograms('Upper end of the interval, never below the emission.', 9.62),
      level: Type.Number({
        description: 'Probability that the true value lies in the interval, 0 to 1.',
        examples: [0.95],
      }),
      kind: Type.Literal('lognormal', { description: 'Distribution; its arithmetic mean is the emission.' }),
      gsd: Type.Number({ description: 'Geometric standard deviation.', examples: [1.2], minimum: 1 }),
      from: Type.Optional(
        Type.Array(
          Type.Object({
            name: Type.String({ description: 'Source of error.' }),
            name_message: schemaRef(MessageReference),
            log_sd: Type.Number({ description: 'Size of the error: standard deviation of the logarithm.', minimum: 0 }),
          }),
          { description: 'Error sources of a line. ln gsd is the square root of the sum of the squares of log_sd.' },
        ),
      ),
    },
    { description: 'Uncertainty of a line or a total; with include=calculation.' },
  ),
)

export const EmissionBreakdown = namedSchema(
  'EmissionBreakdown',
  Type.Object({
    description: Type.String({ description: 'Description of the emission source.' }),
    description_message: Type.Optional(schemaRef(MessageReference)),
    emission: kilograms('GHG emission in kg CO2e, a whole number of milligrams.', 6.834375),
    emission_unit: emissionUnit,
    ghg_category: Type.String({ examples: ['Category 1: Purchased goods and services'] }),
    ghg_scope: Type.String({ examples: ['3'] }),
    type: Type.Enum(['estimated', 'indicative'], {
      description:
        'estimated: based on figures of the item itself. indicative: based on a fallback, a proxy or an assumption.',
    }),
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
      Type.String({ description: 'Device identifier, unique for each serial number of the account.' }),
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
  metadata: Type.Optional(
    Type.Record(Type.String(), Type.String(), { description: 'Metadata of the order; with include=metadata.' }),
  ),
})

const orderFields = <Status extends TSchema>(status: Status) => ({
  ...summaryFields(status),
  total_emission_excluding_indicative: Type.Optional(
    kilograms('Total without indicative lines; with include=calculation.', 8.325775),
  ),
  uncertainty: Type.Optional(schemaRef(Uncertainty)),
  items: Type.Array(schemaRef(ResponseItem)),
  warnings,
})

/** Fields of the response to a new order and to an estimate. */
export const EstimatedOrderFields = orderFields(Type.Literal('created', { description: 'Order status.' }))

export const OrderResponse = namedSchema('OrderResponse', Type.Object(EstimatedOrderFields))

const standing = Type.Enum([...STATUSES], {
  description:
    'created: unchanged since it was posted. amended: the order was extended, a device was swapped, some devices ' +
    'were returned or cancelled, or another order or a device event changed its figures. returned: no device is ' +
    'rented out any more. cancelled: the complete order was cancelled. reversed: reversed with the import that ' +
    'stored it, and excluded from all figures.',
})

export const OrderCorrection = namedSchema(
  'OrderCorrection',
  Type.Object(
    {
      event_id: Type.String({ description: 'The id of the correction, which the entries name that it posted.' }),
      corrected_at: Type.String({ format: 'date-time' }),
      recorded_by: recordedBy,
      reason: Type.Optional(Type.String()),
      changes: Type.Array(
        Type.Object({
          path: Type.String({ description: 'JSON pointer to the member.', examples: ['/items/0/config/weight_kg'] }),
          before: Type.Optional(Type.Unknown({ description: 'Absent if the member was absent.' })),
          after: Type.Optional(Type.Unknown({ description: 'Absent if the member was removed.' })),
        }),
        { description: 'The first members that changed.' },
      ),
    },
    { description: 'A correction of the content of an order.' },
  ),
)

export const OrderState = namedSchema(
  'OrderState',
  Type.Object(
    {
      ...orderFields(standing),
      entries: Type.Optional(
        Type.Array(schemaRef(LedgerEntry), { description: 'Ledger entries; with include=entries.' }),
      ),
      events: Type.Optional(
        Type.Array(schemaRef(RecordedEvent), { description: 'Recorded events; with include=events.' }),
      ),
      corrections: Type.Optional(
        Type.Array(schemaRef(OrderCorrection), { description: 'The corrections of its content; absent without any.' }),
      ),
    },
    { description: 'The order in its current state, or as it was known at a given time.' },
  ),
)

export const OrderSummary = namedSchema(
  'OrderSummary',
  Type.Object(
    {
      ...summaryFields(standing),
      number_of_devices: Type.Integer({
        description: 'Devices that the order holds or held. After a swap, both the replaced and the new device count.',
        examples: [1],
      }),
    },
    { description: 'Summary of an order in its current state.' },
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
    total_emission: kilograms('Total emission of the device under the order.', 9.9289),
    emission: breakdown('The device’s own lines, and its shares of the order’s transportation and packaging.'),
  }),
)

export const DeviceOrderEmissionsResponse = namedSchema(
  'DeviceOrderEmissionsResponse',
  Type.Object({
    serial_number: Type.String({ description: 'The requested serial number.' }),
    emission_unit: emissionUnit,
    number_of_orders: Type.Integer({ description: 'Number of elements in orders.' }),
    total_emission: kilograms('Total emission over the orders.', 9.9289),
    orders: Type.Array(schemaRef(DeviceOrderEmission)),
    entries: Type.Optional(
      Type.Array(schemaRef(LedgerEntry), { description: 'Ledger entries; with include=entries.' }),
    ),
    history: Type.Optional(schemaRef(DeviceHistory)),
    events: Type.Optional(
      Type.Array(schemaRef(RecordedDeviceEvent), {
        description: 'Recorded events of the device itself, also withdrawn ones; with include=events.',
      }),
    ),
    allocations: Type.Optional(
      Type.Array(schemaRef(LifeAllocation), {
        description: 'Shares by every allocation method; with allocation=all. They enter no total.',
      }),
    ),
    warnings,
  }),
)

export const ListedDevice = namedSchema(
  'ListedDevice',
  Type.Object(
    {
      serial_number: Type.String(),
      footprint_id: Type.String({ description: 'Device model or fallback footprint.' }),
      name: Type.String({ description: 'Brand and name of the model, or name of the fallback footprint.' }),
      name_message: Type.Optional(schemaRef(MessageReference)),
      emission_unit: emissionUnit,
      embodied_total: kilograms('Embodied emission of the new device and its refurbishments.', 117.35),
      allocated: kilograms('Part of embodied_total that is allocated to orders.', 13.66875),
      unallocated: kilograms('Part of embodied_total that remained when the device was retired or lost.', 0),
      remaining: kilograms(
        'Part of embodied_total not allocated to an order yet; 0 once the device is retired or lost.',
        103.68125,
      ),
      total_emission: kilograms(
        'Emission posted on the device: embodied, use, packaging, transportation; with customer_id, only for that one.',
        15.5289,
      ),
      number_of_orders: Type.Integer(),
      decommissioned: Type.Optional(
        Type.Enum([...DECOMMISSIONING_TYPES], { description: 'Why the device is no longer rented out.' }),
      ),
      last_rental: Type.Optional(
        Type.Object(
          {
            customer_id: Type.String(),
            order_id: Type.String(),
            from: day('First day of the rental.'),
            to: day('Day after the last day of the rental.'),
          },
          { description: 'The rental that started last; absent if every rental was cancelled.' },
        ),
      ),
    },
    { description: 'A device in its current state.' },
  ),
)
