// The key that statements are signed with, as whoever checks them has to know it.
import { useQuery } from '@tanstack/react-query'
import { api, read } from './client.ts'

export const useStatementKey = () =>
  useQuery({
    queryKey: ['statement key'],
    queryFn: ({ signal }) => read(api.GET('/api/statement-key', { signal })),
  })
