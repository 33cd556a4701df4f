// The thread that draws one statement, and hands it over.
import { parentPort, workerData } from 'node:worker_threads'
import type { Digest } from './digest.ts'
import { drawStatement } from './draw.ts'
import type { Language } from './messages.ts'

export interface Work {
  readonly digest: Digest
  readonly language: Language
}

const { digest, language } = workerData as Work
const pdf = Uint8Array.from(Buffer.concat([...drawStatement(digest, language)]))
parentPort!.postMessage(pdf, [pdf.buffer])
