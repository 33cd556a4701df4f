// Files that a service is receiving, as its database knows them.
import type { Pool } from 'pg'
import { until } from './command.ts'

interface Received {
  readonly imports: number
  readonly pieces: number
}

export function watchReceived(pool: Pool) {
  const count = async (): Promise<Received> => {
    const { rows } = await pool.query<Received>(
      `select (select count(*)::integer from imports where state = 'uploading') as imports,
        (select count(*)::integer from import_chunks) as pieces`,
    )
    return rows[0]!
  }
  const when = (isReached: (received: Received) => boolean, what: string) =>
    until(
      async () => isReached(await count()),
      () => `it does not come to this: ${what}`,
    )
  return {
    whenReceiving: (files: number) => when(({ imports }) => imports === files, `${files} files are received`),
    whenStored: (count: number) => when(({ pieces }) => pieces === count, `${count} pieces are stored`),
    nothingIsLeft: () => when(({ imports, pieces }) => imports + pieces === 0, 'nothing is left of files'),
  }
}
