// An answer that a process beside the service makes, and that is handed on as it comes.

export interface AskedPieces {
  readonly head: AnswerHead
  readonly pieces: AsyncGenerator<Uint8Array>
}

/** What is told of an answer before its first piece. */
export interface AnswerHead {
  /** Which stay in memory until the last piece is taken; 0 for none. */
  readonly groups: number
  readonly headers: Readonly<Record<string, string>>
}
