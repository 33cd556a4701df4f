// A row of a file as its reader hands it on, and what is found wrong with it.

export interface Row {
  /** As a spreadsheet counts; the header is 1. */
  readonly number: number
  /** The line of the file on which it begins; null in a workbook. */
  readonly line: number | null
  readonly cells: readonly string[]
  /** The line as it stands, of JSON lines. */
  readonly json: string | null
  readonly errors: readonly RowError[]
}

/** What is wrong with a row as such. */
export interface RowError {
  /** Which cell, from 0; null where the row cannot be read as cells at all. */
  readonly at: number | null
  readonly reason: string
  readonly suggestion: string | null
}

export const NO_ERRORS: readonly RowError[] = []

/** Sentences may quote a file, in which a name can be megabytes long. */
const SENTENCE_LENGTH_MAX = 500

/** A file that cannot be read on, with a sentence for whoever sent it. */
export class UnreadableFile extends Error {
  constructor(sentence: string) {
    super(sentence.length <= SENTENCE_LENGTH_MAX ? sentence : `${sentence.slice(0, SENTENCE_LENGTH_MAX)}…`)
  }
}
