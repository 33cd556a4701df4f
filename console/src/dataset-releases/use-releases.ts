// The dataset releases of the service, and how two of them differ.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { api, read, readPage, type Schemas } from '../api/client.ts'

export type Release = Schemas['DatasetReleases']['dataset_releases'][number]
export type ReleaseChanges = Schemas['ReleaseChanges']

/** Of an account that follows the newest release. */
export const LATEST = 'latest'

const PAGE_ROWS = 10

export const useReleases = () =>
  useQuery({
    queryKey: ['dataset-releases'],
    queryFn: ({ signal }) => read(api.GET('/api/dataset-releases', { signal })),
  })

/** The id of the release with which new orders are made; undefined if the service has lost the pinned one. */
export const releaseInForce = (chosen: string, releases: readonly Release[]): Release | undefined =>
  releases.find(({ id, is_newest: isNewest }) => (chosen === LATEST ? isNewest : id === chosen))

export function useReleaseChanges(from: string, to: string, cursor: string | null) {
  const params = { path: { release_id: from }, query: { to, limit: PAGE_ROWS, ...(cursor !== null && { cursor }) } }
  return useQuery({
    queryKey: ['release-changes', from, to, cursor],
    queryFn: ({ signal }) => readPage(api.GET('/api/dataset-releases/{release_id}/changes', { params, signal })),
    placeholderData: keepPreviousData,
    // What differs between two releases never changes.
    staleTime: Infinity,
  })
}
