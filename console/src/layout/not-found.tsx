// An address that is no page's.
import { Link } from 'wouter'
import { useMessages } from '../i18n/language.tsx'
import de from './messages.de.json'
import en from './messages.en.json'
import { Page } from './page.tsx'

export function NotFound() {
  const say = useMessages({ en, de })
  return (
    <Page title={say('notFound')}>
      <p>
        <Link href="/">{say('toStart')}</Link>
      </p>
    </Page>
  )
}
