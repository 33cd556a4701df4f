// Restates many orders onto a release that moves a tenth of the models, while orders are posted:
// bench/results/restatements.md, [orders].
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { LatencyHistogram } from '../bench/latency-histogram.ts'
import { memoryMbOf } from '../bench/process-clock.ts'
import { SCOPES, createKey, ensureAccount } from '../src/postgres/accounts.ts'
import { installRelease } from '../src/postgres/dataset-releases.ts'
import { changedRelease } from '../test/changed-release.ts'
import type { Json } from '../test/document-check.ts'
import { writeSection } from '../test/model-based/history-report.ts'
import { closeConnections, exchange } from '../test/raw-http.ts'
import { fillNew, readCatalogue, withDatabase } from './filled-database.ts'
import { startProgram } from './storage-growth-measures.ts'
import { createUsualOrders } from './typical-orders.ts'

const orders = Number(process.argv[2] ?? '1000000')
/** Orders that are posted beside, a second. */
const POSTED_PER_SECOND = 50
const WARM_UP_MS = 5_000
const ALONE_MS = 20_000
const LOOK_MS = 500
const RELEASE = '2030.01'

const report = (sentence: string): void => void process.stderr.write(`${sentence}\n`)
const catalogue = readCatalogue()
const directory = mkdtempSync(join(tmpdir(), 'cradle-restate-many-'))
// PostgreSQL's own user must pass through.
chmodSync(directory, 0o711)

/** Quoted cells keep their commas. */
const CELL = /("([^"]|"")*"|[^,]*)(,|$)/g

/** The figures of every tenth model are a tenth lower. */
function releaseWithOtherModels() {
  const models = catalogue.files.get('devices/device-models.csv')!
  const [head, ...lines] = models.split('\n')
  const columns = head!.split(',')
  const figures = columns.flatMap((name, at) => (name.endsWith('_kg_co2e') ? [at] : []))
  const changed = lines.map((line, turn) => {
    const cells = line.match(CELL)!
    if (turn % 10 !== 0) return line
    for (const at of figures) cells[at] = cells[at]!.replace(/[\d.]+/, (figure) => (Number(figure) * 0.9).toFixed(3))
    return cells.join('')
  })
  return changedRelease(RELEASE, [], { 'devices/device-models.csv': [head, ...changed].join('\n') })
}

async function fill() {
  return withDatabase(join(directory, 'data'), report, async (pool) => {
    const { fillSeconds } = await fillNew(pool, catalogue, orders)
    report(`${orders} orders filled in ${fillSeconds.toFixed(0)} s`)
    const { referenceData, files } = releaseWithOtherModels()
    const { release, hash } = referenceData
    await installRelease(pool, { version: RELEASE, name: release, hash, isNewest: false }, files)
    const key = await createKey(pool, (await ensureAccount(pool, 'demo')).accountId, SCOPES, null)
    return { key, release }
  })
}

/** Posts orders at a fixed rate until told to stop; one that is sent late counts from when it was due. */
function postBeside(address: string, key: string, first: number) {
  const histogram = new LatencyHistogram()
  const usual = createUsualOrders(catalogue.referenceData)
  const failures: string[] = []
  const waiting = new Set<Promise<void>>()
  let [next, isOver] = [first, false]
  const startedAt = performance.now()
  const send = async (n: number, dueAt: number) => {
    const body = JSON.stringify(usual(n, n))
    const headers = { 'x-api-key': key, 'content-type': 'application/json' }
    const { status, text } = await exchange(address, '/api/customer-orders', { method: 'POST', headers, body })
    if (status !== 200) failures.push(`${status}: ${text.slice(0, 200)}`)
    else histogram.record(performance.now() - dueAt)
  }
  const run = async () => {
    while (!isOver) {
      const dueAt = startedAt + ((next - first) * 1000) / POSTED_PER_SECOND
      await sleep(Math.max(0, dueAt - performance.now()))
      const sent = send((next += 1), dueAt)
      waiting.add(sent)
      void sent.finally(() => waiting.delete(sent))
    }
    await Promise.all(waiting)
  }
  const ended = run()
  return {
    stop: async () => {
      isOver = true
      await ended
      if (failures.length > 0) throw new Error(`${failures.length} orders were refused, such as ${failures[0]!}`)
      return { ...histogram.latency(), next }
    },
  }
}

