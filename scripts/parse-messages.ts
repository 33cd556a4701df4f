// Parses a file of ICU messages, as the console has them: while it is built, and in tests.
import { parse } from '@formatjs/icu-messageformat-parser'
import type { IcuMessage } from '../console/src/i18n/format-message.ts'

const OPTIONS = { ignoreTag: true, captureLocation: false } as const

export const parseMessage = (message: string): IcuMessage => (message.includes('{') ? parse(message, OPTIONS) : message)

/**
 * @param file messages by their keys, as JSON
 * @throws SyntaxError for a message that is not of ICU's form
 */
export function parseMessages(file: string): Readonly<Record<string, IcuMessage>> {
  const messages = Object.entries(JSON.parse(file) as Readonly<Record<string, string>>)
  return Object.fromEntries(messages.map(([key, message]) => [key, parseMessage(message)]))
}
