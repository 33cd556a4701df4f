// The worker that renders statements as PDFs; it keeps slowly loading code, and its memory, out of the service.
import { setImmediate as turn } from 'node:timers/promises'
import { runWorker } from './worker-entry.ts'
import type { StatementModel } from '../statement-pdf/model.ts'
import { renderStatementPdf } from '../statement-pdf/document.ts'
import type { Language } from '../statement-pdf/theme.ts'

export interface PdfTask {
  readonly digest: StatementModel
  readonly language: Language
}

/** Yields the complete PDF as one piece, so that a slow reader does not delay the next statement. */
async function* draw({ digest, language }: PdfTask, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const pages: Uint8Array[] = []
  for (const page of renderStatementPdf(digest, language)) {
    pages.push(page)
    // Lets an abort arrive.
    await turn()
    signal.throwIfAborted()
  }
  yield Buffer.concat(pages)
}

runWorker<null, PdfTask, Uint8Array>(() => draw)
