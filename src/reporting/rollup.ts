// Rolls posted entries up into chunks. The last chunk is continued until it is full.
import type { StoredChunk } from '../postgres/reporting/fact-chunks.ts'
import type { RollupRun } from '../postgres/reporting/store.ts'
import { createColumnChunkBuilder, dayRangeOf, decodeColumnChunk, type ColumnChunkBuilder } from './column-chunk.ts'
import type { FactBuilder } from './facts-of-entry.ts'

/**
 * Writes every new or extended chunk, in order.
 * @param read a builder that has not processed any postings yet
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
