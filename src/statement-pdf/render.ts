// A statement as a PDF, drawn on a thread of its own, so that requests are answered meanwhile.
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { inSlices } from '../http/in-slices.ts'
import type { Statement } from '../statement/statement.ts'
import { digestOf } from './digest.ts'
import type { Work } from './draw-worker.ts'
import type { Language } from './messages.ts'

/** What a thread may take, in megabytes: 50,000 devices fit (`npm run statement-pdf` prints how well). */
const HEAP_MAX_MB = 768

let lastTurn: Promise<void> = Promise.resolve()

/**
 * The PDF of a statement, in pieces; a further one waits until it is done, so that all of them take the memory of one.
 * Who stops reading ends it.
 * @throws where it cannot be drawn
 */
export async function* renderStatementPdf(statement: Statement, language: Language): AsyncGenerator<Uint8Array> {
  const { promise, resolve: endTurn } = Promise.withResolvers<void>()
  const before = lastTurn
  lastTurn = promise
  try {
    await before
    yield* draw({ digest: await inSlices(digestOf(statement)), language })
  } finally {
    endTurn()
  }
}

async function* draw(workerData: Work): AsyncGenerator<Uint8Array> {
  const worker = new Worker(new URL('draw-worker.ts', import.meta.url), {
    workerData,
    stdout: true,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MAX_MB },
  })
  // Settled by the end of the thread, good or bad; its output alone would end either way.
  const ended = once(worker, 'exit') as Promise<[number]>
  ended.catch(() => {})
  try {
    for await (const chunk of worker.stdout) yield chunk as Uint8Array
    await ended
  } finally {
    await worker.terminate()
  }
}
