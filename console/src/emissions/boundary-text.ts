// By which days kilograms are counted, and whose they are, in sentences.
import { useMessages } from '../i18n/language.tsx'
import de from './messages.de.json'
import en from './messages.en.json'
import type { DATE_BASES, REPORTING_ENTITIES } from './inventory-boundary.ts'

type Basis = (typeof DATE_BASES)[number]
type Book = (typeof REPORTING_ENTITIES)[number]

export function useRuleSentences(): (basis: Basis, entity: Book) => readonly string[] {
  const t = useMessages({ en, de })
  return (basis, entity) => [t(`${basis}Rule`), t(`${entity}Rule`)]
}
