// The catalogue: what estimates are made from, each figure with who published it.
import { Link, useRoute } from 'wouter'
import { Page } from '../frame/page.tsx'
import { useMessages } from '../language/language.tsx'
import de from './messages.de.json'
import en from './messages.en.json'
import { Models } from './models.tsx'
import { Packagings } from './packagings.tsx'
import { Transports } from './transports.tsx'

const PARTS = [
  { path: '/catalogue', name: 'models', Content: Models },
  { path: '/catalogue/transports', name: 'transports', Content: Transports },
  { path: '/catalogue/packagings', name: 'packagings', Content: Packagings },
] as const

export function Catalogue() {
  const say = useMessages({ en, de })
  const [, parameters] = useRoute('/catalogue/:part')
  const part = PARTS.find(({ name }) => name === parameters?.part) ?? PARTS[0]
  return (
    <Page title={say(part.name)} lead={say(`${part.name}Lead`)}>
      <nav aria-label={say('catalogue')}>
        <ul className="tabs">
          {PARTS.map(({ path, name }) => (
            <li key={path}>
              <Link href={path} aria-current={name === part.name ? 'page' : undefined}>
                {say(name)}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <part.Content />
    </Page>
  )
}
