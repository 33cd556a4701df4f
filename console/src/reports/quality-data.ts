// The quality board as the API answers it, with the question that it answers.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { api, read, type Schemas } from '../api/client.ts'

export const FILTERS = ['customer', 'from', 'to'] as const
const PATH = '/api/reports/quality'

/** @property call by which it can be asked for again */
export type QualityData = Schemas['QualityReport'] & { readonly call: string }

export function useQuality({ customer, from, to }: Readonly<Record<(typeof FILTERS)[number], string>>) {
  const query = {
    ...(customer !== '' && { customer_id: customer }),
    ...(from !== '' && { from }),
    ...(to !== '' && { to }),
  }
  const search = new URLSearchParams(query)
  return useQuery({
    queryKey: ['quality', query],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }): Promise<QualityData> => ({
      // It may be asked for as other files, of which the types tell nothing.
      ...((await read(api.GET(PATH, { params: { query }, signal }))) as Schemas['QualityReport']),
      call: search.size === 0 ? PATH : `${PATH}?${search.toString()}`,
    }),
  })
}
