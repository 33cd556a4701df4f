// "Why?": the panel that explains a figure, opened from wherever the figure stands.
import { createContext, lazy, Suspense, useCallback, useContext, useEffect, useState, type ReactNode } from 'react'
import { useLocation, useSearch } from 'wouter'
import { useMessages } from '../i18n/language.tsx'
import type { Why } from './explanation.ts'
import de from './messages.de.json'
import en from './messages.en.json'
import { Loading } from './loading-and-error.tsx'

const Panel = lazy(async () => ({ default: (await import('./panel.tsx')).Panel }))
const ExplanationView = lazy(async () => ({ default: (await import('./explanation-text.tsx')).ExplanationView }))

const WhyContext = createContext<(why: Why) => void>(() => undefined)

/** @returns what opens the panel */
export const useWhy = (): ((why: Why) => void) => useContext(WhyContext)

export function WhyProvider({ children }: { readonly children: ReactNode }) {
  const t = useMessages({ en, de })
  const [why, setWhy] = useState<Why | null>(null)
  const [isOpen, setOpen] = useState(false)
  const [[path], search] = [useLocation(), useSearch()]
  // Who follows a link in it is led to another page.
  useEffect(() => setOpen(false), [path, search])
  const open = useCallback((next: Why) => {
    setWhy(() => next)
    setOpen(true)
  }, [])
  return (
    <WhyContext value={open}>
      {children}
      {why && (
        <Suspense>
          <Panel title={t('why')} isOpen={isOpen} onClose={() => setOpen(false)}>
            <Suspense fallback={<Loading />}>
              <ExplanationView why={why} />
            </Suspense>
          </Panel>
        </Suspense>
      )}
    </WhyContext>
  )
}
