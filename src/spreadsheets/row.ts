// A row as passed on by a file reader, and the errors found in it.

export interface Row {
  /** As in a spreadsheet, where the header is row 1. */
  readonly number: number
  /** The line of the file on which the row begins; null in a workbook. */
  readonly line: number | null
  readonly cells: readonly string[]
  /** The line as written, for JSON lines. */
  readonly json: string | null
  readonly errors: readonly RowError[]
}

/** An error in the form of a row. */
export interface RowError {
  /** The index of the cell, from 0; null if the row cannot be read as cells at all. */
  readonly at: number | null
  readonly reason: string
  readonly suggestion: string | null
}

export const NO_ERRORS: readonly RowError[] = []

/** Messages may quote a file, in which names can be megabytes long. */
const SENTENCE_LENGTH_MAX = 500

/** The rest of a file cannot be read. The message is addressed to the sender of the file. */
export class UnreadableFile extends Error {
  constructor(sentence: string) {
    super(sentence.length <= SENTENCE_LENGTH_MAX ? sentence : `${sentence.slice(0, SENTENCE_LENGTH_MAX)}…`)
  }
}
