// The OAuth clients of customers: listed, created, revoked.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api, read, type Schemas } from '../api/client.ts'

export type PactClient = Schemas['PactClient']
export type PactClientParams = Schemas['PactClientParams']

const CLIENTS_KEY = ['pact-clients'] as const

export const usePactClients = () =>
  useQuery({ queryKey: CLIENTS_KEY, queryFn: ({ signal }) => read(api.GET('/api/pact-clients', { signal })) })

/** The secret is in what it returns, and nowhere else. */
export function useCreating() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: PactClientParams) => read(api.POST('/api/pact-clients', { body })),
    onSuccess: () => client.invalidateQueries({ queryKey: CLIENTS_KEY }),
  })
}

export function useRevoking({ client_id: id }: PactClient, onDone: () => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => read(api.DELETE('/api/pact-clients/{client_id}', { params: { path: { client_id: id } } })),
    onSuccess: async () => {
      onDone()
      await client.invalidateQueries({ queryKey: CLIENTS_KEY })
    },
  })
}
