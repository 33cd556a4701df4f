// Folds what was posted into chunks: the last one is gone on with until it is full.
import type { StoredChunk } from '../postgres/reporting/fact-chunks.ts'
import type { RollupRun } from '../postgres/reporting/store.ts'
import { createColumnChunkBuilder, dayRangeOf, decodeColumnChunk, type ColumnChunkBuilder } from './column-chunk.ts'
import type { FactBuilder } from './facts-of-entry.ts'

/**
 * Every chunk that is new, or has more in it, is written, in sequence.
 * @param read which has not read anything yet
 */
export async function rollUp({ postings, last, write }: RollupRun, read: FactBuilder): Promise<void> {
  let chunkNo = last?.chunkNo ?? 0
  let builder = createColumnChunkBuilder(last?.content ?? null)
  let isWritten = true
  for await (const page of postings) {
    for (const fact of await read(page)) {
      if (builder.isFull()) {
        if (!isWritten) await write(chunkOf(chunkNo, builder))
        builder = createColumnChunkBuilder(null)
        chunkNo += 1
      }
      builder.add(fact)
      isWritten = false
    }
  }
  if (!isWritten) await write(chunkOf(chunkNo, builder))
}

function chunkOf(chunkNo: number, builder: ColumnChunkBuilder): StoredChunk {
  const content = builder.encode()
  return { chunkNo, facts: builder.count(), days: dayRangeOf(decodeColumnChunk(content)), content }
}
