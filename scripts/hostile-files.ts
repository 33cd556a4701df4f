// Sends files that are made to hurt to the program as npm starts it, while another account posts, and says in
// bench/results/hostile-files.md what happened to each: `npm run hostile-files -- [--only NAME] [FILE…]`.
import { readFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { basename } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { CRADLE_PROGRAM, startCradle, type CradleSubject } from '../bench/cradle-target.ts'
import { MEASURED_ON } from '../bench/measured-on.ts'
import { whole } from '../bench/report.ts'
import { SCOPES, createKey, ensureAccount } from '../src/postgres/accounts.ts'
import { createPool } from '../src/postgres/pool.ts'
import { readConnectionFile } from '../src/postgres/embedded/connection-file.ts'
import { writeSection } from '../test/model-based/history-report.ts'
import { HOSTILE_FILES } from '../test/hostile-files/all-files.ts'
import type { HostileFile } from '../test/hostile-files/hostile-file.ts'
import { startNeighbour, type Neighbour, type Noticed } from './hostile-bystander.ts'
import { sendFile, type Sending } from './hostile-send.ts'

const QUIET_MS = 10_000

const HEAD = [
  'file',
  'what is in it',
  'bytes',
  'before',
  'now',
  'MB above quiet',
  'MB of its reader',
  'longest /livez ÷ quiet',
  'slowest order ÷ quiet',
  'failures of others',
]

interface Input {
  readonly name: string
  readonly what: string
  readonly before: string | null
  readonly make: () => Promise<Sending>
}

interface Stage {
  readonly program: CradleSubject
  readonly neighbour: Neighbour
  /** Of the account that sends the files. */
  readonly key: string
  readonly quiet: Noticed
  readonly stop: () => Promise<void>
}

const { values, positionals } = parseArgs({ options: { only: { type: 'string' } }, allowPositionals: true })
const chosen = HOSTILE_FILES.filter(({ name }) => values.only === undefined || name === values.only)
const inputs = positionals.length > 0 ? positionals.map(inputOfPath) : chosen.map(inputOf)
if (inputs.length === 0) throw new Error('Usage: npm run hostile-files -- [--only NAME] [FILE…]')

function inputOf({ name, what, before, format, asked = {}, times, make }: HostileFile): Input {
  const sending = async () => ({ fileName: `hostile.${format}`, bytes: (await make(times.full)).bytes, asked })
  return { name, what, before, make: sending }
}

function inputOfPath(path: string): Input {
  const fileName = basename(path)
  const make = () => Promise.resolve({ fileName, bytes: readFileSync(path), asked: {} })
  return { name: fileName, what: '', before: null, make }
}

/** Writes what there is by then after each file: a run takes half an hour, and may be interrupted. */
async function tryAll(all: readonly Input[]): Promise<string> {
  const rows: (readonly string[])[] = []
  let section = ''
  let stage = await startStage()
  try {
    for (const [at, input] of all.entries()) {
      process.stderr.write(`${at + 1} of ${all.length}: ${input.name}\n`)
      rows.push(await tryOne(stage, input))
      section = values.only === undefined ? write(rows, stage) : rows.map((row) => row.join(' | ')).join('\n')
      if (isThere(stage.program.server.pid)) continue
      await stage.stop()
      stage = await startStage()
    }
  } finally {
    await stage.stop()
  }
  return section
}

const write = (rows: readonly (readonly string[])[], stage: Stage): string =>
  writeSection(
    'hostile-files',
    positionals.length > 0 ? 'Files that were given' : 'Files of every kind',
    HEAD,
    rows,
    remark(stage),
  )

async function startStage(): Promise<Stage> {
  const program = await startCradle(CRADLE_PROGRAM)
  const pool = createPool(readConnectionFile(program.dataDirectory)!, { connectionsMax: 1 }, () => {})
  const { accountId } = await ensureAccount(pool, 'sender')
  const key = await createKey(pool, accountId, SCOPES, null)
  await pool.end()
  const { pid, port } = program.server
  const neighbour = startNeighbour({ port, pid, key: program.apiKey, names: program.names })
  await sleep(QUIET_MS)
  neighbour.begin()
  await sleep(QUIET_MS)
  const stop = async () => {
    await neighbour.stop()
    await program.stop()
  }
  return { program, neighbour, key, quiet: neighbour.noticed(), stop }
}

async function tryOne({ program, neighbour, key, quiet }: Stage, { name, what, before, make }: Input) {
  // Made before anything is measured: it takes this process a while.
  const sending = await make()
  await sleep(200)
  neighbour.begin()
  const answer = await sendFile({ port: program.server.port, key }, sending)
  await sleep(200)
  const noticed = neighbour.noticed()
  const state = isThere(program.server.pid) ? answer : `**the process ended**; ${answer}`
  return [
    name,
    what,
    whole(sending.bytes.length),
    before ?? 'not known',
    state,
    whole(Math.max(0, noticed.memoryMb - quiet.memoryMb)),
    whole(noticed.readerMb),
    (noticed.liveMs / quiet.liveMs).toFixed(1),
    (noticed.orderMs / quiet.orderMs).toFixed(1),
    `${noticed.failures} of ${noticed.asked}`,
  ]
}

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

const remark = ({ quiet }: Stage): string =>
  `Quiet, over ${QUIET_MS / 1000} s: longest /livez ${quiet.liveMs.toFixed(1)} ms, ` +
  `slowest order ${quiet.orderMs.toFixed(1)} ms, ` +
  `${whole(quiet.memoryMb)} MB. ${MEASURED_ON}, load average ${loadavg()[0]!.toFixed(1)}, ` +
  `${new Date().toISOString().slice(0, 16)} UTC.`

process.stdout.write(`${await tryAll(inputs)}\n`)
