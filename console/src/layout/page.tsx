// A page within the frame: its title, what it is about in a sentence, and its content.
import type { ReactNode } from 'react'
import { PageHeading } from './page-heading.tsx'
import { useTitle } from './title.ts'

export interface PageProps {
  readonly title: string
  readonly lead?: string
  /** Buttons that concern the whole page. */
  readonly actions?: ReactNode
  readonly children: ReactNode
}

export function Page({ title, lead, actions, children }: PageProps) {
  useTitle(title)
  return (
    <>
      <div className="page-top">
        <div>
          <PageHeading>{title}</PageHeading>
          {lead && <p className="lead">{lead}</p>}
        </div>
        {actions}
      </div>
      {children}
    </>
  )
}
