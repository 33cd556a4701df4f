// Schemas of order and device events: one schema per event type.
import Type, { type Static } from 'typebox'
import { DEVICE_TYPES } from '../engine/reference/reference-data.ts'
import { namedSchema, schemaRef } from './named-schema.ts'
import { FIRST_DAY, LAST_DAY, ProductConfig, day, text } from './order-schema.ts'

const eventId = text(
  'Your own event identifier, unique in your account. Sending the same event again changes nothing.',
  ['event-4711'],
)
const serialNumber = Type.Optional(
  text('Serial number of the affected device. Without it, the event applies to all devices still in the order.', [
    'C02XL0AAJGH5',
  ]),
)
const date = (description: string, example: string) =>
  day(`${description} A calendar day, ${FIRST_DAY} to ${LAST_DAY}.`, example)

export const ReturnedEvent = namedSchema(
  'ReturnedEvent',
  Type.Object(
    {
      event_id: eventId,
      type: Type.Literal('returned'),
      serial_number: serialNumber,
      date: date('First day on which the device is no longer held.', '2025-02-16'),
    },
    { description: 'The device was returned before, on or after the planned end of its rental.' },
  ),
)

export const ExtendedEvent = namedSchema(
  'ExtendedEvent',
  Type.Object(
    {
      event_id: eventId,
      type: Type.Literal('extended'),
      serial_number: serialNumber,
      tenure_months: Type.Integer({
        description: 'New total tenure, in months from the order’s tenure start.',
        examples: [6],
        minimum: 1,
        maximum: 1200,
      }),
    },
    { description: 'The tenure was extended.' },
  ),
)

export const CancelledEvent = namedSchema(
  'CancelledEvent',
  Type.Object(
    {
      event_id: eventId,
      type: Type.Literal('cancelled'),
      serial_number: serialNumber,
      date: date('Day of the cancellation, before the tenure start.', '2024-12-20'),
      dispatched: Type.Optional(
        Type.Boolean({
          description:
            'True if the goods were already dispatched; their transportation and packaging then remain posted.',
          examples: [false],
        }),
      ),
    },
    { description: 'The order, or one of its devices, was cancelled before its tenure started.' },
  ),
)

export const SwappedEvent = namedSchema(
  'SwappedEvent',
  Type.Object(
    {
      event_id: eventId,
      type: Type.Literal('swapped'),
      serial_number: Type.Optional(
        text('Serial number of the replaced device; required if the order has several devices.', ['C02XL0AAJGH5']),
      ),
      date: date('Day of the swap, which is the first day of the new device.', '2025-02-01'),
      new_serial_number: text('Serial number of the new device.', ['C02XL0BBJGH6']),
      weight_kg: Type.Number({
        description: 'Weight of the new device in kilograms; used if its footprint is calculated from the weight.',
        examples: [1.24],
        exclusiveMinimum: 0,
        maximum: 40000,
      }),
      product_id: Type.Optional(ProductConfig.properties.product_id),
      product_name: ProductConfig.properties.product_name,
      brand: ProductConfig.properties.brand,
      device_type: ProductConfig.properties.device_type,
      model_id: ProductConfig.properties.model_id,
    },
    {
      description:
        'One device replaces another for the rest of the tenure. If the event has a product_id, product_name, brand, ' +
        'device_type or model_id, a device that is new to the account is matched by them like a product of an order, ' +
        'and so is one of which no rental counts any more, or that this order names, unless an ' +
        '`identified` event of yours says what it is. Any other known device keeps its footprint. Without these ' +
        'members, a new device gets the device model or fallback footprint of the device that it replaces.',
    },
  ),
)

export const RefurbishedEvent = namedSchema(
  'RefurbishedEvent',
  Type.Object(
    {
      event_id: eventId,
      type: Type.Literal('refurbished'),
      date: date('Day on which the device was ready to be rented again.', '2027-01-15'),
      emission_kg: Type.Optional(
        Type.Number({
          description:
            'Emission of the refurbishment (parts, work, and transport to and from it), in kg CO2e. Without it, the ' +
            'default of the device’s type counts, with a warning; a type without one needs the figure.',
          examples: [8],
          minimum: 0,
          maximum: 1000000,
        }),
      ),
      lifetime_months_added: Type.Integer({
        description: 'Months that the refurbishment adds to the lifetime of the device.',
        examples: [12],
        minimum: 0,
        maximum: 1200,
      }),
    },
    {
      description: 'The device was refurbished. The added emission is spread over the remaining and the added months.',
    },
  ),
)

