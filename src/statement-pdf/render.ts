// A statement as a PDF, drawn on a thread of its own, so that requests are answered meanwhile.
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { Digest } from './digest.ts'
import type { Work } from './draw-worker.ts'
import type { Language } from './messages.ts'

/** What a thread may take, in megabytes; docs/statement-pdf.md has what it does take. */
const HEAP_MAX_MB = 512
/** Beside the one that is drawn: the last of them waits for some ten seconds each, if all are large. */
const WAITING_MAX = 4

/** Nothing was done; it may be tried again. */
export class TooManyPdfs extends Error {
  override name = 'TooManyPdfs'

  constructor() {
    super(`${WAITING_MAX} statements wait to be drawn already; try again`)
  }
}

let waiting = 0
let last: Promise<unknown> = Promise.resolve()

/**
 * The PDF of a statement. One is drawn at a time, and as fast as it goes, however slowly it is read afterwards: so all
 * of them take the memory of one, and nobody holds up the next.
 * @throws TooManyPdfs
 */
export async function renderStatementPdf(digest: Digest, language: Language): Promise<Uint8Array> {
  if (waiting > WAITING_MAX) throw new TooManyPdfs()
  waiting++
  const drawn = last.then(() => draw({ digest, language }))
  last = drawn.catch(() => {})
  try {
    return await drawn
  } finally {
    waiting--
  }
}

async function draw(workerData: Work): Promise<Uint8Array> {
  const worker = new Worker(new URL('draw-worker.ts', import.meta.url), {
    workerData,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MAX_MB },
  })
  try {
    // Rejects with whatever ends the thread before.
    const [pdf] = (await once(worker, 'message')) as [Uint8Array]
    return pdf
  } finally {
    await worker.terminate()
  }
}