async function measure() {
  const { key, release } = await fill()
  const { server } = await startProgram(join(directory, 'data'), orders, key)
  const address = `http://127.0.0.1:${server.port}`
  try {
    const ask = async (method: string, path: string, body?: Json): Promise<Json> => {
      const headers = { 'x-api-key': key, 'content-type': 'application/json' }
      const sent = { method, headers, ...(body && { body: JSON.stringify(body) }) }
      const { status, text } = await exchange(address, path, sent)
      if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text}`)
      return JSON.parse(text) as Json
    }
    await ask('PUT', '/api/account', { amortisation: 'capped', dataset_release: release })
    let memory: number[] = []
    const ended = async (path: string): Promise<Json> => {
      for (;;) {
        const found = await ask('GET', path)
        memory.push(memoryMbOf(server.pid).now)
        if (!['previewing', 'applying'].includes(String(found['state']))) return found
        if (memory.length % 20 === 0)
          report(JSON.stringify(found['progress'] ?? found['orders_done'] ?? found['state']))
        await sleep(LOOK_MS)
      }
    }
    const postAlone = async (first: number, milliseconds: number) => {
      const posting = postBeside(address, key, first)
      await sleep(milliseconds)
      return posting.stop()
    }
    // The first order by a release waits for it.
    const warm = await postAlone(orders + 1, WARM_UP_MS)
    const quiet = await postAlone(warm.next + 1, ALONE_MS)
    const memoryBefore = memoryMbOf(server.pid).now
    const figures = { scope: {}, figures: { release }, reason: 'Newer figures of models' }
    let startedAt = performance.now()
    const { restatement_id: id } = await ask('POST', '/api/restatements', figures)
    const path = `/api/restatements/${String(id)}`
    const previewed = (await ended(path))['preview'] as Json
    const previewSeconds = (performance.now() - startedAt) / 1000
    const beside = postBeside(address, key, quiet.next + 1)
    startedAt = performance.now()
    memory = []
    await ask('POST', `${path}/apply`, { digest: previewed['digest'] as string })
    const { state } = await ended(path)
    const applySeconds = (performance.now() - startedAt) / 1000
    const busy = await beside.stop()
    if (state !== 'applied') throw new Error(`It ended as ${String(state)}`)
    return [
      orders,
      previewed['number_of_orders'] as number,
      previewSeconds.toFixed(0),
      applySeconds.toFixed(0),
      `${quiet.p99Ms.toFixed(1)} → ${busy.p99Ms.toFixed(1)}`,
      (busy.p99Ms / quiet.p99Ms).toFixed(2),
      [memoryBefore, ...mostOfQuarters(memory)].map((megabytes) => megabytes.toFixed(0)).join(' → '),
    ]
  } finally {
    closeConnections()
    await server.stop()
  }
}

/** Memory that grows with the work is highest in the last quarter. */
const mostOfQuarters = (values: readonly number[]): readonly number[] =>
  [0, 1, 2, 3].map((quarter) =>
    Math.max(...values.slice((values.length * quarter) / 4, (values.length * (quarter + 1)) / 4)),
  )

try {
  const row = await measure()
  const columns = ['orders', 'changed', 'preview s', 'apply s', 'p99 ms of posting', 'ratio', 'memory MB']
  process.stdout.write(writeSection('restatements', 'Onto a release that moves a tenth of the models', columns, [row]))
} finally {
  rmSync(directory, { recursive: true, force: true })
}