/** What stood in for the emission of a refurbishment when it was recorded. */
export const EmissionDefault = namedSchema(
  'EmissionDefault',
  Type.Object(
    {
      device_type: Type.Enum([...DEVICE_TYPES]),
      low_kg: Type.Number({ description: 'Lower end of its range, kg CO2e.', examples: [2] }),
      high_kg: Type.Number({ description: 'Upper end of its range, kg CO2e.', examples: [25] }),
      dataset_release: Type.String({ description: 'The release that it is of.' }),
    },
    {
      description:
        'Nobody stated the emission of the refurbishment: it is the default of the device’s type, which is ' +
        '`indicative`.',
    },
  ),
)

/** Recorded of an event without an emission. */
export const RefurbishedByDefault = namedSchema(
  'RefurbishedByDefault',
  Type.Object(
    { ...RefurbishedEvent.properties, emission_kg: Type.Number(), emission_default: schemaRef(EmissionDefault) },
    { description: 'A refurbishment that was sent without its emission.' },
  ),
)

const gone = <const Kind extends 'retired' | 'lost'>(kind: Kind, what: string) =>
  Type.Object(
    { event_id: eventId, type: Type.Literal(kind), date: date(`Day on which the device was ${kind}.`, '2028-06-30') },
    { description: `${what} Its remaining embodied emission is not allocated to any order.` },
  )

export const RetiredEvent = namedSchema('RetiredEvent', gone('retired', 'The device is no longer rented out.'))
export const LostEvent = namedSchema('LostEvent', gone('lost', 'The device was stolen, lost or destroyed.'))

export const IdentifiedEvent = namedSchema(
  'IdentifiedEvent',
  Type.Object(
    {
      event_id: eventId,
      type: Type.Literal('identified'),
      model_id: Type.Optional(text('Device model, by its id or an alias.', ['apple-macbook-air-13-m3-256gb'])),
      device_type: Type.Optional(Type.Enum([...DEVICE_TYPES], { description: 'Type of a device of unknown model.' })),
      weight_kg: Type.Optional(
        Type.Number({
          description: 'Weight of a device of unknown model in kilograms; required with device_type.',
          examples: [1.24],
          exclusiveMinimum: 0,
          maximum: 40000,
        }),
      ),
      reason: Type.Optional(text('Why it is identified again; kept with the event.', ['Wrong product name'])),
    },
    {
      description:
        'The device is another model than was known, from its first day on. State model_id or device_type. All its ' +
        'orders are charged again, by the figures of the current dataset release.',
    },
  ),
)

export const WithdrawnEvent = namedSchema(
  'WithdrawnEvent',
  Type.Object(
    {
      event_id: eventId,
      type: Type.Literal('withdrawn'),
      withdraws: text('The event_id of the event that does not count any more.', ['event-4711']),
      reason: Type.Optional(text('Why it is withdrawn; kept with the event.', ['Wrong year'])),
    },
    {
      description:
        'An earlier event of the same order or device was wrong and does not count any more. Its event_id stays ' +
        'taken: send the right event with another one. An event that a later event depends on cannot be withdrawn ' +
        'before that one.',
    },
  ),
)

/** Event schemas by event type, for the validator. */
export const ORDER_EVENTS = {
  returned: ReturnedEvent,
  extended: ExtendedEvent,
  cancelled: CancelledEvent,
  swapped: SwappedEvent,
  withdrawn: WithdrawnEvent,
} as const
export const DEVICE_EVENTS = {
  refurbished: RefurbishedEvent,
  retired: RetiredEvent,
  lost: LostEvent,
  identified: IdentifiedEvent,
  withdrawn: WithdrawnEvent,
} as const

export const OrderEventParams = namedSchema(
  'OrderEventParams',
  Type.Unsafe<
    | Static<typeof ReturnedEvent>
    | Static<typeof ExtendedEvent>
    | Static<typeof CancelledEvent>
    | Static<typeof SwappedEvent>
    | Static<typeof WithdrawnEvent>
  >({
    type: 'object',
    description: 'An event of an order.',
    required: ['type'],
    discriminator: { propertyName: 'type' },
    oneOf: Object.values(ORDER_EVENTS).map(schemaRef),
  }),
)

/** Not accepted from clients; recorded when an import is reversed. */
export const ReversedEvent = namedSchema(
  'ReversedEvent',
  Type.Object(
    {
      event_id: Type.String(),
      type: Type.Literal('reversed'),
      serial_number: Type.Optional(Type.String()),
      import_id: Type.Integer({ description: 'Number of the reversed import.' }),
    },
    {
      description: 'The import that stored the order was reversed. The order counts in no period, including past ones.',
    },
  ),
)

