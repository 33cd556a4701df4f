// Schemas of batches: many orders or events in one request, each event with the order or the device that it concerns.
import Type, { type TProperties } from 'typebox'
import { DEVICE_EVENTS, ORDER_EVENTS, type WireDeviceEvent, type WireOrderEvent } from './event-schema.ts'
import { namedSchema, schemaRef, type NamedSchema } from './named-schema.ts'
import { OrderParams, ProductConfig } from './order-schema.ts'

export const BATCH_ITEMS_MAX = 1000

type Schemas = Readonly<
  Record<string, NamedSchema & { readonly properties: TProperties; readonly description?: string }>
>

/** The schemas of events, with the members that say what an event concerns. */
const withSubject = (subject: 'Order' | 'Device', members: TProperties, schemas: Schemas): Schemas =>
  Object.fromEntries(
    Object.entries(schemas).map(([type, { $id, properties, description }]) => [
      type,
      namedSchema(`${subject}${$id}`, Type.Object({ ...members, ...properties }, { description: description! })),
    ]),
  )

const { customer_id, order_id } = OrderParams.properties

/** Schemas by event type, for the validator. */
export const EVENTS_OF_ORDERS = withSubject('Order', { customer_id, order_id }, ORDER_EVENTS)
export const EVENTS_OF_DEVICES = withSubject(
  'Device',
  { serial_number: ProductConfig.properties.serial_number },
  DEVICE_EVENTS,
)

const oneOfTypes = <Event>(schemas: Schemas, description: string) =>
  Type.Unsafe<Event>({
    type: 'object',
    description,
    required: ['type'],
    discriminator: { propertyName: 'type' },
    oneOf: Object.values(schemas).map(schemaRef),
  })

export type EventOfOrder = WireOrderEvent & { readonly customer_id: string; readonly order_id: string }
export type EventOfDevice = WireDeviceEvent & { readonly serial_number: string }

export const EventOfOrderParams = namedSchema(
  'EventOfOrderParams',
  oneOfTypes<EventOfOrder>(EVENTS_OF_ORDERS, 'An event of an order, with the identifiers of the order.'),
)
export const EventOfDeviceParams = namedSchema(
  'EventOfDeviceParams',
  oneOfTypes<EventOfDevice>(EVENTS_OF_DEVICES, 'An event of a device, with its serial number and without an order.'),
)

export const OrderBatchParams = namedSchema(
  'OrderBatchParams',
  Type.Object(
    {
      orders: Type.Array(schemaRef(OrderParams), {
        description: 'The orders. Orders with a common device are recorded in this sequence.',
        maxItems: BATCH_ITEMS_MAX,
      }),
    },
    { description: 'Orders to estimate and store, each on its own.' },
  ),
)

export const EventBatchParams = namedSchema(
  'EventBatchParams',
  Type.Object(
    {
      events: Type.Array(
        Type.Unsafe<EventOfOrder | EventOfDevice>({
          anyOf: [schemaRef(EventOfOrderParams), schemaRef(EventOfDeviceParams)],
        }),
        {
          description: 'The events. Events of the same order or device are recorded in this sequence.',
          maxItems: BATCH_ITEMS_MAX,
        },
      ),
    },
    { description: 'Events to record, each on its own.' },
  ),
)
