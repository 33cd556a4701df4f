// All facts of an account that may lie within some days, chunk by chunk, whether already rolled up or not.
import type { ReferenceData } from '../engine/reference/reference-data.ts'
import type { ChunkQuery } from '../postgres/reporting/fact-chunks.ts'
import type { ReadFacts, StoredFacts } from '../postgres/reporting/store.ts'
import { createColumnChunkBuilder, decodeColumnChunk, type ColumnChunk } from './column-chunk.ts'
import { createFactBuilder } from './facts-of-entry.ts'

export interface ChunkSource {
  readonly readFacts: ReadFacts
  readonly referenceDataOf: (releaseId: number) => Promise<ReferenceData>
}

/**
 * Passes on a consistent snapshot of the chunks that may contain facts within some days. The chunks also contain facts
 * outside these days, and always all recent postings. Every posting occurs exactly once.
 * @param use may be called again from the start, so it must create its accumulators itself
 */
export const scanFacts = <Result>(
  { readFacts, referenceDataOf }: ChunkSource,
  wanted: ChunkQuery,
  use: (chunks: AsyncGenerator<ColumnChunk>) => Promise<Result>,
): Promise<Result> => readFacts(wanted, (stored) => use(chunksOf(stored, referenceDataOf)))

async function* chunksOf(
  { chunks, tail }: StoredFacts,
  referenceDataOf: ChunkSource['referenceDataOf'],
): AsyncGenerator<ColumnChunk> {
  for await (const content of chunks) yield decodeColumnChunk(content)
  const read = createFactBuilder(referenceDataOf)
  let builder = createColumnChunkBuilder(null)
  for await (const postings of tail) {
    for (const fact of await read(postings)) {
      builder.add(fact)
      if (!builder.isFull()) continue
      yield decodeColumnChunk(builder.encode())
      builder = createColumnChunkBuilder(null)
    }
  }
  if (builder.count() > 0) yield decodeColumnChunk(builder.encode())
}
