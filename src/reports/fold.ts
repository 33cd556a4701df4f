// Folds what was posted into chunks: the last one is gone on with until it is full.
import type { StoredChunk } from '../postgres/reports/report-chunks.ts'
import type { RollupRun } from '../postgres/reports/report-store.ts'
import { decodeChunk } from './chunk.ts'
import { createChunkBuilder, daysOf, type ChunkBuilder } from './chunk-builder.ts'
import type { FactReader } from './read-facts.ts'

/**
 * Every chunk that is new, or has more in it, is written, in sequence.
 * @param read which has not read anything yet
 */
export async function fold({ postings, last, write }: RollupRun, read: FactReader): Promise<void> {
  let chunkNo = last?.chunkNo ?? 0
  let builder = createChunkBuilder(last?.content ?? null)
  let isWritten = true
  for await (const page of postings) {
    for (const fact of await read(page)) {
      if (builder.isFull()) {
        if (!isWritten) await write(chunkOf(chunkNo, builder))
        builder = createChunkBuilder(null)
        chunkNo += 1
      }
      builder.add(fact)
      isWritten = false
    }
  }
  if (!isWritten) await write(chunkOf(chunkNo, builder))
}

function chunkOf(chunkNo: number, builder: ChunkBuilder): StoredChunk {
  const content = builder.encode()
  return { chunkNo, facts: builder.count(), days: daysOf(decodeChunk(content)), content }
}
