// A page for those whose key may see it; all others are told what their key lacks, in place of a refusal of the API.
import type { ComponentType } from 'react'
import { Redirect } from 'wouter'
import { Empty } from '../components/loading-and-error.tsx'
import { useMessages } from '../i18n/language.tsx'
import { PAGES, type PageEntry } from '../pages.ts'
import { useSession } from '../session/session.tsx'
import de from './messages.de.json'
import en from './messages.en.json'
import { Page } from './page.tsx'

/** Who comes to the first page, as after signing in, is led to the first that may be seen. */
export function Scoped({ path, name, scope, Page: Content }: PageEntry & { readonly Page: ComponentType }) {
  const t = useMessages({ en, de })
  const { may } = useSession()
  if (may(scope)) return <Content />
  const first = PAGES.find((page) => may(page.scope))
  if (path === '/' && first) return <Redirect to={first.path} replace />
  return (
    <Page title={t(name)}>
      <Empty title={t('mayNotSee')}>
        <p>{t('lacksScope', { scope })}</p>
      </Empty>
    </Page>
  )
}
