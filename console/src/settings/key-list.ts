// The keys of the account, as they are listed.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { api, readPage, type Schemas } from '../api/client.ts'

export type Key = Schemas['ApiKey']

const PAGE_ROWS = 25
export const KEYS_KEY = ['keys'] as const

/** A page of them; the one before stays until it is there. */
export function useKeys(isWorking: boolean, cursor: string | undefined) {
  const query = {
    limit: PAGE_ROWS,
    ...(isWorking && { active: true }),
    ...(cursor !== undefined && { cursor }),
  }
  return useQuery({
    queryKey: [...KEYS_KEY, query],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => readPage(api.GET('/api/keys', { params: { query }, signal })),
  })
}

export const hasExpired = ({ expires_at: expires }: Key): boolean =>
  expires !== null && Date.parse(expires) <= Date.now()
