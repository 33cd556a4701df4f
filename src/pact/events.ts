// Events of the PACT interface, as CloudEvents: read those of clients, and print those that are sent to them.

const PREFIX = 'org.wbcsd.pact.ProductFootprint.'
const EVENT_TYPES = {
  requested: `${PREFIX}RequestCreatedEvent.3`,
  fulfilled: `${PREFIX}RequestFulfilledEvent.3`,
  rejected: `${PREFIX}RequestRejectedEvent.3`,
  published: `${PREFIX}PublishedEvent.3`,
} as const
export const EVENT_MEDIA_TYPE = 'application/cloudevents+json'

/** What a client sent: a request for footprints, or news that this service only acknowledges. */
export type ReceivedEvent =
  | { readonly isRequest: true; readonly id: string; readonly filter: Readonly<Record<string, unknown>> }
  | { readonly isRequest: false }

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i
export const isFootprintId = (id: unknown): boolean => typeof id === 'string' && UUID.test(id)

const ID_LENGTH_MAX = 200
const isText = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length <= ID_LENGTH_MAX

/** @returns a sentence that says what is wrong, for what is no event of PACT */
export function readEvent(body: unknown): ReceivedEvent | string {
  if (typeof body !== 'object' || body === null) return 'The body must be a CloudEvent as a JSON object'
  const { type, specversion, id, source, data } = body as Readonly<Record<string, unknown>>
  if (specversion !== '1.0') return 'specversion must be "1.0"'
  if (!isText(id)) return `id must be a text of 1 to ${ID_LENGTH_MAX} characters`
  if (!isText(source)) return `source must be a text of 1 to ${ID_LENGTH_MAX} characters`
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return 'data must be a JSON object'
  const members = data as Readonly<Record<string, unknown>>
  switch (type) {
    case EVENT_TYPES.requested:
      return { isRequest: true, id, filter: members }
    case EVENT_TYPES.published:
      return areIds(members['pfIds']) ? { isRequest: false } : 'data.pfIds must list the ids of footprints, as UUIDs'
    case EVENT_TYPES.fulfilled:
    case EVENT_TYPES.rejected:
      return { isRequest: false }
    default:
      return `type must be one of ${Object.values(EVENT_TYPES).join(', ')}`
  }
}

const areIds = (value: unknown): boolean => Array.isArray(value) && value.length > 0 && value.every(isFootprintId)

/** The parts of an event that every event has. */
export interface EventHead {
  readonly id: string
  /** Where clients reach this service. */
  readonly source: string
  readonly at: Date
}

const envelope = ({ id, source, at }: EventHead, type: string, data: object): string =>
  JSON.stringify({ type, specversion: '1.0', id, source, time: at.toISOString(), data })

export const publishedEvent = (head: EventHead, footprintIds: readonly string[]): string =>
  envelope(head, EVENT_TYPES.published, { pfIds: footprintIds })

/** @param footprints whole ones; without any, the request is rejected */
export const answerEvent = (head: EventHead, requestId: string, footprints: readonly object[]): string =>
  footprints.length > 0
    ? envelope(head, EVENT_TYPES.fulfilled, { requestEventId: requestId, pfs: footprints })
    : envelope(head, EVENT_TYPES.rejected, {
        requestEventId: requestId,
        error: { code: 'NotFound', message: 'There is no active footprint that the request describes' },
      })
