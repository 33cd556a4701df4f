// Restatements: asked for page by page or one by one, requested, and followed until they end.
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useLocation } from 'wouter'
import { api, read, readPage, type Schemas } from '../api/client.ts'
import { SESSION_KEY } from '../api/query-client.ts'

export type Restatement = Schemas['Restatement']
export type RestatementParams = Schemas['RestatementParams']
export type Preview = NonNullable<Restatement['preview']>
export type OrderChange = NonNullable<Preview['largest_changes']>[number]
export type Bridge = Preview['bridge']
export type State = Restatement['state']

/** In the order in which they are exchanged, which is part of the method. */
const CAUSES = [
  'identification',
  'device_figures',
  'electricity',
  'transport_and_packaging',
] as const satisfies readonly (keyof Bridge)[]
export type Cause = (typeof CAUSES)[number]

const LIST_KEY = ['restatements'] as const
const keyOf = (id: string) => ['restatement', id] as const
const PAGE_ROWS = 25
const ASKED_AGAIN_MS = 500

export const pathOfRestatement = (id: number): string => `/restatements/${id}`

export const isRunning = (state: State): boolean => state === 'previewing' || state === 'applying'

export const causesIn = (bridge: Bridge): readonly Cause[] => CAUSES.filter((cause) => bridge[cause] !== undefined)

export function useRestatements(cursor: string | undefined) {
  const query = { limit: PAGE_ROWS, ...(cursor !== undefined && { cursor }) }
  return useQuery({
    queryKey: [...LIST_KEY, cursor],
    queryFn: ({ signal }) => readPage(api.GET('/api/restatements', { params: { query }, signal })),
    placeholderData: keepPreviousData,
    // Somebody else may have requested one.
    staleTime: 0,
  })
}

/** Asked for again while it is previewed or applied. */
export function useRestatement(id: string) {
  const params = { path: { restatement_id: id } }
  const query = useQuery({
    queryKey: keyOf(id),
    queryFn: ({ signal }) => read(api.GET('/api/restatements/{restatement_id}', { params, signal })),
    refetchInterval: ({ state: { data } }) => (data && isRunning(data.state) ? ASKED_AGAIN_MS : false),
    staleTime: 0,
  })
  useInvalidation(query.data?.state)
  return query
}

const NOT_MOVED: readonly unknown[] = [SESSION_KEY[0], LIST_KEY[0], keyOf('')[0]]

/** What is posted changes all other figures: they are asked for again when they are shown. */
function useInvalidation(state: State | undefined): void {
  const client = useQueryClient()
  const hasPosted = state === 'applied' || state === 'failed'
  useEffect(() => {
    if (!hasPosted) return
    const predicate = ({ queryKey }: { readonly queryKey: readonly unknown[] }) => !NOT_MOVED.includes(queryKey[0])
    void client.invalidateQueries({ predicate, refetchType: 'none' })
  }, [hasPosted])
}

/** Requests a preview, and leads to its page. */
export function useNewRestatement() {
  const client = useQueryClient()
  const [, navigate] = useLocation()
  return useMutation({
    mutationFn: (body: RestatementParams) => read(api.POST('/api/restatements', { body })),
    onSuccess: async ({ restatement_id: id }) => {
      navigate(pathOfRestatement(id))
      await client.invalidateQueries({ queryKey: LIST_KEY })
    },
  })
}

export function useApplication(id: string, onDone: () => void) {
  const client = useQueryClient()
  const params = { path: { restatement_id: id } }
  return useMutation({
    mutationFn: (digest: string) =>
      read(api.POST('/api/restatements/{restatement_id}/apply', { params, body: { digest } })),
    onSuccess: (applying) => {
      client.setQueryData<Restatement>(keyOf(id), applying)
      onDone()
    },
    // Begins to ask for it again; after a conflict, its state is another one.
    onSettled: () => client.invalidateQueries({ queryKey: keyOf(id) }),
  })
}

export function useDiscarding(id: string, onDone: () => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () =>
      read(api.DELETE('/api/restatements/{restatement_id}', { params: { path: { restatement_id: id } } })),
    onSuccess: async () => {
      onDone()
      client.removeQueries({ queryKey: keyOf(id) })
      await client.invalidateQueries({ queryKey: LIST_KEY })
    },
  })
}

export type ChangesOf = 'orders' | 'years' | 'problems' | 'refused'

/** @param digest of the preview, as another one has other changes; of refused orders, with how many there are */
export function useChanges(id: string, of: ChangesOf, digest: string, cursor: string | undefined) {
  const params = { path: { restatement_id: id }, query: { of, limit: PAGE_ROWS, ...(cursor && { cursor }) } }
  return useQuery({
    queryKey: ['restatement-changes', id, of, digest, cursor],
    queryFn: ({ signal }) => readPage(api.GET('/api/restatements/{restatement_id}/changes', { params, signal })),
    placeholderData: keepPreviousData,
  })
}
