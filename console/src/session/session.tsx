// Who is signed in: the session that the cookie stands for, and the page to sign in on where there is none.
import { useQuery } from '@tanstack/react-query'
import { createContext, useContext, type ReactNode } from 'react'
import { SESSION_KEY } from '../api/query-client.ts'
import { Loading, ProblemNotice } from '../components/loading-and-error.tsx'
import { SignIn } from './sign-in.tsx'
import { askSession, useOtherTabs, type Scope, type Session } from './session-requests.ts'

interface SignedIn extends Session {
  readonly version: string
  /** Of the datasets that the service estimates with. */
  readonly datasetRelease: string
  /** Where customers read product footprints by PACT; null if the service does not serve them. */
  readonly pactUrl: string | null
  readonly may: (scope: Scope) => boolean
}

const SessionContext = createContext<SignedIn | null>(null)

export function useSession(): SignedIn {
  const session = useContext(SessionContext)
  if (session === null) throw new Error('Only what stands within SessionGate has a session')
  return session
}

export function SessionGate({ children }: { readonly children: ReactNode }) {
  const { data, error, refetch } = useQuery({
    queryKey: SESSION_KEY,
    queryFn: () => askSession('GET'),
    staleTime: Infinity,
  })
  useOtherTabs()
  if (error) return <ProblemNotice problem={error} onRetry={() => void refetch()} />
  if (data === undefined) return <Loading />
  const { session, version, dataset_release: datasetRelease, pact_url: pactUrl } = data
  if (session === null) return <SignIn />
  const may = (scope: Scope) => session.scopes.includes(scope) || session.scopes.includes('admin')
  // With another session everything begins anew: nothing that is shown may be of the one before.
  return (
    <SessionContext
      key={`${session.account} ${session.key}`}
      value={{ ...session, version, datasetRelease, pactUrl, may }}
    >
      {children}
    </SessionContext>
  )
}
