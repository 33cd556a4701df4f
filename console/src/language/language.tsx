// English and German: which one is shown, the messages of a file in it, and numbers and dates as it writes them.
import { createContext, useContext, useMemo, useState, type ReactNode } from 'react'
import { fillIn, type Values } from './fill-in.ts'

export const LANGUAGES = { en: 'English', de: 'Deutsch' } as const
export type Language = keyof typeof LANGUAGES

interface Choice {
  readonly language: Language
  readonly choose: (language: Language) => void
}

const LanguageContext = createContext<Choice>({ language: 'en', choose: () => undefined })

/** first-paint.js has found out the language before anything was shown. */
export function LanguageProvider({ children }: { readonly children: ReactNode }) {
  const [language, setLanguage] = useState<Language>(document.documentElement.lang === 'de' ? 'de' : 'en')
  const choice = useMemo(() => {
    const choose = (next: Language) => {
      localStorage.setItem('cradle.language', next)
      document.documentElement.lang = next
      setLanguage(next)
    }
    return { language, choose }
  }, [language])
  return <LanguageContext value={choice}>{children}</LanguageContext>
}

export const useLanguage = (): Choice => useContext(LanguageContext)

/** A page's messages: one file a language, with the same keys. */
export interface MessageFiles<Key extends string> {
  readonly en: Readonly<Record<Key, string>>
  readonly de: Readonly<Record<Key, string>>
}

export type Say<Key extends string> = (key: Key, values?: Values) => string

export function useMessages<Key extends string>(files: MessageFiles<Key>): Say<Key> {
  const { language } = useLanguage()
  return useMemo(
    () =>
      (key, values = {}) =>
        fillIn(files[language][key], values, language),
    [files, language],
  )
}
