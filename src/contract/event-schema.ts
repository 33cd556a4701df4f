// What a client can tell of an order or a device after it was made: one schema for each kind of event.
import Type, { type Static } from 'typebox'
import { namedSchema, schemaRef } from './named-schema.ts'
import { FIRST_DAY, LAST_DAY, day, text } from './order-schema.ts'

const eventId = text('Your own identifier of the event, unique in your account: the same one again changes nothing.', [
  'event-4711',
])
const serialNumber = Type.Optional(
  text('The device that it concerns; without it, all devices that the order still has.', ['C02XL0AAJGH5']),
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
      date: date('The day from which the device is no longer held.', '2025-02-16'),
    },
    { description: 'The device came back, before its planned end, on it or after it.' },
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
        description: 'The tenure in all, in months from the order’s tenure start.',
        examples: [6],
        minimum: 1,
        maximum: 1200,
      }),
    },
    { description: 'The tenure was made longer.' },
  ),
)

export const CancelledEvent = namedSchema(
  'CancelledEvent',
  Type.Object(
    {
      event_id: eventId,
      type: Type.Literal('cancelled'),
      serial_number: serialNumber,
      date: date('The day on which it was cancelled, before the tenure starts.', '2024-12-20'),
      dispatched: Type.Optional(
        Type.Boolean({
          description: 'True where the goods were under way: then transport and packaging stay posted.',
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
        text('The device that is replaced; needed where the order has several.', ['C02XL0AAJGH5']),
      ),
      date: date('The day of the swap: the first day of the new device.', '2025-02-01'),
      new_serial_number: text('The device that takes its place.', ['C02XL0BBJGH6']),
      weight_kg: Type.Number({
        description: 'Weight of the new device in kilograms: what counts where it is charged by its weight.',
        examples: [1.24],
        exclusiveMinimum: 0,
        maximum: 40000,
      }),
    },
    {
      description:
        'One device takes the place of another for what remains of the tenure. A new device that was never rented is ' +
        'charged by the model, or what stands in for it, of the one that it replaces.',
    },
  ),
)

export const RefurbishedEvent = namedSchema(
  'RefurbishedEvent',
  Type.Object(
    {
      event_id: eventId,
      type: Type.Literal('refurbished'),
      date: date('The day on which it was ready for its next life.', '2027-01-15'),
      emission_kg: Type.Number({
        description: 'What the refurbishment emitted: parts, work, transport to and from it, in kg CO2e.',
        examples: [8],
        minimum: 0,
        maximum: 1000000,
      }),
      lifetime_months_added: Type.Integer({
        description: 'Months that it added to the device’s lifetime.',
        examples: [12],
        minimum: 0,
        maximum: 1200,
      }),
    },
    { description: 'The device was refurbished: its burden is spread over the months that are left and added.' },
  ),
)

const gone = <const Kind extends 'retired' | 'lost'>(kind: Kind, what: string) =>
  Type.Object(
    { event_id: eventId, type: Type.Literal(kind), date: date(`The day on which it was ${kind}.`, '2028-06-30') },
    { description: `${what} What is left of its footprint is given to no order.` },
  )

export const RetiredEvent = namedSchema('RetiredEvent', gone('retired', 'The device is rented out no more.'))
export const LostEvent = namedSchema('LostEvent', gone('lost', 'The device was stolen, lost or destroyed.'))

/** The schemas by their type, for the validator. */
export const ORDER_EVENTS = {
  returned: ReturnedEvent,
  extended: ExtendedEvent,
  cancelled: CancelledEvent,
  swapped: SwappedEvent,
} as const
export const DEVICE_EVENTS = { refurbished: RefurbishedEvent, retired: RetiredEvent, lost: LostEvent } as const

export const OrderEventParams = namedSchema(
  'OrderEventParams',
  Type.Unsafe<
    | Static<typeof ReturnedEvent>
    | Static<typeof ExtendedEvent>
    | Static<typeof CancelledEvent>
    | Static<typeof SwappedEvent>
  >({
    type: 'object',
    description: 'What happened to an order.',
    required: ['type'],
    discriminator: { propertyName: 'type' },
    oneOf: [schemaRef(ReturnedEvent), schemaRef(ExtendedEvent), schemaRef(CancelledEvent), schemaRef(SwappedEvent)],
  }),
)

/** No client tells it: it comes of undoing an import. */
export const RevertedEvent = namedSchema(
  'ReversedEvent',
  Type.Object(
    {
      event_id: Type.String(),
      type: Type.Literal('reversed'),
      serial_number: Type.Optional(Type.String()),
      import_id: Type.Integer({ description: 'The import that was undone.' }),
    },
    { description: 'The import that stored the order was undone: it counts in no period, nor in one that is over.' },
  ),
)

export const RecordedEvent = namedSchema(
  'RecordedEvent',
  Type.Object(
    {
      recorded_at: Type.String({ format: 'date-time' }),
      event: Type.Unsafe<WireOrderEvent | Static<typeof RevertedEvent>>({
        anyOf: [schemaRef(OrderEventParams), schemaRef(RevertedEvent)],
      }),
    },
    { description: 'An event on an order, and when it became known.' },
  ),
)

export const DeviceEventParams = namedSchema(
  'DeviceEventParams',
  Type.Unsafe<Static<typeof RefurbishedEvent> | Static<typeof RetiredEvent> | Static<typeof LostEvent>>({
    type: 'object',
    description: 'What happened to a device between its rentals.',
    required: ['type'],
    discriminator: { propertyName: 'type' },
    oneOf: [schemaRef(RefurbishedEvent), schemaRef(RetiredEvent), schemaRef(LostEvent)],
  }),
)

export type WireOrderEvent = Static<typeof OrderEventParams>
/** As it is kept. */
export type RecordedOrderEvent = WireOrderEvent | Static<typeof RevertedEvent>
export type WireDeviceEvent = Static<typeof DeviceEventParams>
