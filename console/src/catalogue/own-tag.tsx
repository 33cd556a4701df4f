// Says of a figure that it is the account's own.
import { useMessages } from '../i18n/language.tsx'
import de from './messages.de.json'
import en from './messages.en.json'

export function OwnTag({ origin }: { readonly origin: 'account' | 'catalogue' }) {
  const t = useMessages({ en, de })
  return origin === 'account' ? <span className="tag">{t('ownFigure')}</span> : null
}
