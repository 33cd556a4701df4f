// An address that is no page's.
import { Link } from 'wouter'
import { useMessages } from '../i18n/language.tsx'
import de from './messages.de.json'
import en from './messages.en.json'
import { Page } from './page.tsx'

export function NotFound() {
  const t = useMessages({ en, de })
  return (
    <Page title={t('notFound')}>
      <p>
        <Link href="/">{t('toStart')}</Link>
      </p>
    </Page>
  )
}
