// Messages as they are stored with an import: the only place that reads those of earlier versions, without codes.
import type { Message } from '../engine/message.ts'
import type { FileOrderError } from './file-order.ts'
import { CELL_MESSAGES } from './messages.ts'

/** Without code and values if an earlier version stored it. */
type Stored<Coded extends { readonly code: string }> = Omit<Coded, 'code'> & Partial<Pick<Coded, 'code'>>
export type StoredError = Stored<FileOrderError>
type StoredMessage = Message | { readonly message: string; readonly code?: undefined }

/** What earlier versions stored as the suggestion for a row with wrong quotes. */
const QUOTES_ADVICE = 'Put the cell in double quotes, and write each double quote inside it twice'

/** The kind of an error: its code. Without one, its sentence without what differs between rows. */
export function kindOf({ code, reason, suggestion }: Pick<StoredError, 'code' | 'reason' | 'suggestion'>): string {
  if (code !== undefined) return code
  if (suggestion === QUOTES_ADVICE) return CELL_MESSAGES.quote_in_unquoted_cell().code
  return reason
    .replace(/"(?:[^"\\]|\\.)*"/g, '"…"')
    .replace(/; it is .*$/, '; it is …')
    .replace(/\b(rows?) \d+/gi, '$1 …')
}

/** Why an import failed: JSON, or the sentence itself; no sentence of an earlier version begins with a brace. */
export const readStoredMessage = (stored: string): StoredMessage =>
  stored.startsWith('{') ? (JSON.parse(stored) as Message) : { message: stored }
