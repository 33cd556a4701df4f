// Columns of texts on their way to PostgreSQL: joined here, split there, since quoting each costs more than the rest.

/** Separators of rows, and of members within a row: ids, serial numbers and JSON text have no control characters. */
const BETWEEN_ROWS = '\u001e'
const BETWEEN_MEMBERS = '\u001f'

/**
 * Splits a joined column in SQL. An absent text has joined as an empty one, and stays empty; but a column that is one
 * empty text splits into no row at all, which `unnest` fills up with null.
 */
export const decodeTextColumnSql = (parameter: string): string => `string_to_array(${parameter}, chr(30))`

/** A text that has no place in a column: the fault of its own row, and of no other. */
export class UnencodableText extends Error {
  override name = 'UnencodableText'
}

/** @throws Unstorable for a text with a separator in it: it would shift every row behind it */
export function encodeTextColumn(texts: readonly (string | null)[]): string {
  for (const text of texts) {
    if (text?.includes(BETWEEN_ROWS)) throw new UnencodableText('A text with a control character cannot be stored')
  }
  return texts.join(BETWEEN_ROWS)
}

/** No member is an empty text. */
export const encodeList = (texts: readonly (string | bigint)[]): string => texts.join(BETWEEN_MEMBERS)
export const decodeList = (joined: string): readonly string[] => (joined === '' ? [] : joined.split(BETWEEN_MEMBERS))
