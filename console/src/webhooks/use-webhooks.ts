// Webhooks and their deliveries: listed, added, changed, tested, deleted, and asked for again while something is sent.
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api, read, readPage, type Schemas } from '../api/client.ts'

export type Webhook = Schemas['Webhook']
export type WebhookParams = Schemas['WebhookParams']
export type WebhookWithSecret = Schemas['WebhookWithSecret']
export type Delivery = Schemas['WebhookDelivery']
export type EventType = Webhook['types'][number]

/** In the sequence of the API. */
export const EVENT_TYPES = [
  'order.created',
  'order.corrected',
  'order.restated',
  'order.changed',
  'device.closed',
  'statement.issued',
  'statement.superseded',
  'import.finished',
  'release.available',
  'release.applied',
] as const satisfies readonly EventType[]

const WEBHOOKS_KEY = ['webhooks'] as const
const PAGE_ROWS = 25
const ASKED_AGAIN_MS = 2_000
/** An attempt that is due later than this is not waited for. */
const SOON_MS = 60_000

export const pathOfWebhook = (id: number): string => `/settings/webhooks/${id}`

export type WebhookState = 'active' | 'failing' | 'paused' | 'off'

export function stateOf({ enabled, paused_until: paused, failures_in_a_row: failures }: Webhook): WebhookState {
  if (!enabled) return 'off'
  if (paused !== null) return 'paused'
  return failures > 0 ? 'failing' : 'active'
}

export const useWebhooks = () =>
  useQuery({
    queryKey: WEBHOOKS_KEY,
    queryFn: ({ signal }) => read(api.GET('/api/webhooks', { signal })),
    // They change by what is sent, not only by what is done here.
    staleTime: 0,
  })

const pathOf = (id: string | number) => ({ path: { webhook_id: String(id) } })

interface WebhookAndDeliveries {
  readonly webhook: Webhook
  readonly deliveries: readonly Delivery[]
  /** Where the next page of deliveries begins; null on the last. */
  readonly next: string | null
}

const isSoon = ({ next_attempt_at: next }: Delivery): boolean =>
  next !== null && Date.parse(next) < Date.now() + SOON_MS

/** A webhook with a page of its deliveries, which are asked for again while an attempt is due. */
export function useWebhook(id: string, cursor: string | undefined) {
  const query = { limit: PAGE_ROWS, ...(cursor !== undefined && { cursor }) }
  return useQuery({
    queryKey: [...WEBHOOKS_KEY, id, cursor],
    queryFn: async ({ signal }): Promise<WebhookAndDeliveries> => {
      const [webhook, { data: deliveries, next }] = await Promise.all([
        read(api.GET('/api/webhooks/{webhook_id}', { params: pathOf(id), signal })),
        readPage(api.GET('/api/webhooks/{webhook_id}/deliveries', { params: { ...pathOf(id), query }, signal })),
      ])
      return { webhook, deliveries, next }
    },
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }) =>
      data && stateOf(data.webhook) !== 'off' && data.deliveries.some(isSoon) ? ASKED_AGAIN_MS : false,
    staleTime: 0,
  })
}

/** @returns what asks for all webhooks and deliveries that are shown again */
function useRefresh() {
  const client = useQueryClient()
  return () => client.invalidateQueries({ queryKey: WEBHOOKS_KEY })
}

export function useAdding() {
  const refresh = useRefresh()
  return useMutation({
    mutationFn: (body: WebhookParams) => read(api.POST('/api/webhooks', { body })),
    onSuccess: refresh,
  })
}

export function useChanging(id: number, onDone: () => void) {
  const refresh = useRefresh()
  return useMutation({
    mutationFn: (body: Partial<WebhookParams>) =>
      read(api.PATCH('/api/webhooks/{webhook_id}', { params: pathOf(id), body })),
    onSuccess: async () => {
      onDone()
      await refresh()
    },
  })
}

/** The new secret is in what it returns, and nowhere else. */
export function useReplacing(id: number) {
  const refresh = useRefresh()
  return useMutation({
    mutationFn: () => read(api.POST('/api/webhooks/{webhook_id}/rotation', { params: pathOf(id) })),
    onSuccess: refresh,
  })
}

/** Afterwards nothing of it is asked for again: it is not there. */
export function useDeleting(id: number, onDone: () => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => read(api.DELETE('/api/webhooks/{webhook_id}', { params: pathOf(id) })),
    onSuccess: async () => {
      onDone()
      await client.invalidateQueries({ queryKey: WEBHOOKS_KEY, exact: true })
    },
  })
}

export function useTesting(id: number, onDone: () => void) {
  const refresh = useRefresh()
  return useMutation({
    mutationFn: () => read(api.POST('/api/webhooks/{webhook_id}/test', { params: pathOf(id) })),
    onSuccess: async () => {
      onDone()
      await refresh()
    },
  })
}

export function useSendingAgain(id: number, onDone: (deliveryId: number) => void) {
  const refresh = useRefresh()
  return useMutation({
    mutationFn: (deliveryId: number) =>
      read(
        api.POST('/api/webhooks/{webhook_id}/deliveries/{delivery_id}/replay', {
          params: { path: { ...pathOf(id).path, delivery_id: String(deliveryId) } },
        }),
      ),
    onSuccess: async (_, deliveryId) => {
      onDone(deliveryId)
      await refresh()
    },
  })
}
