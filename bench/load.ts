// The load generator: its own process, a fixed number of connections, a closed or an open loop, loopback only.
//   node bench/load.ts '<LoadPlan as JSON>'
import { setTimeout as sleep } from 'node:timers/promises'
import { EvenArrivals } from './open-loop-arrivals.ts'
import { CLOSED_LOOP, LoadConnection } from './load-connection.ts'
import type { LoadPlan, LoadResult, WindowEvent } from './load-plan.ts'
import { LoadTally } from './load-tally.ts'

// Bounds of a run: a plan beyond them is a slip of the caller's.
const CONNECTIONS_MAX = 10_000
const WINDOW_MS_MAX = 600_000
// How long the last answers may take after the window; what is then still missing counts as an error.
const DRAIN_MS_MAX = 10_000

/** Warms up, counts what is answered inside the window, and waits for the last answers. */
async function runLoad(plan: LoadPlan, announce: (event: WindowEvent) => void): Promise<LoadResult> {
  checkPlan(plan)
  const tally = new LoadTally(plan.expect)
  const arrivals = plan.arrivals && new EvenArrivals(plan.arrivals, tally)
  const connections = Array.from(
    { length: plan.connections },
    () => new LoadConnection(plan, tally, arrivals ?? CLOSED_LOOP),
  )
  await Promise.all(connections.map((connection) => connection.connected))
  arrivals?.start()
  await sleep(plan.warmUpMs)
  tally.openWindow()
  announce({ window: 'open' })
  await sleep(plan.windowMs)
  tally.closeWindow(oldestOf(connections))
  announce({ window: 'closed' })
  arrivals?.stop()
  await drain(connections)
  return tally.result()
}

/** What never is answered is in no latency: how long it has been under way is told apart. */
function oldestOf(connections: readonly LoadConnection[]): number {
  const now = performance.now()
  return connections.reduce((oldest, connection) => Math.max(oldest, connection.waited(now)), 0)
}

async function drain(connections: readonly LoadConnection[]): Promise<void> {
  for (const connection of connections) connection.stop()
  const abandon = setTimeout(() => connections.forEach((connection) => connection.abandon()), DRAIN_MS_MAX)
  await Promise.all(connections.map((connection) => connection.closed))
  clearTimeout(abandon)
}

function checkPlan(plan: LoadPlan): void {
  const connectionsFit = plan.connections >= 1 && plan.connections <= CONNECTIONS_MAX
  const windowFits = plan.windowMs > 0 && plan.windowMs + plan.warmUpMs <= WINDOW_MS_MAX
  if (!connectionsFit || !windowFits) throw new Error(`a load plan out of bounds: ${JSON.stringify(plan)}`)
}

if (import.meta.main) {
  const print = (line: WindowEvent | LoadResult) => process.stdout.write(`${JSON.stringify(line)}\n`)
  print(await runLoad(JSON.parse(process.argv[2] ?? '{}') as LoadPlan, print))
}
