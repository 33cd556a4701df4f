// The dataset releases of the service, and how two of them differ.
import { useQuery } from '@tanstack/react-query'
import { api, read, type Schemas } from './client.ts'

export type DatasetRelease = Schemas['DatasetReleases']['dataset_releases'][number]

export const useDatasetReleases = () =>
  useQuery({
    queryKey: ['dataset-releases'],
    queryFn: ({ signal }) => read(api.GET('/api/dataset-releases', { signal })),
  })
