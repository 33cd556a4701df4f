// What drawing statements takes, put together: a process that does it, one statement at a time.
import { join } from 'node:path'
import { WorkerExited, createJobWorker, type JobWorker } from './aside/start-aside.ts'
import { DRAW_HEAP_MB_MAX, DRAW_WAIT_MS_MAX } from './config.ts'
import type { DrawJob } from './draw-process.ts'
import { ApiError } from './http/requests/failure.ts'
import type { DrawPdf } from './http/statements/statements.ts'
import { createSemaphore } from './postgres/connection/turns.ts'

const PROGRAM = join(import.meta.dirname, 'draw-process.ts')

export interface AccountDrawing extends DrawJob {
  readonly accountId: number
}

export type Drawing = Pick<JobWorker<AccountDrawing, Uint8Array>, 'ask' | 'stop'>

/** @param report tells the operator when the process has ended */
export function openDrawing(report: (error: Error) => void): Drawing {
  const aside = createJobWorker<null, DrawJob, Uint8Array>({
    program: PROGRAM,
    what: 'PDFs',
    settings: null,
    heapMbMax: DRAW_HEAP_MB_MAX,
    report,
  })
  const takeTurn = createSemaphore('statements', { most: 1, ofOneMost: 1, waitMs: DRAW_WAIT_MS_MAX })
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

export function createDrawPdf({ ask }: Pick<Drawing, 'ask'>): DrawPdf {
  return async (accountId, digest, language, signal) => {
    try {
      for await (const pdf of ask({ accountId, digest, language }, signal)) return pdf
      throw new Error('A statement was drawn as nothing')
    } catch (error) {
      if (!(error instanceof WorkerExited)) throw error
      throw new ApiError('unavailable', 'What draws statements has ended; try again')
    }
  }
}
