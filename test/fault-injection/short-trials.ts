// Trials of a few cycles each, as tests: the same each time. Other ones, and more, are what `npm run torture` is for.
import { after, test } from 'node:test'
import assert from 'node:assert/strict'
import { randomFrom } from '../../scripts/random-orders.ts'
import { kindsOf } from './kinds.ts'
import { startOwnProgram } from './own-program.ts'
import type { OwnProgram, RemoteProgram } from './programs.ts'
import { startRemoteProgram } from './remote-program.ts'
import type { Plan, SharedPrograms } from './trial.ts'

const SEED = 11
/** The promised times are held by the long form, alone on its machine. */
const TIME_FACTOR = 10
const LOAD_MS_MAX = 450

/** The trials of a file use one program after the other: to make a database and to start costs more than a trial. */
const shared: SharedPrograms = {
  own: async (workers) => {
    const program = await (own[workers] ??= startOwnProgram({ workers }))
    if (program.hasEnded()) await program.start()
    return program
  },
  remote: () => (remote ??= startRemoteProgram(randomFrom(SEED))),
}
const own: Record<number, Promise<OwnProgram>> = {}
let remote: Promise<RemoteProgram> | undefined
after(async () => {
  for (const program of [...Object.values(own), remote]) await (await program)?.close()
})

let trials = 0

/** No two trials send orders of the same names. */
export const shortPlan = (cycles: number): Plan => ({
  seed: SEED + (trials += 1),
  cycles,
  writers: 4,
  timeFactor: TIME_FACTOR,
  loadMsMax: LOAD_MS_MAX,
  report: () => undefined,
  shared,
})

/** @param isMeant tells by its id which kinds of fault are tried */
export function tryShort(isMeant: (id: string) => boolean): void {
  const kinds = kindsOf('short').filter(({ id, shortCycles }) => shortCycles > 0 && isMeant(id))
  assert.ok(kinds.length > 0)
  for (const { id, title, shortCycles: cycles, obstacle, run } of kinds) {
    test(`${id}: ${title}: nothing acknowledged is lost, and every row is what its facts give`, async (t) => {
      const missing = obstacle?.() ?? null
      if (missing !== null) return t.skip(missing)
      const { failures, counts } = await run(shortPlan(cycles))
      assert.deepEqual(failures, [])
      assert.ok(counts.acknowledged > 0)
    })
  }
}
