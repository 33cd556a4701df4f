// Posting while a worker process imports a file, beside posting alone: how long orders take at a fixed rate.
import { setTimeout as sleep } from 'node:timers/promises'
import { CRADLE_PROGRAM, startCradle } from '../bench/cradle-target.ts'
import { measureHighest, offer, type Offered, type Stage } from '../bench/load-stages.ts'
import { openMeasuredDatabase } from '../bench/measured-database.ts'
import type { ReferenceData } from '../src/engine/reference/reference-data.ts'
import { closeConnections } from '../test/raw-http.ts'
import type { ImportClient } from '../test/import-client.ts'
import { clientOf } from './import-large.ts'
import { plantedFile } from './generate-import-file.ts'

export interface BesidePlan {
  readonly referenceData: ReferenceData
  readonly seed: number
  readonly report: (sentence: string) => void
}

export interface BesideTrial {
  readonly highest: number
  readonly alone: readonly Offered[]
  readonly beside: readonly Offered[]
  /** Orders of the files a second, turn by turn, while orders were posted. */
  readonly importedPerSecond: readonly number[]
}

const SHARE = 0.25
const TURNS = 15
const ENDED_MS_MAX = 120_000
/** Of the file of each turn: more than are imported meanwhile. */
const ORDERS = 12_000
const PACE = { warmUpMs: 2_000, windowMs: 6_000, soakMs: 0 }

/** By turns, so that a machine that is slower for a while is so for both. */
export async function postBeside(plan: BesidePlan): Promise<BesideTrial> {
  const cradle = await startCradle(CRADLE_PROGRAM)
  try {
    const database = await openMeasuredDatabase(cradle.dataDirectory)
    try {
      const stage: Stage = { cradle, database, pace: PACE, print: plan.report, turns: 0 }
      const highest = await measureHighest(stage)
      const [alone, beside, importedPerSecond]: [Offered[], Offered[], number[]] = [[], [], []]
      for (let turn = 1; turn <= TURNS; turn += 1) {
        const file = await fileOf(plan, turn)
        await database.checkpoint()
        alone.push(await offer(stage, `alone, turn ${turn}`, highest * SHARE))
        await database.checkpoint()
        const offered = offer(stage, `beside an import, turn ${turn}`, highest * SHARE)
        importedPerSecond.push(await importBeside(clientOf(cradle), file, offered))
        plan.report(`${Math.round(importedPerSecond.at(-1)!)} orders/s of the file meanwhile`)
        beside.push(await offered)
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

/** Of each turn another. */
async function fileOf({ referenceData, seed }: BesidePlan, turn: number): Promise<Buffer> {
  const wanted = { referenceData, orders: ORDERS, seed: seed * TURNS + turn, layout: 'items', faultShare: 0 } as const
  return (await plantedFile(wanted)).file
}

/**
 * Sends a file when orders are being posted, which warms that up too, and waits until it is done with.
 * @returns orders of it that were dealt with in a second, until a second before posting ends
 */
async function importBeside(client: ImportClient, file: Buffer, posting: Promise<unknown>): Promise<number> {
  await sleep(PACE.warmUpMs / 2)
  const { import_id: importId } = JSON.parse((await client.send(file)).text) as { readonly import_id: number }
  await sleep(PACE.windowMs)
  const { finished_at: finishedAt, orders_per_second: perSecond } = await client.find(importId)
  if (finishedAt !== null) throw new Error(`The ${ORDERS} orders of a file were imported before posting ended`)
  await posting
  await client.ended(importId, ENDED_MS_MAX)
  return Number(perSecond)
}
