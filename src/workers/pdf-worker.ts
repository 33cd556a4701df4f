// The process beside the service that draws statements as PDFs: it keeps what takes long to load, and its own memory.
import { setImmediate as turn } from 'node:timers/promises'
import { runWorker } from './worker-entry.ts'
import type { StatementModel } from '../statement-pdf/model.ts'
import { renderStatementPdf } from '../statement-pdf/document.ts'
import type { Language } from '../statement-pdf/theme.ts'

export interface PdfTask {
  readonly digest: StatementModel
  readonly language: Language
}

/** All of it at once, however slowly it is read afterwards: nobody holds up the next. */
async function* draw({ digest, language }: PdfTask, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const pages: Uint8Array[] = []
  for (const page of renderStatementPdf(digest, language)) {
    pages.push(page)
    // To hear whether somebody waits for it still.
    await turn()
    signal.throwIfAborted()
  }
  yield Buffer.concat(pages)
}

runWorker<null, PdfTask, Uint8Array>(() => draw)
