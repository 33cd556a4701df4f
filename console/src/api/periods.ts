// Until when the books of the account are closed.
import { useQuery } from '@tanstack/react-query'
import { api, read } from './client.ts'

export const PERIODS_KEY = ['periods']

export const usePeriods = () =>
  useQuery({ queryKey: PERIODS_KEY, queryFn: () => read(api.GET('/api/periods')), staleTime: 60_000 })
