// English and German: which one is shown, the messages of a file in it, and numbers and dates as it writes them.
import { createContext, useContext, useEffect, useMemo, useState, type ReactNode } from 'react'
import { translateMessage, type MessagesByCode, type ServiceMessage } from '../service-texts/messages.ts'
import { formatMessage, type Values } from './format-message.ts'

export const LANGUAGES = { en: 'English', de: 'Deutsch' } as const
export type Language = keyof typeof LANGUAGES

interface Choice {
  readonly language: Language
  readonly choose: (language: Language) => void
  /** A message of the service in the language, by its code; null where it stays English. */
  readonly translateMessage: (one: ServiceMessage) => string | null
}

const NO_TEXTS: MessagesByCode = {}
const LanguageContext = createContext<Choice>({
  language: 'en',
  choose: () => undefined,
  translateMessage: () => null,
})

/** first-paint.js has found out the language before anything was shown. */
export function LanguageProvider({ children }: { readonly children: ReactNode }) {
  const [language, setLanguage] = useState<Language>(document.documentElement.lang === 'de' ? 'de' : 'en')
  const texts = useServiceTexts(language)
  const choice = useMemo(() => {
    const choose = (next: Language) => {
      localStorage.setItem('cradle.language', next)
      document.documentElement.lang = next
      setLanguage(next)
    }
    return { language, choose, translateMessage: (one: ServiceMessage) => translateMessage(one, texts, language) }
  }, [language, texts])
  return <LanguageContext value={choice}>{children}</LanguageContext>
}

/** Loaded once German is chosen: who reads English does without. */
function useServiceTexts(language: Language): MessagesByCode {
  const [german, setGerman] = useState(NO_TEXTS)
  useEffect(() => {
    const load = async () => {
      const { loadGerman } = await import('../service-texts/german.ts')
      setGerman(await loadGerman())
    }
    // Without it, what the service says stays English, and is marked so.
    if (language === 'de') void load().catch(() => undefined)
  }, [language])
  return language === 'de' ? german : NO_TEXTS
}

export const useLanguage = (): Choice => useContext(LanguageContext)

/** A page's messages: one file a language, with the same keys. */
export interface MessageFiles<Key extends string> {
  readonly en: Readonly<Record<Key, string>>
  readonly de: Readonly<Record<Key, string>>
}

export type MessageFormatter<Key extends string> = (key: Key, values?: Values) => string

export function useMessages<Key extends string>(files: MessageFiles<Key>): MessageFormatter<Key> {
  const { language } = useLanguage()
  return useMemo(
    () =>
      (key, values = {}) =>
        formatMessage(files[language][key], values, language),
    [files, language],
  )
}
