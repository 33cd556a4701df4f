// What drawing statements takes, put together: a process that does it, one statement at a time.
import { join } from 'node:path'
import { AsideEnded, createAside } from './aside/start-aside.ts'
import { DRAW_HEAP_MB_MAX, DRAW_WAIT_MS_MAX } from './config.ts'
import type { DrawJob } from './draw-process.ts'
import { Failure } from './http/requests/failure.ts'
import type { DrawPdf } from './http/statements/statements.ts'
import { createTurns } from './postgres/connection/turns.ts'

const PROGRAM = join(import.meta.dirname, 'draw-process.ts')

/** @param report tells the operator when the process has ended */
export function serveDrawing(report: (error: Error) => void) {
  const aside = createAside<null, DrawJob, Uint8Array>({
    program: PROGRAM,
    what: 'PDFs',
    settings: null,
    heapMbMax: DRAW_HEAP_MB_MAX,
    report,
  })
  const takeTurn = createTurns('statements', { most: 1, ofOneMost: 1, waitMs: DRAW_WAIT_MS_MAX })

  const drawPdf: DrawPdf = async (accountId, digest, language, signal) => {
    const endTurn = await takeTurn(accountId)
    try {
      for await (const pdf of aside.ask({ digest, language }, signal)) return pdf
      throw new Error('A statement was drawn as nothing')
    } catch (error) {
      if (!(error instanceof AsideEnded)) throw error
      throw new Failure('unavailable', 'What draws statements has ended; try again')
    } finally {
      endTurn()
    }
  }

  return { drawPdf, stopDrawing: aside.stop }
}
