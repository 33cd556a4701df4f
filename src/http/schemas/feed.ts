// Schemas of the events of the feed: their envelope, and the data of each type.
import Type from 'typebox'
import { FEED_TYPES } from '../../engine/feed-events.ts'
import { namedSchema, schemaRef } from '../../contract/named-schema.ts'
import { emissionUnit, kilograms } from './response.ts'

const id = (description: string, example: string) => Type.String({ description, examples: [example] })
const link = id(
  'Path of what the event is about; its URL if the operator set CRADLE_PUBLIC_URL.',
  '/api/customer-orders/c-17/o-1',
)
const orderMembers = {
  customer_id: id('Your customer identifier.', 'customer-17'),
  order_id: id('Your order identifier.', 'order-1001'),
}
const total = (description: string) => Type.Union([kilograms('', 33.75), Type.Null()], { description })
const cause = Type.Object(
  {
    event_id: Type.Optional(id('The event that was recorded.', 'returned-early')),
    customer_id: Type.Optional(id('Customer of the order that was posted or changed.', 'customer-18')),
    order_id: Type.Optional(id('The order that was posted or changed.', 'order-1002')),
    serial_number: Type.Optional(id('The device whose event was recorded.', 'C02XL0AAJGH5')),
  },
  { description: 'What was recorded and led to this event.' },
)

export const OrderCreatedData = namedSchema(
  'OrderCreatedData',
  Type.Object(
    { ...orderMembers, new_total_emission: total('Total of the order.'), emission_unit: emissionUnit, link },
    { description: 'Data of `order.created`.' },
  ),
)

export const OrderChangedData = namedSchema(
  'OrderChangedData',
  Type.Object(
    {
      ...orderMembers,
      old_total_emission: total('Total before the change; null if the order is no longer stored.'),
      new_total_emission: total(
        'Total after the change, as read with `known_at`; two changes within a millisecond have the same totals.',
      ),
      emission_unit: emissionUnit,
      cause,
      link,
    },
    { description: 'Data of `order.corrected`, `order.restated` and `order.changed`.' },
  ),
)

export const DeviceClosedData = namedSchema(
  'DeviceClosedData',
  Type.Object(
    {
      serial_number: id('Serial number of the device.', 'C02XL0AAJGH5'),
      reason: id('Type of the event that ended the life of the device: retired or lost.', 'retired'),
      cause,
      link,
    },
    { description: 'Data of `device.closed`.' },
  ),
)

const year = Type.Integer({ description: 'Calendar year.', examples: [2025] })

export const StatementIssuedData = namedSchema(
  'StatementIssuedData',
  Type.Object(
    { year, link },
    { description: 'Data of `statement.issued`: the books of a year were closed, so its statements are final.' },
  ),
)

export const StatementSupersededData = namedSchema(
  'StatementSupersededData',
  Type.Object(
    {
      customer_id: id('Your customer identifier.', 'customer-17'),
      year,
      cause: Type.Object({ restatement_id: Type.Integer({ description: 'The restatement that was applied.' }) }),
      link,
    },
    { description: 'Data of `statement.superseded`: a restatement changed a final statement.' },
  ),
)

export const ImportFinishedData = namedSchema(
  'ImportFinishedData',
  Type.Object(
    {
      import_id: Type.Integer({ description: 'Number of the import.' }),
      state: id('State of the import: succeeded, failed or reversed.', 'succeeded'),
      link,
    },
    { description: 'Data of `import.finished`.' },
  ),
)

export const ReleaseData = namedSchema(
  'ReleaseData',
  Type.Object(
    {
      dataset_release: id(
        'Id of the release; `latest` if the account follows the newest release again.',
        '2026.12-0a1b2c3d',
      ),
      link,
    },
    { description: 'Data of `release.available` and `release.applied`.' },
  ),
)

export const WebhookTestData = namedSchema(
  'WebhookTestData',
  Type.Object({ message: Type.String() }, { description: 'Data of `webhook.test`, which only webhooks get.' }),
)

export const FeedEvent = namedSchema(
  'FeedEvent',
  Type.Object(
    {
      specversion: Type.Literal('1.0'),
      id: id('Id of the event: the same in the feed and in every delivery.', 'evt_1_42_mc2x7k00'),
      source: id('Feed of the service that the event comes from.', '/api/events'),
      type: Type.Enum([...FEED_TYPES, 'webhook.test']),
      subject: id('What the event is about.', 'customer-orders/customer-17/order-1001'),
      time: Type.String({ format: 'date-time', description: 'When the event was recorded.' }),
      datacontenttype: Type.Literal('application/json'),
      dataschema: Type.Optional(
        id(
          'Schema of `data`; absent unless the operator set CRADLE_PUBLIC_URL.',
          'https://cradle.example.com/openapi.json',
        ),
      ),
      data: Type.Union([
        schemaRef(OrderCreatedData),
        schemaRef(OrderChangedData),
        schemaRef(DeviceClosedData),
        schemaRef(StatementIssuedData),
        schemaRef(StatementSupersededData),
        schemaRef(ImportFinishedData),
        schemaRef(ReleaseData),
        schemaRef(WebhookTestData),
      ]),
    },
    { description: 'An event in the form of CloudEvents 1.0.2.' },
  ),
)

export const FeedPage = namedSchema(
  'FeedPage',
  Type.Object(
    {
      events: Type.Array(schemaRef(FeedEvent)),
      next: Type.String({
        description: 'Value for `after` in the following request; present even if there are no more events yet.',
      }),
      has_more: Type.Boolean({ description: 'Whether more events can be read at once.' }),
    },
    { description: 'A page of the feed.' },
  ),
)
