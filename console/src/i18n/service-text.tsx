// A text of the service, shown in the language that is chosen; where it has no German, in English, and marked so.
import type { ServiceMessage } from '../service-texts/messages.ts'
import { useLanguage } from './language.tsx'

/** A text of the console itself or a name, or a message of the service. */
export type ServiceText = string | ServiceMessage

export function Tell({ text }: { readonly text: ServiceText }) {
  const { language, translateMessage } = useLanguage()
  if (typeof text === 'string') return text
  return translateMessage(text) ?? (language === 'en' ? text.message : <span lang="en">{text.message}</span>)
}
