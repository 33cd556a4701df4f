// All facts of an account that may lie within some days, chunk by chunk, whether they are folded or not.
import type { ReferenceData } from '../engine/figures/factor-book.ts'
import type { ChunkQuery } from '../postgres/reports/report-chunks.ts'
import type { ReadFacts, StoredFacts } from '../postgres/reports/report-store.ts'
import { decodeChunk, type FactChunk } from './chunk.ts'
import { createChunkBuilder } from './chunk-builder.ts'
import { createFactReader } from './read-facts.ts'

export interface FactSource {
  readonly readFacts: ReadFacts
  readonly bookOf: (releaseId: number) => Promise<ReferenceData>
}

/**
 * Hands over the chunks, of one moment, that may have facts within some days: what lies outside is in them too, and
 * always what was posted lately. Everything that is posted is in them once.
 * @param use may be called again from the start: what it adds up has to begin within it
 */
export const scanFacts = <Result>(
  { readFacts, bookOf }: FactSource,
  wanted: ChunkQuery,
  use: (chunks: AsyncGenerator<FactChunk>) => Promise<Result>,
): Promise<Result> => readFacts(wanted, (stored) => use(chunksOf(stored, bookOf)))

async function* chunksOf({ chunks, tail }: StoredFacts, bookOf: FactSource['bookOf']): AsyncGenerator<FactChunk> {
  for await (const content of chunks) yield decodeChunk(content)
  const read = createFactReader(bookOf)
  let builder = createChunkBuilder(null)
  for await (const postings of tail) {
    for (const fact of await read(postings)) {
      builder.add(fact)
      if (!builder.isFull()) continue
      yield decodeChunk(builder.encode())
      builder = createChunkBuilder(null)
    }
  }
  if (builder.count() > 0) yield decodeChunk(builder.encode())
}
