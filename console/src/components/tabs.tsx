// Parts of a page that have addresses of their own, one beside the other.
import { Link } from 'wouter'

export interface TabsProps {
  /** What the parts are of, for who hears them one by one. */
  readonly name: string
  readonly tabs: readonly { readonly path: string; readonly label: string; readonly isHere: boolean }[]
}

export const Tabs = ({ name, tabs }: TabsProps) => (
  <nav aria-label={name}>
    <ul className="tabs">
      {tabs.map(({ path, label, isHere }) => (
        <li key={path}>
          <Link href={path} aria-current={isHere ? 'page' : undefined}>
            {label}
          </Link>
        </li>
      ))}
    </ul>
  </nav>
)
