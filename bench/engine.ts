// The engine alone: how many orders a second one core estimates, without HTTP, JSON or a database.
//   node bench/engine.ts [SECONDS]     prints the figure as JSON
import { prepareEstimate } from './engine-order.ts'

const WARM_UP_MS = 1000
// The clock is read once a batch, so that reading it does not weigh on what is measured.
const BATCH = 1000

export interface EngineFigure {
  readonly orders: number
  readonly elapsedMs: number
  readonly perSecond: number
}

function measureEngine(estimateOrder: () => void, windowMs: number): EngineFigure {
  repeat(estimateOrder, WARM_UP_MS)
  const { orders, elapsedMs } = repeat(estimateOrder, windowMs)
  return { orders, elapsedMs, perSecond: (orders / elapsedMs) * 1000 }
}

function repeat(estimateOrder: () => void, forMs: number): { readonly orders: number; readonly elapsedMs: number } {
  const startedAt = performance.now()
  let orders = 0
  let elapsedMs = 0
  while (elapsedMs < forMs) {
    for (let one = 0; one < BATCH; one += 1) estimateOrder()
    orders += BATCH
    elapsedMs = performance.now() - startedAt
  }
  return { orders, elapsedMs }
}

if (import.meta.main) {
  console.log(JSON.stringify(measureEngine(prepareEstimate(), Number(process.argv[2] ?? 5) * 1000)))
}
