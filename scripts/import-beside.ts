// Posting while a file is imported in the same process, beside posting alone: how long orders take at a fixed rate.
import { CRADLE_PROGRAM, startCradle } from '../bench/cradle-subject.ts'
import { measureHighest, offer, type Offered, type Stage } from '../bench/load-stages.ts'
import { openMeasuredDatabase, type MeasuredDatabase } from '../bench/measured-database.ts'
import type { FactorBook } from '../src/engine/figures/factor-book.ts'
import { closeConnections } from '../test/exchange.ts'
import { clientOf, ordersOf } from './import-large.ts'
import { plantedFile } from './planted-file.ts'

export interface BesidePlan {
  readonly book: FactorBook
  /** Of the file: enough to last for as long as is measured. */
  readonly orders: number
  readonly seed: number
  readonly tell: (sentence: string) => void
}

export interface BesideTrial {
  readonly postgres: MeasuredDatabase
  readonly highest: number
  readonly alone: readonly Offered[]
  readonly beside: readonly Offered[]
  /** Orders of the file a second, while orders were posted. */
  readonly importedPerSecond: number
}

const SHARE = 0.25
const TURNS = 5
const PACE = { warmUpMs: 2_000, windowMs: 6_000, soakMs: 0 }

export async function postBeside({ book, orders, seed, tell }: BesidePlan): Promise<BesideTrial> {
  const { file } = await plantedFile({ book, orders, seed, layout: 'items', faultShare: 0 })
  const cradle = await startCradle(CRADLE_PROGRAM)
  try {
    const postgres = await openMeasuredDatabase(cradle.dataDirectory)
    try {
      const stage: Stage = { cradle, database: postgres, pace: PACE, print: tell, turns: 0 }
      const highest = await measureHighest(stage)
      const alone = await offerInTurns(stage, 'alone', highest * SHARE)
      const client = clientOf(cradle)
      const { import_id: importId } = JSON.parse((await client.send(file)).text) as { readonly import_id: number }
      const [before, startedAt] = [ordersOf(await client.find(importId)), performance.now()]
      const beside = await offerInTurns(stage, 'beside an import', highest * SHARE)
      const found = await client.find(importId)
      if (found['finished_at'] !== null) throw new Error('The import ended meanwhile: give it more orders by --orders')
      const importedPerSecond = (1000 * (ordersOf(found) - before)) / (performance.now() - startedAt)
      tell(`${Math.round(importedPerSecond)} orders/s of the file meanwhile`)
      return { postgres, highest, alone, beside, importedPerSecond }
    } finally {
      await postgres.close()
    }
  } finally {
    closeConnections()
    await cradle.stop()
  }
}

async function offerInTurns(stage: Stage, name: string, perSecond: number): Promise<readonly Offered[]> {
  const all: Offered[] = []
  for (let turn = 1; turn <= TURNS; turn += 1) all.push(await offer(stage, `${name}, turn ${turn}`, perSecond))
  return all
}
