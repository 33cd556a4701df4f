// The demo fleet of the account: whether there is one, how far it is, and what can be done with it.
import { whyOf } from '../api/problem.ts'
import { useIsMutating, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useLocation } from 'wouter'
import { api, read, type Schemas } from '../api/client.ts'
import { useToast } from '../components/toast.tsx'
import { useFormat } from '../i18n/format.ts'
import { useMessages } from '../i18n/language.tsx'
import { useSigning } from '../session/session-requests.ts'
import de from './messages.de.json'
import en from './messages.en.json'

export type Fleet = Schemas['DemoFleet']

const FLEET_KEY = ['demo-fleet'] as const
const ACCOUNT_KEY = ['account'] as const
const REMOVAL_KEY = ['remove-demo-fleet'] as const
const ASKED_AGAIN_MS = 500

/** The account as its admins see it. */
export const useAccount = () =>
  useQuery({ queryKey: ACCOUNT_KEY, queryFn: ({ signal }) => read(api.GET('/api/account', { signal })) })

/** @param onSaved is told once the account is stored */
export function useAccountSaving(onSaved: () => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: Schemas['AccountParams']) => read(api.PUT('/api/account', { body })),
    onSuccess: (account) => {
      client.setQueryData(ACCOUNT_KEY, account)
      onSaved()
    },
  })
}

/** Asked again while it is being loaded, not while it is being removed; of an account that has none, null. */
export function useFleet() {
  const account = useAccount()
  const hasFleet = account.data?.has_demo_fleet
  const isRemoving = useIsMutating({ mutationKey: REMOVAL_KEY }) > 0
  return useQuery<Fleet | null>({
    queryKey: [...FLEET_KEY, hasFleet],
    enabled: !isRemoving && (hasFleet !== undefined || account.isError),
    queryFn: ({ signal }) => {
      if (account.error) throw account.error
      return hasFleet ? read(api.GET('/api/demo-fleet', { signal })) : null
    },
    refetchInterval: ({ state }) => (state.data && state.data.loaded_at === null ? ASKED_AGAIN_MS : false),
  })
}

/** Loads it, or goes on with it; gives the key to look at it with. */
export function useLoading() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => read(api.POST('/api/demo-fleet')),
    onSuccess: () => {
      client.setQueryData<Schemas['Account']>(ACCOUNT_KEY, (account) => account && { ...account, has_demo_fleet: true })
      return client.invalidateQueries({ queryKey: FLEET_KEY })
    },
  })
}

/** Signs the session into the demo fleet, from where goBack leads to the own account again. */
export function useLook() {
  const { signIn } = useSigning()
  const [, navigate] = useLocation()
  return useMutation({
    mutationFn: async (key: string | null) => signIn(key ?? (await read(api.POST('/api/demo-fleet'))).key),
    onSuccess: () => navigate('/'),
  })
}

/** Back to the own account, and its first page. */
export function useWayBack() {
  const t = useMessages({ en, de })
  const { goBack } = useSigning()
  const [, navigate] = useLocation()
  const { told } = useFormat()
  const toast = useToast()
  return useMutation({
    mutationFn: goBack,
    onSuccess: () => navigate('/'),
    onError: (problem) => toast(t('notBack'), told(whyOf(problem))),
  })
}

/** Removes it with the own account's key, and tells what was removed. */
export function useRemoval() {
  const t = useMessages({ en, de })
  const client = useQueryClient()
  const { told } = useFormat()
  const toast = useToast()
  return useMutation({
    mutationKey: REMOVAL_KEY,
    mutationFn: () => read(api.DELETE('/api/demo-fleet')),
    onSuccess: async ({ account, rows }) => {
      toast(t('removed'), t('removedRows', { account, count: rows }))
      await client.invalidateQueries({ queryKey: ACCOUNT_KEY })
      client.removeQueries({ queryKey: [...FLEET_KEY, true] })
    },
    onError: (problem) => toast(t('notRemoved'), told(whyOf(problem))),
  })
}
