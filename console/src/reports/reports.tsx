// Reports: built, downloaded, judged by how well things are known, and handed to customers as statements.
import { Link, useRoute } from 'wouter'
import { Page } from '../frame/page.tsx'
import { useMessages } from '../language/language.tsx'
import { Build } from './build.tsx'
import { Exports } from './exports.tsx'
import de from './messages.de.json'
import en from './messages.en.json'
import { Quality } from './quality.tsx'
import { Statements } from './statements.tsx'
import './reports.css'

const TABS = [
  { path: '/reports', name: 'build', Content: Build },
  { path: '/reports/quality', name: 'quality', Content: Quality },
  { path: '/reports/statements', name: 'statements', Content: Statements },
  { path: '/reports/exports', name: 'exports', Content: Exports },
] as const

export function Reports() {
  const say = useMessages({ en, de })
  const [, parameters] = useRoute('/reports/:tab')
  const tab = TABS.find(({ name }) => name === parameters?.tab) ?? TABS[0]
  return (
    <Page title={say(tab.name)} lead={say(`${tab.name}Lead`)}>
      <nav aria-label={say('reports')}>
        <ul className="tabs">
          {TABS.map(({ path, name }) => (
            <li key={path}>
              <Link href={path} aria-current={name === tab.name ? 'page' : undefined}>
                {say(name)}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <tab.Content />
    </Page>
  )
}