const recordedAt = Type.String({ format: 'date-time' })
/** Who recorded an event or a correction. */
export const recordedBy = Type.Union(
  [
    Type.Object({
      key: Type.String({ description: 'First and last characters of the key.', examples: ['cradle_2TvG…T6Mp'] }),
      label: Type.String({ description: 'Label of the key; may be empty.', examples: ['Warehouse'] }),
    }),
    Type.Object({ import_id: Type.Integer({ description: 'Number of the import.' }) }),
    Type.Null(),
  ],
  {
    description:
      'The key with which it was recorded, also if that is revoked by now, or the import. Null for what was ' +
      'recorded before Cradle stored this, and for the facts that a demo fleet is loaded with.',
  },
)
const withdrawnBy = Type.Optional(
  Type.String({ description: 'The event_id of the event that withdrew this one: it does not count any more.' }),
)

export const RecordedEvent = namedSchema(
  'RecordedEvent',
  Type.Object(
    {
      recorded_at: recordedAt,
      recorded_by: recordedBy,
      withdrawn_by: withdrawnBy,
      event: Type.Unsafe<WireOrderEvent | Static<typeof ReversedEvent>>({
        anyOf: [schemaRef(OrderEventParams), schemaRef(ReversedEvent)],
      }),
    },
    { description: 'An event of an order, and when it was recorded.' },
  ),
)

export const DeviceEventParams = namedSchema(
  'DeviceEventParams',
  Type.Unsafe<
    | Static<typeof RefurbishedEvent>
    | Static<typeof RetiredEvent>
    | Static<typeof LostEvent>
    | Static<typeof IdentifiedEvent>
    | Static<typeof WithdrawnEvent>
  >({
    type: 'object',
    description: 'An event of a device itself, between its rentals or during one.',
    required: ['type'],
    discriminator: { propertyName: 'type' },
    oneOf: Object.values(DEVICE_EVENTS).map(schemaRef),
  }),
)

/** Not accepted from clients; recorded when an order is corrected or sent again that had fixed a device's footprint. */
export const OrderIdentification = namedSchema(
  'OrderIdentification',
  Type.Object(
    {
      event_id: Type.String(),
      type: Type.Literal('identified'),
      customer_id: Type.String(),
      order_id: Type.String(),
      footprint_id: Type.String({ description: 'What the order matches its product to.' }),
      exact_weight_kg: Type.Optional(Type.String({ description: 'Where the footprint depends on the weight.' })),
      product_id: Type.Optional(Type.String()),
      match_method: Type.Optional(Type.String({ description: 'If it was matched by a guess or by a mapping.' })),
    },
    {
      description:
        'The order that fixed the footprint of the device was corrected or sent again, or brings the device in by ' +
        'another swap, and now names another product.',
    },
  ),
)
export type OrderIdentification = Static<typeof OrderIdentification>

export const RecordedDeviceEvent = namedSchema(
  'RecordedDeviceEvent',
  Type.Object(
    {
      recorded_at: recordedAt,
      recorded_by: recordedBy,
      withdrawn_by: withdrawnBy,
      event: Type.Unsafe<StoredDeviceEvent | OrderIdentification>({
        anyOf: [schemaRef(RefurbishedByDefault), schemaRef(DeviceEventParams), schemaRef(OrderIdentification)],
      }),
    },
    { description: 'An event of a device, and when it was recorded.' },
  ),
)

export type WireOrderEvent = Static<typeof OrderEventParams>
export type WireSwap = Extract<WireOrderEvent, { readonly type: 'swapped' }>
/** An order event as stored. */
/** Not accepted from clients, and not shown: it ends a revision of an order whose content was corrected. */
interface CorrectedEvent {
  readonly event_id: string
  readonly type: 'corrected'
  readonly reason?: string
  /** Set if the content stayed and other figures apply. */
  readonly restatement_id?: number
}

export type RecordedOrderEvent = WireOrderEvent | Static<typeof ReversedEvent> | CorrectedEvent
export type WireDeviceEvent = Static<typeof DeviceEventParams>
export type StoredDefault = Static<typeof EmissionDefault>
/** An event of a device as it is stored: a refurbishment has its emission. */
export type StoredDeviceEvent =
  | Exclude<WireDeviceEvent, { readonly type: 'refurbished' }>
  | (Static<typeof RefurbishedEvent> & {
      readonly emission_kg: number
      readonly emission_default?: StoredDefault
    })
