// Language, and light or dark: chosen once, kept in this browser.
import { useState } from 'react'
import { LANGUAGES, useLanguage, useMessages, type Language } from '../i18n/language.tsx'
import de from './messages.de.json'
import en from './messages.en.json'

export function LanguageSwitch() {
  const t = useMessages({ en, de })
  const { language, choose } = useLanguage()
  return (
    <select
      className="switch"
      aria-label={t('language')}
      value={language}
      onChange={({ target }) => choose(target.value as Language)}
    >
      {Object.entries(LANGUAGES).map(([code, name]) => (
        <option key={code} value={code} lang={code}>
          {name}
        </option>
      ))}
    </select>
  )
}

const SCHEMES = ['system', 'light', 'dark'] as const
type Scheme = (typeof SCHEMES)[number]

/** Without a choice the scheme is that of the system; first-paint.js reads the choice before anything is painted. */
export function SchemeSwitch() {
  const t = useMessages({ en, de })
  const [scheme, setScheme] = useState<Scheme>((document.documentElement.dataset['scheme'] as Scheme) ?? 'system')
  const choose = (next: Scheme) => {
    setScheme(next)
    if (next === 'system') {
      delete document.documentElement.dataset['scheme']
      localStorage.removeItem('cradle.scheme')
    } else {
      document.documentElement.dataset['scheme'] = next
      localStorage.setItem('cradle.scheme', next)
    }
  }
  return (
    <select
      className="switch"
      aria-label={t('scheme')}
      value={scheme}
      onChange={({ target }) => choose(target.value as Scheme)}
    >
      {SCHEMES.map((one) => (
        <option key={one} value={one}>
          {t(one)}
        </option>
      ))}
    </select>
  )
}
