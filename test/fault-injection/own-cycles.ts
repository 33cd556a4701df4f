// Cycles of trials on the program with the PostgreSQL of its own, under load.
import { setTimeout as sleep } from 'node:timers/promises'
import { randomFrom, type Random } from '../../scripts/random-orders.ts'
import { shippedReferenceData } from '../shipped-book.ts'
import { createOrderClient, type OrderClient } from './order-client.ts'
import type { OwnProgram } from './programs.ts'
import { startOwnProgram } from './own-program.ts'
import { longest, type Plan, type Trial } from './trial.ts'

/** Recomputing everything takes longer with each cycle. */
const VERIFY_EVERY = 10

export interface Bench {
  readonly program: OwnProgram
  readonly client: OrderClient
  readonly random: Random
  readonly writers: number
  readonly loadMsMax: number
  /** Of all figures of one name the largest is told. */
  readonly add: (name: string, figure: number) => void
}

/** Runs the cycles against one program, and compares after each what was answered with what is stored. */
export async function runOwnCycles(
  plan: Plan,
  cycle: (bench: Bench, at: number) => Promise<void>,
  workers = 1,
): Promise<Trial> {
  const program = await (plan.shared?.own(workers) ?? startOwnProgram({ workers }))
  const client = createOrderClient(program.target, shippedReferenceData().referenceData, plan.seed)
  const figures: Record<string, number[]> = {}
  const add = (name: string, figure: number) => void (figures[name] ??= []).push(figure)
  const { writers, loadMsMax } = plan
  const bench = { program, client, random: randomFrom(plan.seed), writers, loadMsMax, add }
  try {
    for (let at = 1; at <= plan.cycles; at += 1) {
      await cycle(bench, at)
      await program.withPool(async (pool) => {
        await client.checkRound(pool)
        if (at % VERIFY_EVERY === 0 || at === plan.cycles) await client.checkAll(pool)
      })
      plan.report(at)
    }
  } finally {
    if (!plan.shared) await program.close()
  }
  const measures = Object.fromEntries(Object.entries(figures).map(([name, each]) => [name, longest(each)]))
  return { cycles: plan.cycles, counts: client.counts(), failures: client.failures, measures }
}

/** Long enough for some hundred requests. */
export const aMoment = ({ random, loadMsMax }: Bench): Promise<void> => sleep(momentOf(random, loadMsMax))

const MOMENT_MS_MIN = 300

/** @returns milliseconds of load before a kill */
export const momentOf = (random: Random, loadMsMax: number): number =>
  MOMENT_MS_MIN + random() * (loadMsMax - MOMENT_MS_MIN)
