// An event that is previewed, and recorded once that is confirmed.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api, read, type Schemas } from '../api/client.ts'
import type { OrderKey } from '../orders/order-path.ts'

/** What an event is recorded of. */
export type Recorded = OrderKey | { readonly serial: string }

export type Preview = Schemas['EventPreview']

/** Only devices are identified. */
export type NewEvent =
  | Pick<Schemas['WithdrawnEvent'], 'event_id' | 'type' | 'withdraws'>
  | Pick<Schemas['IdentifiedEvent'], 'event_id' | 'type' | 'model_id' | 'device_type' | 'weight_kg'>

const ID_NUMBERS = 2
const PREVIEW = 'event-preview'

/**
 * The id of an event: sent again after a lost response, it is the same event. There is no `crypto.randomUUID` where the
 * page is served without TLS.
 */
export const newEventId = (prefix: string): string =>
  `${prefix}-${[...crypto.getRandomValues(new Uint32Array(ID_NUMBERS))].map((one) => one.toString(36)).join('')}`

async function send(recorded: Recorded, body: NewEvent, preview: boolean): Promise<unknown> {
  const query = { preview }
  if ('serial' in recorded) {
    const path = { serial: recorded.serial }
    return read(api.POST('/api/devices/{serial}/events', { params: { path, query }, body }))
  }
  if (body.type === 'identified') throw new TypeError('Orders are not identified')
  const path = { customer_id: recorded.customer_id, order_id: recorded.order_id }
  return read(api.POST('/api/customer-orders/{customer_id}/{order_id}/events', { params: { path, query }, body }))
}

/** @param event null as long as it is not known what is recorded */
export function useEventRecording(recorded: Recorded, event: NewEvent | null, onDone: () => void) {
  const client = useQueryClient()
  const preview = useQuery({
    queryKey: [PREVIEW, recorded, event],
    queryFn: async () => (await send(recorded, event!, true)) as Preview,
    enabled: event !== null,
    gcTime: 0,
    retry: false,
  })
  const recording = useMutation({
    mutationFn: (reason: string) => send(recorded, { ...event!, ...(reason !== '' && { reason }) }, false),
    onSuccess: async () => {
      onDone()
      // All figures may have changed. The preview is not asked for again: its event is recorded by now.
      await client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== PREVIEW })
    },
  })
  return { preview, recording }
}
