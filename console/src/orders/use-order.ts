// An order with how its lines came about, read when a figure of it is asked about.
import { api, read } from '../api/client.ts'
import type { OrderKey } from './order-path.ts'

/** @param knownAt what became known later is left out */
export const readOrder = ({ customer_id, order_id }: OrderKey, knownAt?: string) =>
  read(
    api.GET('/api/customer-orders/{customer_id}/{order_id}', {
      params: {
        path: { customer_id, order_id },
        query: { include: ['calculation'], ...(knownAt !== undefined && { known_at: knownAt }) },
      },
    }),
  )
