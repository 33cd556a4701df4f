// What surrounds every page: language, what was read, the session, notices, explanations, and the frame.
import { CSPProvider } from '@base-ui/react/csp-provider'
import { QueryClientProvider } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { Redirect, Route, Switch } from 'wouter'
import { createQueryClient } from './api/query-client.ts'
import { Loading } from './components/loading-and-error.tsx'
import { ToastProvider } from './components/toast.tsx'
import { WhyProvider } from './components/explanation-dialog.tsx'
import { Frame } from './layout/layout.tsx'
import { NotFound } from './layout/not-found.tsx'
import { PageGuard } from './layout/page-guard.tsx'
import { Scoped } from './layout/require-scope.tsx'
import { LanguageProvider } from './i18n/language.tsx'
import { PAGES } from './pages.ts'
import { SessionGate } from './session/session.tsx'

export function App() {
  const [client] = useState(createQueryClient)
  return (
    <CSPProvider disableStyleElements>
      <LanguageProvider>
        <QueryClientProvider client={client}>
          <ToastProvider>
            <SessionGate>
              <WhyProvider>
                <Frame>
                  <PageGuard>
                    <Suspense fallback={<Loading />}>
                      <Pages />
                    </Suspense>
                  </PageGuard>
                </Frame>
              </WhyProvider>
            </SessionGate>
          </ToastProvider>
        </QueryClientProvider>
      </LanguageProvider>
    </CSPProvider>
  )
}

/** A page has its path and all below it. */
const Pages = () => (
  <Switch>
    {PAGES.map((page) => (
      <Route key={page.path} path={page.path === '/' ? page.path : `${page.path}/*?`}>
        <Scoped {...page} />
      </Route>
    ))}
    {PAGES.every(({ path }) => path !== '/') && (
      <Route path="/">
        <Redirect to={PAGES[0]!.path} replace />
      </Route>
    )}
    <Route>
      <NotFound />
    </Route>
  </Switch>
)
