// The heading of a page, to which a change of the page leads.
import { useEffect, useRef, type ReactNode } from 'react'
import { useLocation } from 'wouter'

/** The path whose heading was shown last; null before the first, which the browser itself tells of. */
let shown: string | null = null

/** The heading of a page: after a change of the path it has the focus, which is how screen readers tell of it. */
export function PageHeading({ children }: { readonly children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null)
  const [path] = useLocation()
  useEffect(() => {
    if (shown !== null && shown !== path) heading.current?.focus()
    shown = path
  }, [path])
  return (
    <h1 ref={heading} tabIndex={-1}>
      {children}
    </h1>
  )
}
