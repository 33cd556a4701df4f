// Messages that the service sends with a code and values, in another language by their codes.
import { formatMessage, type IcuMessage } from '../i18n/format-message.ts'

type ServiceValue = string | number | ServiceMessage | readonly ServiceValue[]

export interface ServiceMessage {
  /** In English. */
  readonly message: string
  /** Absent from what earlier versions of the service stored. */
  readonly code?: string
  readonly params?: Readonly<Record<string, ServiceValue>>
}

/** ICU messages by code, which name the same values as the English sentences. */
export type MessagesByCode = Readonly<Record<string, IcuMessage>>

/** @returns null for a message without a text in that language, and for one that lacks a value which the text names */
export function translateMessage(
  { code = '', params = {} }: ServiceMessage,
  texts: MessagesByCode,
  language: string,
): string | null {
  const text = Object.hasOwn(texts, code) ? texts[code]! : null
  if (text === null) return null
  const written = (value: ServiceValue): string | number => {
    if (typeof value !== 'object') return value
    return 'message' in value
      ? (translateMessage(value, texts, language) ?? value.message)
      : value.map(written).join(', ')
  }
  const values = Object.entries(params).map(([name, value]) => [name, written(value)] as const)
  try {
    return formatMessage(text, Object.fromEntries(values), language)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return null
  }
}
