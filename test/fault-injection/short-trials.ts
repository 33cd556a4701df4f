// Trials of a few cycles each, as tests: the same each time. Other ones, and more, are what `npm run torture` is for.
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { kindsOf } from './kinds.ts'

const SEED = 11
/** The promised times are held by the long form, alone on its machine. */
const TIME_FACTOR = 10
export const SHORT_PLAN = { seed: SEED, writers: 4, timeFactor: TIME_FACTOR, report: () => undefined }

/** @param isMeant tells by its id which kinds of fault are tried */
export function tryShort(isMeant: (id: string) => boolean): void {
  const kinds = kindsOf('short').filter(({ id, shortCycles }) => shortCycles > 0 && isMeant(id))
  assert.ok(kinds.length > 0)
  for (const { id, title, shortCycles: cycles, obstacle, run } of kinds) {
    test(`${id}: ${title}: nothing acknowledged is lost, and every row is what its facts give`, async (t) => {
      const missing = obstacle?.() ?? null
      if (missing !== null) return t.skip(missing)
      const { failures, counts } = await run({ ...SHORT_PLAN, cycles })
      assert.deepEqual(failures, [])
      assert.ok(counts.acknowledged > 0)
    })
  }
}
