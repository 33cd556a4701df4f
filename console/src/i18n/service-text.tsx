// A text of the service, shown in the language that is chosen; where it has no German, in English, and marked so.
import type { ServiceMessage } from '../service-texts/messages.ts'
import { useLanguage } from './language.tsx'

/** A text that the service said, among texts of the console's own. */
export interface Said {
  readonly said: string
  /** Which templates it is made from; a sentence without it. */
  readonly kind?: string
}

export type ServiceText = string | Said

export const said = (text: string, kind?: string): Said => ({ said: text, ...(kind !== undefined && { kind }) })

export function Tell({ text }: { readonly text: ServiceText | ServiceMessage }) {
  const { language, translate, translateMessage } = useLanguage()
  if (typeof text === 'string') return text
  const [english, translated] =
    'said' in text ? [text.said, translate(text.said, text.kind)] : [text.message, translateMessage(text)]
  return translated ?? (language === 'en' ? english : <span lang="en">{english}</span>)
}
