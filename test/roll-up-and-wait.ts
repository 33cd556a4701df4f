// A process that folds what an account posted, stands still before its mark moves, and waits for somebody to kill it.
import { createPool } from '../src/postgres/pool.ts'
import { createRollups } from '../src/postgres/reporting/store.ts'
import type { ConnectionSettings } from '../src/postgres/embedded/connection-file.ts'
import { rollUp } from '../src/reporting/rollup.ts'
import { createFactBuilder } from '../src/reporting/facts-of-entry.ts'
import { shippedReferenceData } from './shipped-book.ts'

const pool = createPool(JSON.parse(process.argv[2]!) as ConnectionSettings, {}, () => undefined)
const folds = createRollups(pool, 0, 0)
const safe = (await folds.safeTime())!
const [unfolded] = await folds.unfolded(safe)
const foldAndWait = () =>
  folds.foldOnce(unfolded!.accountId, safe, async (folding) => {
    await rollUp(
      folding,
      createFactBuilder(() => Promise.resolve(shippedReferenceData().referenceData)),
    )
    process.stdout.write('folded')
    // Its connection keeps it alive.
    await new Promise(() => undefined)
  })
// Whoever was killed before may hold the mark for a moment yet.
while (!(await foldAndWait()));
