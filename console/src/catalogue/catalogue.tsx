// The catalogue: what estimates are made from, each figure with who published it.
import { lazy, Suspense } from 'react'
import { useRoute } from 'wouter'
import { Loading } from '../components/loading-and-error.tsx'
import { Tabs } from '../components/tabs.tsx'
import { Page } from '../layout/page.tsx'
import { useMessages } from '../i18n/language.tsx'
import de from './messages.de.json'
import en from './messages.en.json'
import { Models } from './models.tsx'
import { Packagings } from './packagings.tsx'
import { Transports } from './transports.tsx'

const OwnFigures = lazy(async () => ({ default: (await import('../own-figures/own-figures.tsx')).OwnFigures }))

const PARTS = [
  { path: '/catalogue', name: 'models', Content: Models },
  { path: '/catalogue/transports', name: 'transports', Content: Transports },
  { path: '/catalogue/packagings', name: 'packagings', Content: Packagings },
  { path: '/catalogue/own', name: 'own', Content: OwnFigures },
] as const

export function Catalogue() {
  const t = useMessages({ en, de })
  const [, parameters] = useRoute('/catalogue/:part')
  const part = PARTS.find(({ name }) => name === parameters?.part) ?? PARTS[0]
  return (
    <Page title={t(part.name)} lead={t(`${part.name}Lead`)}>
      <Tabs
        name={t('catalogue')}
        tabs={PARTS.map(({ path, name }) => ({ path, label: t(name), isHere: name === part.name }))}
      />
      <Suspense fallback={<Loading />}>
        <part.Content />
      </Suspense>
    </Page>
  )
}
