// A large file with planted errors, imported by the program as it is started by npm: how fast, in how much memory,
// and whether what it tells is what was planted.
import { setTimeout as sleep } from 'node:timers/promises'
import { CRADLE_PROGRAM, startCradle, type CradleSubject } from '../bench/cradle-target.ts'
import { importProcessesOf, memoryMbOf } from '../bench/process-clock.ts'
import type { ReferenceData } from '../src/engine/reference/reference-data.ts'
import { cradle as runCradle } from '../test/command.ts'
import type { Json } from '../test/document-check.ts'
import { closeConnections, exchange } from '../test/raw-http.ts'
import { createImportClient, type ImportClient } from '../test/import-client.ts'
import { placeOf, plantedFile, type Planted } from './generate-import-file.ts'

export interface LargePlan {
  readonly referenceData: ReferenceData
  readonly orders: number
  readonly seed: number
  readonly isUsual: boolean
  readonly report: (sentence: string) => void
}

/** One import, from the request to its end. */
export interface Imported {
  /** What it was answered with when it had ended. */
  readonly end: Json
  /** Until the file was taken in, and from then on. */
  readonly seconds: { readonly sending: number; readonly working: number }
  readonly orders: number
  readonly rows: number
  /** Of the process that serves, megabytes. */
  readonly memory: readonly number[]
  /** Of a worker process that reads and posts, at its highest. */
  readonly workerPeakMb: number
}

export interface LargeTrial {
  readonly orders: number
  readonly fileMb: number
  readonly memoryBeforeMb: number
  /** Of the process that serves from its start to the end of both imports, as the kernel counts. */
  readonly memoryPeakMb: number
  readonly first: Imported
  readonly again: Imported
  /** Of the rows that were refused, sent as they came back. */
  readonly rejectedRowsFile: Imported
  readonly planted: readonly Planted[]
  /** Errors that were planted and not told, and told and not planted. */
  readonly missing: readonly Planted[]
  readonly invented: readonly Json[]
  /** What `cradle verify --all` says last, and how it ends. */
  readonly verified: { readonly code: number | NodeJS.Signals; readonly sentence: string }
}

const FAULT_SHARE = 0.01
const LOOK_MS = 500
const TELL_EVERY = 20

export async function importLarge({ referenceData, orders, seed, isUsual, report }: LargePlan): Promise<LargeTrial> {
  const wanted = { referenceData, orders, seed, isUsual, layout: 'items', faultShare: FAULT_SHARE } as const
  const { file, planted } = await plantedFile(wanted)
  report(`${orders} orders written, ${megabytes(file.length)} MB, ${planted.length} errors`)
  const program = await startCradle(CRADLE_PROGRAM)
  try {
    const client = clientOf(program)
    const follow = (sent: Buffer | string, name: string) =>
      followImport(program, client, sent, (sentence) => report(`${name}: ${sentence}`))
    const memoryBeforeMb = memoryMbOf(program.server.pid).now
    const first = await follow(file, 'first')
    const told = await client.errors(first.end['import_id'])
    const again = await follow(file, 'again')
    const memoryPeakMb = memoryMbOf(program.server.pid).peak
    const rejectedRowsFile = await follow(await client.rejectedRowsFile(first.end['import_id']), 'its errors file')
    const verified = await verify(program)
    report(verified.sentence)
    const sizes = { orders, fileMb: megabytes(file.length), memoryBeforeMb, memoryPeakMb }
    return { ...sizes, first, again, rejectedRowsFile, planted, ...compare(planted, told), verified }
  } finally {
    closeConnections()
    await program.stop()
  }
}

export const clientOf = ({ server, apiKey: key }: CradleSubject): ImportClient =>
  createImportClient({ ask: (path, sent) => exchange(`http://127.0.0.1:${server.port}`, path, sent), key })

const megabytes = (bytes: number): number => Math.round(bytes / 1e6)

async function followImport(
  { server }: CradleSubject,
  client: ImportClient,
  file: Buffer | string,
  report: LargePlan['report'],
): Promise<Imported> {
  const sentAt = performance.now()
  const { status, text } = await client.send(file)
  if (status !== 202) throw new Error(`The file was answered ${status}: ${text.slice(0, 1000)}`)
  const takenAt = performance.now()
  let found = JSON.parse(text) as Json
  const memory: number[] = []
  let workerPeakMb = 0
  for (let look = 0; found['finished_at'] === null; look += 1) {
    await sleep(LOOK_MS)
    found = await client.find(found['import_id'])
    memory.push(memoryMbOf(server.pid).now)
    workerPeakMb = Math.max(workerPeakMb, ...importProcessesOf(server.pid).map((pid) => memoryMbOf(pid).peak))
    if (look % TELL_EVERY === 0) report(progressOf(found, memory.at(-1)!))
  }
  const working = (timeOf(found, 'finished_at') - timeOf(found, 'started_at')) / 1000
  return {
    end: found,
    seconds: { sending: (takenAt - sentAt) / 1000, working },
    orders: ordersOf(found),
    rows: Number(found['rows_read']),
    memory,
    workerPeakMb,
  }
}

const timeOf = (found: Json, name: string): number => Date.parse(String(found[name]))

/** Orders that were dealt with by now. */
const ordersOf = (found: Json): number =>
  ['orders_stored', 'orders_replayed', 'orders_rejected'].reduce((sum, name) => sum + Number(found[name]), 0)

const progressOf = (found: Json, memoryMb: number): string =>
  `${ordersOf(found)} orders, ${Math.round(100 * Number(found['progress']))} %, ` +
  `${String(found['orders_per_second'])} orders/s, ${Math.round(memoryMb)} MB`

function compare(planted: readonly Planted[], told: readonly Json[]) {
  const placeOfTold = ({ row, column }: Json) => placeOf({ row, column })
  const [toldPlaces, plantedPlaces] = [new Set(told.map(placeOfTold)), new Set(planted.map(placeOf))]
  return {
    missing: planted.filter((one) => !toldPlaces.has(placeOf(one))),
    invented: told.filter((one) => !plantedPlaces.has(placeOfTold(one))),
  }
}

/** The command, beside the program. */
async function verify({ dataDirectory }: CradleSubject): Promise<LargeTrial['verified']> {
  const { code, stdout, stderr } = await runCradle(['verify', '--all'], { CRADLE_DATA_DIR: dataDirectory })
  const lines = (code === 0 ? stdout : `${stdout}\n${stderr}`).trim().split('\n')
  return { code, sentence: code === 0 ? lines.slice(-3).join('; ') : lines.slice(0, 5).join('; ') }
}
