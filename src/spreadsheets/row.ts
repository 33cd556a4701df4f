// A row as passed on by a file reader, and the errors found in it.
import type { Message } from '../engine/message.ts'

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
  readonly reason: Message
  /** Values that may be correct. */
  readonly suggestions: readonly string[]
}

export const NO_ERRORS: readonly RowError[] = []

/** The rest of a file cannot be read. The reason is addressed to the sender of the file. */
export class UnreadableFile extends Error {
  readonly reason: Message
  constructor(reason: Message) {
    super(reason.message)
    this.reason = reason
  }
}
