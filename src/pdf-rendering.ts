// PDF rendering of statements in a worker, one statement at a time.
import { join } from 'node:path'
import { WorkerExited, createJobWorker, type JobWorker } from './workers/job-worker.ts'
import { PDF_WORKER_HEAP_MB_MAX, PDF_QUEUE_WAIT_MS_MAX } from './config.ts'
import type { PdfTask } from './workers/pdf-worker.ts'
import { WORKER_MESSAGES } from './workers/messages.ts'
import { ApiError } from './contract/errors.ts'
import type { DrawPdf } from './http/routes/statements.ts'
import { createSemaphore } from './concurrency/semaphore.ts'

const PROGRAM = join(import.meta.dirname, 'workers', 'pdf-worker.ts')

export interface AccountPdfRendering extends PdfTask {
  readonly accountId: number
}

export type PdfRendering = Pick<JobWorker<AccountPdfRendering, Uint8Array>, 'ask' | 'stop'>

/** @param report reports the end of the worker to the operator */
export function openPdfRendering(report: (error: Error) => void): PdfRendering {
  const aside = createJobWorker<null, PdfTask, Uint8Array>({
    program: PROGRAM,
    what: 'PDFs',
    settings: null,
    heapMbMax: PDF_WORKER_HEAP_MB_MAX,
    report,
  })
  const takeTurn = createSemaphore('statements', { most: 1, ofOneMost: 1, waitMs: PDF_QUEUE_WAIT_MS_MAX })
  return {
    async *ask({ accountId, ...job }, signal) {
      const endTurn = await takeTurn(accountId)
      try {
        yield* aside.ask(job, signal)
      } finally {
        endTurn()
      }
    },
    stop: aside.stop,
  }
}

export function createRenderPdf({ ask }: Pick<PdfRendering, 'ask'>): DrawPdf {
  return async (accountId, digest, language, signal) => {
    try {
      for await (const pdf of ask({ accountId, digest, language }, signal)) return pdf
      throw new Error('A statement was drawn as nothing')
    } catch (error) {
      if (!(error instanceof WorkerExited)) throw error
      throw new ApiError('unavailable', WORKER_MESSAGES.pdf_worker_ended())
    }
  }
}
