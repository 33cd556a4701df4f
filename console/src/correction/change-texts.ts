// What a member of an order is called, and how its values are written, where a correction changed it.
import { useTypeName } from '../emissions/label-names.ts'
import { useFormat } from '../i18n/format.ts'
import { useMessages } from '../i18n/language.tsx'
import { pointerParts, textsOf, type Kind } from './draft.ts'
import { useItemSummary } from './item-summary.ts'
import de from './messages.de.json'
import en from './messages.en.json'

type Word = keyof typeof en
const isWord = (text: string): text is Word => Object.hasOwn(en, text)

const NONE = '–'
const KINDS: readonly Kind[] = ['product', 'transportation', 'packaging']

export function useChangeTexts() {
  const t = useMessages({ en, de })
  const { full, day } = useFormat()
  const typeName = useTypeName()
  const summaryOf = useItemSummary()
  const isKind = (value: unknown): value is Kind => KINDS.some((one) => one === value)
  const written = (member: string, text: string): string => {
    if (member === 'order_date' || member === 'tenure_start_date') return day(text)
    if (member === 'device_type') return typeName(text)
    if (member === 'type' && isKind(text)) return t(text)
    return member === 'distance_basis' && isWord(text) ? t(text) : text
  }
  return {
    /** @param path JSON pointer into the order */
    nameOf: (path: string): string => {
      const [, name = '', at = '', ...rest] = pointerParts(path)
      const label = (member: string) => (isWord(member) ? t(member) : member)
      if (name !== 'items') return [label(name), at].filter((part) => part !== '').join(' · ')
      const member = rest.at(-1)
      const item = t('itemNo', { number: Number(at) + 1 })
      return member === undefined ? item : `${item} · ${label(member)}`
    },
    valueOf: (path: string, value: unknown): string => {
      if (value === undefined) return NONE
      if (typeof value === 'number') return full(value)
      if (typeof value === 'string') return written(pointerParts(path).at(-1)!, value)
      const item = value as Parameters<typeof textsOf>[0]
      if (isKind(item.type) && 'config' in item) return `${t(item.type)} ${summaryOf(textsOf(item))}`
      return Object.entries(value as object)
        .map((label) => label.join(': '))
        .join(', ')
    },
  }
}
