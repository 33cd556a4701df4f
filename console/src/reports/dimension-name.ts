// What is grouped by, by its name; a member of the orders' metadata is called as they call it.
import { useMessages } from '../i18n/language.tsx'
import { DIMENSIONS } from './report-query.ts'
import de from './messages.de.json'
import en from './messages.en.json'

export function useDimensionName(): (name: string) => string {
  const t = useMessages({ en, de })
  return (name) => {
    const known = DIMENSIONS.find((dimension) => dimension === name)
    return known ? t(known) : name.replace(/^metadata\./, '')
  }
}
