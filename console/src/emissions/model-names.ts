// Models by their names: a report tells their ids.
import { useQuery } from '@tanstack/react-query'
import { api, read } from '../api/client.ts'
import { useSession } from '../session/session.tsx'

/** `type:laptop`, `weight-fit`, `weight-fit@11.5kg`: what stands in for an unknown model is in no catalogue. */
export const STAND_IN = /^(family|brand-fit|brand|type-fit|type|weight-fit)(?:[:@](.*))?$/

/** @returns brand and name by id; what the catalogue does not have (any more) is not in it */
export function useModelNames(ids: readonly string[]): ReadonlyMap<string, string> {
  const { may } = useSession()
  const wanted = ids.filter((id) => !STAND_IN.test(id))
  const { data } = useQuery({
    queryKey: ['model names', wanted],
    enabled: may('catalogue:read') && wanted.length > 0,
    staleTime: Infinity,
    queryFn: async ({ signal }) => new Map((await Promise.all(wanted.map((id) => nameOf(id, signal)))).flat()),
  })
  return data ?? new Map()
}

async function nameOf(id: string, signal: AbortSignal): Promise<readonly (readonly [string, string])[]> {
  const asked = read(api.GET('/api/device-model-emissions/{id}', { params: { path: { id }, query: {} }, signal }))
  return asked.then(
    ({ brand, name }) => [[id, `${brand} ${name}`] as const],
    () => [],
  )
}
