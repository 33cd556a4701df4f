// D9: a backup taken under load, all data wiped, and the backup restored; damaged ones are tried before it.
import { createReadStream, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { createGunzip } from 'node:zlib'
import type { Pool } from 'pg'
import { EXAMPLE_ORDER } from '../../src/http/schemas/examples.ts'
import { decodeFrames, type Manifest, type TableSum } from '../../src/postgres/backup/format.ts'
import { listTables, usePortableSettings, checksumOf } from '../../src/postgres/backup/backup.ts'
import { startServer } from '../../src/postgres/embedded/server.ts'
import { createPool, connectDirectly } from '../../src/postgres/pool.ts'
import { exchange } from '../raw-http.ts'
import { aMoment, runOwnCycles, type Bench } from './own-cycles.ts'
import type { OwnProgram } from './programs.ts'
import { freshTortureDirectory } from './own-program.ts'
import type { Plan, Trial } from './trial.ts'

/** Of what stands before this in gzip's header, some may be another and all that was packed is still there. */
const GZIP_HEADER_BYTES = 10
const MAPPED_TO = { model_id: 'apple-macbook-air-13-m3-256gb' }

/** @param plan what each cycle restores, the next one goes on with */
export async function restoreBackups(plan: Plan): Promise<Trial> {
  const directory = freshTortureDirectory()
  try {
    return await runOwnCycles(plan, (bench, at) => restoreBackup(bench, at, directory))
  } finally {
    rmSync(directory, { recursive: true })
  }
}

async function restoreBackup(bench: Bench, at: number, directory: string): Promise<void> {
  const { program, client, writers, add } = bench
  const file = join(directory, `${at}.backup`)
  const productId = `torture-${at}`
  await ask(program, 'PUT', `/api/products/${productId}`, MAPPED_TO)
  const estimated = await estimate(program, productId)
  const load = client.load(writers)
  await aMoment(bench)
  const before = client.acknowledged()
  client.window()
  add('slowest backup, ms', await run(program, ['backup', file]))
  const { statuses } = client.window()
  if ((statuses[200] ?? 0) === 0) client.fail('Nothing was accepted while the backup was taken')
  if ((statuses[0] ?? 0) + (statuses[503] ?? 0) > 0) client.fail('Requests failed while the backup was taken')
  await program.end('SIGTERM')
  await load.stop()
  program.wipe()
  await refuseDamaged(bench, at, file)
  add('slowest restore, ms', await run(program, ['restore', file]))
  await program.start()
  if ((await estimate(program, productId)) !== estimated) client.fail(`${productId} is no longer what it was mapped to`)
  const manifest = await readManifest(file)
  await program.withPool(async (pool) => {
    const other = await findOther(pool, manifest)
    if (other) client.fail(`The table ${other.name} is not the one of the manifest, which has ${other.rows} rows`)
    await client.checkAll(pool)
    add('most that came too late for a backup, and were sent again', await client.checkRestored(before, pool))
  })
  add('largest backup, bytes', statSync(file).size)
  rmSync(file)
}

/** @returns milliseconds that it took. @throws Error if it did not do it: there is nothing to go on with */
async function run(program: OwnProgram, words: readonly string[]): Promise<number> {
  const startedAt = performance.now()
  const { code, stderr } = await program.run(words)
  if (code !== 0) throw new Error(`cradle ${words.join(' ')} ended with ${code}: ${stderr}`)
  return performance.now() - startedAt
}

/** In odd cycles with another byte in it, in even ones without its end. */
async function refuseDamaged({ program, client, random }: Bench, at: number, file: string): Promise<void> {
  const bytes = readFileSync(file)
  const place = GZIP_HEADER_BYTES + Math.floor(random() * (bytes.length - GZIP_HEADER_BYTES))
  const isCut = at % 2 === 0
  bytes[place]! ^= 0xff
  const damaged = `${file}.damaged`
  writeFileSync(damaged, isCut ? bytes.subarray(0, place) : bytes)
  const { code, stderr } = await program.run(['restore', damaged])
  rmSync(damaged)
  const of = `The backup of ${bytes.length} bytes ${isCut ? 'cut off' : 'with another one'} at ${place}`
  if (code !== 1 || !/^cradle: /m.test(stderr)) client.fail(`${of} ended with ${code}: ${stderr.slice(0, 300)}`)
  const left = await relationsIn(program.dataDirectory)
  if (left.length > 0) client.fail(`${of} was refused, and left ${left.join(', ')}`)
}

/** Read without the program, which would bring the database to its schema. */
async function relationsIn(dataDirectory: string): Promise<readonly string[]> {
  const server = await startServer({ dataDirectory, report: () => undefined })
  const pool = createPool(server.connection, { connectionsMax: 1 }, () => undefined)
  try {
    const text = `select relname::text as name from pg_class where relnamespace = 'public'::regnamespace`
    return (await pool.query<{ readonly name: string }>(text)).rows.map(({ name }) => name)
  } finally {
    await pool.end()
    await server.stop()
  }
}

async function readManifest(file: string): Promise<Manifest> {
  const unpacked = createReadStream(file).pipe(createGunzip())
  let last: Buffer = Buffer.alloc(0)
  for await (const { payload } of decodeFrames(unpacked as AsyncIterable<Buffer>)) last = payload
  return JSON.parse(last.toString()) as Manifest
}

/** What a program changes that serves again: when a key was used last, and what is folded. `restore` compared these. */
const CHANGED_BY_SERVING = ['api_keys', 'fact_chunks', 'report_watermarks']

/** The first table of the manifest whose rows, or their hash, are others now. */
async function findOther(pool: Pool, { tables }: Manifest): Promise<TableSum | undefined> {
  const client = connectDirectly(pool)
  await client.connect()
  try {
    await usePortableSettings(client)
    const now = new Map<string, TableSum>()
    for (const table of await listTables(client)) now.set(table.name, await checksumOf(client, table))
    const kept = tables.filter(({ name }) => !CHANGED_BY_SERVING.includes(name))
    return kept.find((sum) => !isDeepStrictEqual(now.get(sum.name), sum))
  } finally {
    await client.end()
  }
}

/** What a device of this product would be charged, line by line. */
async function estimate(program: OwnProgram, productId: string): Promise<string> {
  const [{ config, ...product }] = EXAMPLE_ORDER.items as [{ config: object; type: string }]
  const items = [{ ...product, config: { ...config, product_id: productId } }]
  const answer = await ask(program, 'POST', '/api/estimates', { ...EXAMPLE_ORDER, items })
  return JSON.stringify((JSON.parse(answer) as { readonly items: unknown }).items)
}

async function ask(program: OwnProgram, method: 'PUT' | 'POST', path: string, body: object): Promise<string> {
  const { address, key } = program.target()
  const headers = { 'x-api-key': key, 'content-type': 'application/json' }
  const { status, text } = await exchange(address, path, { method, headers, body: JSON.stringify(body) })
  if (status !== 200) throw new Error(`${method} ${path} was answered ${status}: ${text.slice(0, 200)}`)
  return text
}
