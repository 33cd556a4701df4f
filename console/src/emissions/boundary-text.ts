// By which days kilograms are counted, and whose they are, in sentences.
import { useMessages } from '../i18n/language.tsx'
import de from './messages.de.json'
import en from './messages.en.json'
import type { BASES, BOOKS } from './inventory-boundary.ts'

type Basis = (typeof BASES)[number]
type Book = (typeof BOOKS)[number]

export function useRuleSentences(): (basis: Basis, book: Book) => readonly string[] {
  const say = useMessages({ en, de })
  return (basis, book) => [say(`${basis}Rule`), say(`${book}Rule`)]
}
