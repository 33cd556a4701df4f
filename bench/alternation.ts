// One turn: load on one server for one window, with the CPU time that each process spent inside it.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { LoadPlan, LoadResult, WindowEvent } from './load-plan.ts'
import { cpuMsOfFamily, cpuMsOfMachine, cpuMsOfServer } from './process-clock.ts'

export interface Turn {
  readonly load: LoadResult
  readonly perSecond: number
  readonly errors: number
  readonly cpu: CpuSplit
}

/** CPU time inside the window, in milliseconds. `others` is whatever else ran on the machine. */
export interface CpuSplit {
  readonly windowMs: number
  readonly server: number
  readonly postgres: number
  readonly generator: number
  readonly others: number
}

interface Clocks {
  readonly at: number
  readonly server: number
  readonly postgres: number
  readonly machine: number
}

export async function measureTurn(plan: LoadPlan, serverPid: number, postmasterPid: number): Promise<Turn> {
  const clocks: Clocks[] = []
  const load = await runGenerator(plan, () => clocks.push(readClocks(serverPid, postmasterPid)))
  const [opened, closed] = clocks
  if (opened === undefined || closed === undefined) throw new Error('the load generator announced no window')
  return {
    load,
    perSecond: (load.responses / load.elapsedMs) * 1000,
    errors: load.non2xx + load.socketErrors + load.sampleMisses,
    cpu: splitCpu(opened, closed, load.cpuMicros / 1000),
  }
}

async function runGenerator(plan: LoadPlan, onWindow: () => void): Promise<LoadResult> {
  const command = [join(import.meta.dirname, 'load.ts'), JSON.stringify(plan)]
  const child = spawn(process.execPath, command, { stdio: ['ignore', 'pipe', 'inherit'] })
  for await (const line of createInterface({ input: child.stdout })) {
    const message = JSON.parse(line) as LoadResult | WindowEvent
    if (!('window' in message)) return message
    onWindow()
  }
  throw new Error('the load generator ended without a result')
}

function readClocks(serverPid: number, postmasterPid: number): Clocks {
  return {
    at: performance.now(),
    server: cpuMsOfServer(serverPid),
    postgres: cpuMsOfFamily(postmasterPid),
    machine: cpuMsOfMachine(),
  }
}

function splitCpu(opened: Clocks, closed: Clocks, generator: number): CpuSplit {
  const server = closed.server - opened.server
  const postgres = closed.postgres - opened.postgres
  const others = Math.max(0, closed.machine - opened.machine - server - postgres - generator)
  return { windowMs: closed.at - opened.at, server, postgres, generator, others }
}
