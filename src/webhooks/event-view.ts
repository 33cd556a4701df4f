// Renders events of the feed as CloudEvents 1.0.2, the same for the feed and for webhooks.
import { readSubject, type FeedCause, type FeedSubject } from '../engine/feed-events.ts'
import { sentIdOf } from '../engine/order-revision.ts'
import { EMISSION_UNIT, toKilograms, type Milligrams } from '../engine/numbers/emission.ts'
import type { FeedItem } from '../postgres/feed.ts'
import type { FindTotals, OrderTotals } from '../postgres/feed-totals.ts'
import { exactNumber } from '../strict-json/json-number.ts'

const EVENTS_PATH = '/api/events'

/** @param publicUrl where clients reach the service, without a slash at the end; null if the operator did not say */
export interface EventViewOptions {
  readonly publicUrl: string | null
  readonly findTotals: FindTotals
}

export interface CloudEvent {
  readonly specversion: '1.0'
  readonly id: string
  readonly source: string
  readonly type: string
  readonly subject: string
  readonly time: string
  readonly datacontenttype: 'application/json'
  readonly dataschema?: string
  readonly data: object
}

export type ViewEvents = (items: readonly FeedItem[]) => Promise<readonly CloudEvent[]>

/**
 * The id of an event, the same whenever it is rendered. It has the time beside the position, since after a backup was
 * restored the same position may have another event.
 */
const idOf = ({ accountId, position, postedAt }: FeedItem): string =>
  `evt_${accountId}_${position}_${postedAt.getTime().toString(36)}`

/** Renders events of one account from what is stored. */
export const createViewEvents =
  ({ publicUrl, findTotals }: EventViewOptions): ViewEvents =>
  async (items) => {
    if (items.length === 0) return []
    const told = items.map((item) => ({ item, subject: readSubject(item.type, item.subject) }))
    const orders = told.flatMap(({ item, subject }) => {
      const key = orderOf(subject)
      return key ? [{ item, change: { ...key, postedAt: item.postedAt } }] : []
    })
    const totals = await findTotals(
      items[0]!.accountId,
      orders.map(({ change }) => change),
    )
    const totalsOf = new Map(orders.map(({ item }, at) => [item, totals[at] ?? null]))
    return told.map(({ item, subject }) =>
      envelope(publicUrl, {
        id: idOf(item),
        type: item.type,
        at: item.postedAt,
        schema: SCHEMAS[item.type],
        ...dataOf(subject, totalsOf.get(item) ?? null, publicUrl),
      }),
    )
  }

/** The event of a test, which is not in the feed. */
export const viewTest = (publicUrl: string | null, deliveryId: number, at: Date): CloudEvent =>
  envelope(publicUrl, {
    id: `evt_test_${deliveryId}_${at.getTime().toString(36)}`,
    type: 'webhook.test',
    at,
    schema: 'WebhookTestData',
    subject: 'webhook',
    data: { message: 'This is a test of the webhook; nothing happened' },
  })

/** The schema of `data` in the OpenAPI document. */
const SCHEMAS = {
  'order.created': 'OrderCreatedData',
  'order.corrected': 'OrderChangedData',
  'order.restated': 'OrderChangedData',
  'order.changed': 'OrderChangedData',
  'device.closed': 'DeviceClosedData',
  'statement.issued': 'StatementIssuedData',
  'statement.superseded': 'StatementSupersededData',
  'import.finished': 'ImportFinishedData',
  'release.available': 'ReleaseData',
  'release.applied': 'ReleaseData',
} as const satisfies Record<FeedItem['type'], string>

interface EventParts {
  readonly id: string
  readonly type: string
  readonly at: Date
  readonly schema: string
  readonly subject: string
  readonly data: object
}

/** `dataschema` has to be absolute, so it is there only where the service knows its own address. */
const envelope = (publicUrl: string | null, { id, type, at, schema, subject, data }: EventParts): CloudEvent => ({
  specversion: '1.0',
  id,
  source: `${publicUrl ?? ''}${EVENTS_PATH}`,
  type,
  subject,
  time: at.toISOString(),
  datacontenttype: 'application/json',
  ...(publicUrl !== null && { dataschema: `${publicUrl}/openapi.json#/components/schemas/${schema}` }),
  data,
})

function orderOf(subject: FeedSubject) {
  if (subject.type === 'order.created') return { customerId: subject.customerId, orderId: sentIdOf(subject.storedId) }
  return 'cause' in subject ? { customerId: subject.customerId, orderId: subject.orderId } : null
}

const kilograms = (emission: Milligrams): number => exactNumber(toKilograms(emission))
const path = (...parts: readonly (string | number)[]): string => parts.map(encodeURIComponent).join('/')

function dataOf(subject: FeedSubject, totals: OrderTotals | null, publicUrl: string | null) {
  const under = (place: string, data: object) => ({
    subject: place,
    data: { ...data, link: `${publicUrl ?? ''}/api/${place}` },
  })
  switch (subject.type) {
    case 'order.created':
    case 'order.corrected':
    case 'order.restated':
    case 'order.changed': {
      const { customerId, orderId } = orderOf(subject)!
      return under(path('customer-orders', customerId, orderId), {
        customer_id: customerId,
        order_id: orderId,
        ...('cause' in subject && { old_total_emission: totals && kilograms(totals.before) }),
        new_total_emission: totals && kilograms(totals.after),
        emission_unit: EMISSION_UNIT,
        ...('cause' in subject && { cause: causeView(subject.cause) }),
      })
    }
    case 'device.closed': {
      const { serialNumber, eventId, reason } = subject
      const data = { serial_number: serialNumber, reason, cause: { event_id: eventId } }
      return under(path('device-emissions', serialNumber), data)
    }
    case 'statement.issued':
      return under(path('periods'), { year: subject.year })
    case 'statement.superseded': {
      const { customerId, year, restatementId } = subject
      const data = { customer_id: customerId, year, cause: { restatement_id: restatementId } }
      return under(path('statements', customerId, year), data)
    }
    case 'import.finished':
      return under(path('imports', subject.importId), { import_id: subject.importId, state: subject.state })
    case 'release.available':
    case 'release.applied':
      return under(path('dataset-releases'), { dataset_release: subject.name || 'latest' })
  }
}

const causeView = ({ eventId, order, serialNumber }: FeedCause) => ({
  ...(eventId !== null && { event_id: sentIdOf(eventId) }),
  ...(order !== null && { customer_id: order.customerId, order_id: order.orderId }),
  ...(serialNumber !== null && { serial_number: serialNumber }),
})
