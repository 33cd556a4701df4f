// Opening, changing, closing and asking for the session that the cookie stands for.
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { problemOf } from '../api/problem.ts'
import { SESSION_KEY } from '../api/query-client.ts'

export type Scope = 'orders:write' | 'orders:read' | 'catalogue:read' | 'admin'

export interface Session {
  readonly account: string
  /** Beginning and end of the key that it was signed in with. */
  readonly key: string
  readonly scopes: readonly Scope[]
  readonly expires_at: string
  /** True where the account is a demo fleet. */
  readonly is_demo: boolean
  /** The account that one came from to look at a demo fleet, and to which goBack leads; null for any other. */
  readonly own_account: string | null
}

interface Answer {
  readonly version: string
  readonly dataset_release: string
  /** Where customers read product footprints by PACT; null if the service does not serve them. */
  readonly pact_url: string | null
  readonly session: Session | null
}

const PATH = '/console/session'
/** The tabs of a browser share the cookie. What one says through this, all others hear. */
const tabs = new BroadcastChannel('cradle.session')

export async function askSession(method: 'GET' | 'POST' | 'DELETE', body?: unknown, path = PATH): Promise<Answer> {
  const sent = body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
  const response = await fetch(path, { method, ...sent }).catch((error: unknown) => {
    throw problemOf(null, error)
  })
  const answered: unknown = await response.json().catch(() => null)
  if (!response.ok) throw problemOf(response, answered)
  return answered as Answer
}

/** Whatever was read in the session before is forgotten. */
function useBecome(): (answer: Answer) => void {
  const client = useQueryClient()
  return (answer) => {
    client.setQueryData(SESSION_KEY, answer)
    client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== SESSION_KEY[0] })
  }
}

/** Opens, changes and closes the session, in all tabs of the browser. */
export function useSigning() {
  const become = useBecome()
  const change = async (asked: Promise<Answer>) => {
    become(await asked)
    tabs.postMessage(null)
  }
  return {
    signIn: (key: string) => change(askSession('POST', { api_key: key })),
    goBack: () => change(askSession('POST', undefined, `${PATH}/back`)),
    signOut: () => change(askSession('DELETE')),
  }
}

/** No tab goes on showing one account, and writing to another, after the session was changed in another tab. */
export function useOtherTabs(): void {
  const become = useBecome()
  useEffect(() => {
    tabs.onmessage = () => void askSession('GET').then(become, () => location.reload())
    return () => void (tabs.onmessage = null)
  }, [])
}
