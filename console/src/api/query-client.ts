// What was read is kept for a while; a session that is over shows itself at the first refusal.
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { Problem } from './problem.ts'

const FRESH_MS = 30_000
const ATTEMPTS_MAX = 3
export const SESSION_KEY = ['session'] as const

/** Only what may succeed when it is asked again: no answer at all, or one that says so. */
const mayTryAgain = (count: number, error: Error): boolean =>
  count < ATTEMPTS_MAX - 1 && error instanceof Problem && (error.status === 0 || error.status === 503)

export function createQueryClient(): QueryClient {
  const onError = (error: Error) => {
    if (error instanceof Problem && error.status === 401) void client.invalidateQueries({ queryKey: SESSION_KEY })
  }
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: { queries: { staleTime: FRESH_MS, retry: mayTryAgain, refetchOnWindowFocus: false } },
  })
  return client
}
