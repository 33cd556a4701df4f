// A correction that is previewed, and recorded once that is confirmed: as of the state of the order that was read.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api, read, readTagged } from '../api/client.ts'
import type { Preview } from '../event-preview/event-recording.ts'
import type { OrderKey } from '../orders/order-path.ts'
import { toContent, type Content, type Draft } from './draft.ts'

/** The content of an order as it is now, and the tag of that state. */
export interface ReadContent {
  readonly content: Content
  readonly tag: string
}

const CONTENT = 'order-content'
const PATH = '/api/customer-orders/{customer_id}/{order_id}'

/**
 * The receipt alone has the content as it was sent. The tag is read before it: should the order change in between, the
 * tag is that of the earlier state, and the service rejects the correction.
 */
export function useContent(orderKey: OrderKey) {
  const params = { path: { ...orderKey } }
  return useQuery({
    queryKey: [CONTENT, orderKey],
    queryFn: async ({ signal }): Promise<ReadContent> => {
      const { tag } = await readTagged(api.GET(PATH, { params, signal }))
      const { order } = await read(api.GET(`${PATH}/receipt`, { params, signal }))
      return { content: order.as_received as unknown as Content, tag }
    },
    gcTime: 0,
    staleTime: Infinity,
  })
}

/** @param onDone once it is recorded */
export function useCorrection(orderKey: OrderKey, { content, tag }: ReadContent, onDone: () => void) {
  const client = useQueryClient()
  const send = (draft: Draft, query: { readonly preview: boolean; readonly reason?: string }): Promise<unknown> => {
    const params = { path: { ...orderKey }, query, header: { 'If-Match': tag } }
    return read(api.PUT(PATH, { params, body: toContent(draft, content) }))
  }
  const preview = useMutation({
    mutationFn: async (draft: Draft) => (await send(draft, { preview: true })) as Preview,
  })
  const recording = useMutation({
    mutationFn: ({ draft, reason }: { readonly draft: Draft; readonly reason: string }) =>
      send(draft, { preview: false, ...(reason !== '' && { reason }) }),
    onSuccess: async () => {
      onDone()
      // All figures may have changed.
      await client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== CONTENT })
    },
  })
  return { preview, recording }
}
