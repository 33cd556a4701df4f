// Opening, closing and asking for the session that the cookie stands for.
import { useQueryClient } from '@tanstack/react-query'
import { problemOf } from '../api/problem.ts'
import { SESSION_KEY } from '../api/query-client.ts'

export type Scope = 'orders:write' | 'orders:read' | 'catalogue:read' | 'admin'

export interface Session {
  readonly account: string
  /** Beginning and end of the key that it was signed in with. */
  readonly key: string
  readonly scopes: readonly Scope[]
  readonly expires_at: string
}

interface Answer {
  readonly version: string
  readonly session: Session | null
}

const PATH = '/console/session'

export async function askSession(method: 'GET' | 'POST' | 'DELETE', body?: unknown): Promise<Answer> {
  const sent = body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
  const response = await fetch(PATH, { method, ...sent }).catch((error: unknown) => {
    throw problemOf(null, error)
  })
  const answered: unknown = await response.json().catch(() => null)
  if (!response.ok) throw problemOf(response, answered)
  return answered as Answer
}

/** Opens and closes the session; both forget whatever was read before. */
export function useSigning() {
  const client = useQueryClient()
  const become = (answer: Answer) => {
    client.setQueryData(SESSION_KEY, answer)
    client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== SESSION_KEY[0] })
  }
  return {
    signIn: async (key: string) => become(await askSession('POST', { api_key: key })),
    signOut: async () => become(await askSession('DELETE')),
  }
}
