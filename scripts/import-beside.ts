// Posting while a file is imported in the same process, beside posting alone: how long orders take at a fixed rate.
import { CRADLE_PROGRAM, startCradle } from '../bench/cradle-subject.ts'
import { measureHighest, offer, type Offered, type Stage } from '../bench/load-stages.ts'
import { openMeasuredDatabase } from '../bench/measured-database.ts'
import type { FactorBook } from '../src/engine/figures/factor-book.ts'
import { closeConnections } from '../test/exchange.ts'
import type { ImportClient } from '../test/import-client.ts'
import { clientOf } from './import-large.ts'
import { plantedFile } from './planted-file.ts'

export interface BesidePlan {
  readonly book: FactorBook
  /** Of each file, one for each turn: enough to last for as long as is measured. */
  readonly orders: number
  readonly seed: number
  readonly tell: (sentence: string) => void
}

export interface BesideTrial {
  readonly highest: number
  readonly alone: readonly Offered[]
  readonly beside: readonly Offered[]
  /** Orders of the files a second, turn by turn, while orders were posted. */
  readonly importedPerSecond: readonly number[]
}

const SHARE = 0.25
const TURNS = 7
const ENDED_MS_MAX = 120_000
const PACE = { warmUpMs: 2_000, windowMs: 6_000, soakMs: 0 }

/** By turns, so that a machine that is slower for a while is so for both. */
export async function postBeside(plan: BesidePlan): Promise<BesideTrial> {
  const cradle = await startCradle(CRADLE_PROGRAM)
  try {
    const database = await openMeasuredDatabase(cradle.dataDirectory)
    try {
      const stage: Stage = { cradle, database, pace: PACE, print: plan.tell, turns: 0 }
      const highest = await measureHighest(stage)
      const [alone, beside, importedPerSecond]: [Offered[], Offered[], number[]] = [[], [], []]
      for (let turn = 1; turn <= TURNS; turn += 1) {
        const offerNext = async (name: string) => {
          await database.checkpoint()
          return offer(stage, `${name}, turn ${turn}`, highest * SHARE)
        }
        alone.push(await offerNext('alone'))
        const imported = await whileImporting(plan, clientOf(cradle), turn, () => offerNext('beside an import'))
        beside.push(imported.result)
        importedPerSecond.push(imported.perSecond)
      }
      return { highest, alone, beside, importedPerSecond }
    } finally {
      await database.close()
    }
  } finally {
    closeConnections()
    await cradle.stop()
  }
}

/** Begins with a new file, and is over when that is done with. */
async function whileImporting<Result>(
  { book, orders, seed, tell }: BesidePlan,
  client: ImportClient,
  turn: number,
  act: () => Promise<Result>,
): Promise<{ readonly result: Result; readonly perSecond: number }> {
  const { file } = await plantedFile({ book, orders, seed: seed * TURNS + turn, layout: 'items', faultShare: 0 })
  const { import_id: importId } = JSON.parse((await client.send(file)).text) as { readonly import_id: number }
  const result = await act()
  const found = await client.find(importId)
  if (found['finished_at'] !== null) throw new Error('The import ended meanwhile: give it more orders by --orders')
  const perSecond = Number(found['orders_per_second'])
  tell(`${Math.round(perSecond)} orders/s of the file meanwhile`)
  await client.ended(importId, ENDED_MS_MAX)
  return { result, perSecond }
}
