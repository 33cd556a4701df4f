// Withdrawing an event: what it is of, its preview, and recording it.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, read, type Schemas } from '../api/client.ts'
import type { OrderKey } from '../orders/order-path.ts'

/** What an event was recorded of. */
export type Recorded = OrderKey | { readonly serial: string }

export type Preview = Schemas['EventPreview']
type Withdrawal = Schemas['WithdrawnEvent']

const ID_NUMBERS = 2
const PREVIEW = 'withdrawal-preview'

/** There is no `crypto.randomUUID` where the page is served without TLS. */
const newEventId = (): string =>
  `withdrawal-${[...crypto.getRandomValues(new Uint32Array(ID_NUMBERS))].map((one) => one.toString(36)).join('')}`

async function send(recorded: Recorded, body: Withdrawal, preview: boolean): Promise<unknown> {
  const query = { preview }
  if ('serial' in recorded) {
    const path = { serial: recorded.serial }
    return read(api.POST('/api/devices/{serial}/events', { params: { path, query }, body }))
  }
  const path = { customer_id: recorded.customer_id, order_id: recorded.order_id }
  return read(api.POST('/api/customer-orders/{customer_id}/{order_id}/events', { params: { path, query }, body }))
}

/** @param withdraws the id of the event */
export function useWithdrawal(recorded: Recorded, withdraws: string, onDone: () => void) {
  // Sent again after a lost response, it is the same event.
  const [eventId] = useState(newEventId)
  const client = useQueryClient()
  const event = { event_id: eventId, type: 'withdrawn' as const, withdraws }
  const preview = useQuery({
    queryKey: [PREVIEW, recorded, withdraws, eventId],
    queryFn: async () => (await send(recorded, event, true)) as Preview,
    gcTime: 0,
    retry: false,
  })
  const withdrawing = useMutation({
    mutationFn: (reason: string) => send(recorded, { ...event, ...(reason !== '' && { reason }) }, false),
    onSuccess: async () => {
      onDone()
      // All figures may have changed. The preview is not asked for again: its event is recorded by now.
      await client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== PREVIEW })
    },
  })
  return { preview, withdrawing }
}
