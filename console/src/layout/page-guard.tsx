// A page that fails to load or to render says so in its place, while the frame around it stays.
import { Component, type ReactNode } from 'react'
import { useLocation } from 'wouter'
import { ProblemNotice } from '../components/loading-and-error.tsx'
import { useMessages } from '../i18n/language.tsx'
import de from './messages.de.json'
import en from './messages.en.json'
import { Page } from './page.tsx'

export function PageGuard({ children }: { readonly children: ReactNode }) {
  const [path] = useLocation()
  return <Boundary path={path}>{children}</Boundary>
}

interface BoundaryProps {
  readonly path: string
  readonly children: ReactNode
}

interface BoundaryState {
  readonly fault: Error | null
  readonly path: string
}

class Boundary extends Component<BoundaryProps, BoundaryState> {
  override readonly state: BoundaryState = { fault: null, path: this.props.path }

  static getDerivedStateFromError = (fault: Error): Partial<BoundaryState> => ({ fault })

  /** Another page has another chance. */
  static getDerivedStateFromProps = ({ path }: BoundaryProps, state: BoundaryState): BoundaryState | null =>
    path === state.path ? null : { fault: null, path }

  override render(): ReactNode {
    return this.state.fault ? <Fault problem={this.state.fault} /> : this.props.children
  }
}

/** What failed to load is tried again by nothing less than loading the page anew. */
function Fault({ problem }: { readonly problem: Error }) {
  const t = useMessages({ en, de })
  return (
    <Page title={t('fault')}>
      <ProblemNotice problem={problem} sentence={t('faultHelp')} onRetry={() => location.reload()} />
    </Page>
  )
}
