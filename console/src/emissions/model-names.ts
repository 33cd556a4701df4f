// Models by their names: a report tells their ids.
import { useQuery } from '@tanstack/react-query'
import { api, read } from '../api/client.ts'
import type { Report } from './report-query.ts'
import { useSession } from '../session/session.tsx'

/** What stands in for a model, like `type:laptop` or `weight-fit`, is in no catalogue. */
export const isStandIn = (id: string): boolean => /[:@]|^weight/.test(id)

/** @returns brand and name by id; what the catalogue does not have (any more) is not in it */
export function useModelNames(ids: readonly string[]): ReadonlyMap<string, string> {
  const { may } = useSession()
  const known = ids.filter((id) => !isStandIn(id))
  const { data } = useQuery({
    queryKey: ['model names', known],
    enabled: may('catalogue:read') && known.length > 0,
    staleTime: Infinity,
    queryFn: async ({ signal }) => new Map((await Promise.all(known.map((id) => nameOf(id, signal)))).flat()),
  })
  return data ?? new Map()
}

/** The names that a report by model has, by id. */
export const modelNamesIn = ({ groups }: Report, at: number): ReadonlyMap<string, string> =>
  new Map(groups.flatMap(({ labels, modelName }) => (modelName === null ? [] : [[labels[at]!, modelName] as const])))

async function nameOf(id: string, signal: AbortSignal): Promise<readonly (readonly [string, string])[]> {
  const asked = read(api.GET('/api/device-model-emissions/{id}', { params: { path: { id }, query: {} }, signal }))
  return asked.then(
    ({ brand, name }) => [[id, `${brand} ${name}`] as const],
    () => [],
  )
}
