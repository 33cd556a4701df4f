// The program to be fuzzed: started as people start it, with its logs kept, and accounts with keys of every kind.
import assert from 'node:assert/strict'
import { chmodSync, createReadStream, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { readConnectionFile } from '../../src/postgres/embedded/connection-file.ts'
import { revokeKey } from '../../src/postgres/api-keys.ts'
import { SCOPES, createKey, ensureAccount, listKeys, type Scope } from '../../src/postgres/accounts.ts'
import { createPool } from '../../src/postgres/pool.ts'
import { cradle, serve, type Ended } from '../command.ts'
import type { OpenApi } from '../document-check.ts'
import { closeConnections, exchange } from '../raw-http.ts'
import type { Keys } from './build-request.ts'
import type { Listed } from './draw-sequences.ts'

export interface Subject {
  readonly address: string
  readonly document: OpenApi
  readonly listed: Listed
  /** The keys of a new account, beside those that all accounts share. */
  readonly newKeys: () => Promise<Keys>
  /** Of the database. */
  readonly password: string
  /** All that the program wrote since it was ready, and what else may be handed on. */
  readonly written: () => Promise<Readonly<Record<string, Readable>>>
  readonly memoryMb: () => number
  /** `cradle verify --all` beside it. */
  readonly verify: () => Promise<Ended>
  readonly stop: () => Promise<void>
}

/** Of the right form; nobody has it. */
export const UNKNOWN_KEY = 'cradle_2TvGSzDq7qYmwX0Y1dT8I7EvxSoa7eQb4gT6Mp'
const STRANGER = 'stranger'

export async function startSubject(): Promise<Subject> {
  const directory = mkdtempSync(join(tmpdir(), 'cradle-fuzz-'))
  chmodSync(directory, 0o711)
  const environment = { CRADLE_DATA_DIR: directory, CRADLE_METRICS_PORT: '0', CRADLE_METRICS_BY_ACCOUNT: 'on' }
  const serving = await serve(environment)
  let log = ''
  for (const stream of [serving.child.stdout!, serving.child.stderr!])
    stream.on('data', (data: Buffer) => (log += data.toString()))
  const pool = createPool(readConnectionFile(directory)!, { connectionsMax: 2 }, () => {})
  const keyOf = async (account: string, scopes: readonly Scope[], expiresAt: Date | null) =>
    createKey(pool, (await ensureAccount(pool, account)).accountId, scopes, expiresAt)
  const foreign = await keyOf(STRANGER, SCOPES, null)
  const expired = await keyOf(STRANGER, SCOPES, new Date(0))
  const revoked = await keyOf(STRANGER, SCOPES, null)
  await revokeKey(pool, Math.max(...(await listKeys(pool)).map(({ keyId }) => keyId)), true)
  const wrong = [expired, revoked, UNKNOWN_KEY, UNKNOWN_KEY.slice(0, -1), 'null']
  const get = async (path: string) =>
    (await exchange(serving.address, path, { headers: { 'x-api-key': foreign } })).text
  const metrics = /^Metrics: (\S+)$/m.exec(serving.printed)![1]!
  let accounts = 0
  return {
    address: serving.address,
    document: JSON.parse(await get('/openapi.json')) as OpenApi,
    listed: await listedBy(get),
    newKeys: async () => {
      const account = `fuzz-${(accounts += 1)}`
      const narrow = SCOPES.filter((scope) => scope !== 'admin').map(
        async (scope) => [scope, await keyOf(account, [scope], null)] as const,
      )
      return {
        own: await keyOf(account, SCOPES, null),
        narrow: Object.fromEntries(await Promise.all(narrow)),
        foreign,
        wrong,
      }
    },
    password: readFileSync(join(directory, 'password'), 'utf8').trim(),
    written: async () => {
      const backup = join(directory, 'backup')
      assert.equal((await cradle(['backup', backup], environment)).code, 0)
      const scraped = (await exchange(metrics, new URL(metrics).pathname)).text
      return {
        log: Readable.from([Buffer.from(log)]),
        'log of the database': createReadStream(join(directory, 'postgres.log')),
        metrics: Readable.from([Buffer.from(scraped)]),
        backup: createReadStream(backup).pipe(createGunzip()),
      }
    },
    memoryMb: () => memoryOf(serving.child.pid!),
    verify: () => cradle(['verify', '--all'], environment),
    stop: async () => {
      closeConnections()
      await pool.end()
      await serving.end('SIGTERM')
      rmSync(directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
    },
  }
}

async function listedBy(get: (path: string) => Promise<string>): Promise<Listed> {
  type Row = Readonly<Record<string, string>>
  const read = async (path: string) => JSON.parse(await get(path)) as unknown
  // Both lists stand under one name.
  const rows = async (path: string) => ((await read(path)) as { readonly packagings: readonly Row[] }).packagings
  const models = (await read('/api/device-model-emissions?limit=100')) as readonly Row[]
  const transportations = await rows('/api/transportations')
  return {
    transportations: transportations.map((row) => ({
      id: row['transportation_id']!,
      mode: row['transportation_mode']!,
    })),
    packagings: (await rows('/api/packagings')).map((row) => row['packaging_id']!),
    models: models.map((row) => row['id']!),
  }
}

/** What a process has in memory. */
const memoryOf = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
