// The frame of every page: a way past it, the navigation, who is signed in, and where the page itself stands.
import { lazy, Suspense, useEffect, useState, type ReactNode } from 'react'
import { Link, useLocation } from 'wouter'
import { useMessages } from '../i18n/language.tsx'
import { PAGES } from '../pages.ts'
import { useSession } from '../session/session.tsx'
import { useSigning } from '../session/session-requests.ts'
import { Brand } from './brand.tsx'
import de from './messages.de.json'
import en from './messages.en.json'
import { LanguageSwitch, SchemeSwitch } from './preferences.tsx'
import './layout.css'

const DemoBanner = lazy(async () => ({ default: (await import('../demo/demo-banner.tsx')).DemoBanner }))

export function Frame({ children }: { readonly children: ReactNode }) {
  const t = useMessages({ en, de })
  const [isOpen, setOpen] = useState(false)
  const [path] = useLocation()
  const { is_demo: isDemo } = useSession()
  useEffect(() => setOpen(false), [path])
  return (
    <div className="frame">
      <a className="skip" href="#main">
        {t('skip')}
      </a>
      <header className="frame-side" data-open={isOpen}>
        <div className="frame-top">
          <Link href="/" className="brand-link">
            <Brand />
          </Link>
          <button
            className="button frame-menu"
            aria-expanded={isOpen}
            aria-controls="navigation"
            onClick={() => setOpen(!isOpen)}
          >
            {t('menu')}
          </button>
        </div>
        <div className="frame-rest" id="navigation">
          <Navigation path={path} />
          <Account />
        </div>
      </header>
      <main id="main" tabIndex={-1} className="frame-main">
        {isDemo && (
          <Suspense>
            <DemoBanner />
          </Suspense>
        )}
        {children}
      </main>
    </div>
  )
}

function Navigation({ path }: { readonly path: string }) {
  const t = useMessages({ en, de })
  const { may } = useSession()
  const isHere = (entry: string) => path === entry || (entry !== '/' && path.startsWith(`${entry}/`))
  return (
    <nav aria-label={t('navigation')}>
      <ul className="navigation">
        {PAGES.filter(({ scope }) => may(scope)).map((entry) => (
          <li key={entry.path}>
            <Link href={entry.path} aria-current={isHere(entry.path) ? 'page' : undefined}>
              {t(entry.name)}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}

function Account() {
  const t = useMessages({ en, de })
  const { account, key, version } = useSession()
  const { signOut } = useSigning()
  return (
    <div className="account">
      <p>
        <strong>{account}</strong>
        <br />
        <code>{key}</code>
      </p>
      <div className="account-switches">
        <LanguageSwitch />
        <SchemeSwitch />
      </div>
      <div className="account-switches">
        <button className="button" onClick={() => void signOut()}>
          {t('signOut')}
        </button>
        <a href="/docs">{t('reference')}</a>
      </div>
      <p className="muted">Cradle {version}</p>
    </div>
  )
}
