// The transports and packagings that an order may name: asked for once, whichever page needs them.
import { useQuery } from '@tanstack/react-query'
import { api, read } from './client.ts'

export const useTransports = () =>
  useQuery({
    queryKey: ['transports'],
    queryFn: ({ signal }) => read(api.GET('/api/transportations', { signal })),
  })

export const usePackagings = () =>
  useQuery({
    queryKey: ['packagings'],
    queryFn: ({ signal }) => read(api.GET('/api/packagings', { signal })),
  })
