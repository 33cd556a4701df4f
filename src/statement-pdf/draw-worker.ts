// The thread that draws one statement and writes it to its standard output, as fast as that is read.
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { workerData } from 'node:worker_threads'
import type { Digest } from './digest.ts'
import { drawStatement } from './draw.ts'
import type { Language } from './messages.ts'

export interface Work {
  readonly digest: Digest
  readonly language: Language
}

const { digest, language } = workerData as Work
await pipeline(Readable.from(drawStatement(digest, language)), process.stdout)
