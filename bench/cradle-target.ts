// Cradle as a user would start it: its command line, a fresh data directory, its own PostgreSQL, the key it prints.
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { orderBody, ORDERS_PATH, type OrderNames } from './bench-order.ts'
import { NUMBER_MARK } from './load-plan.ts'
import { startServer, type ServerProcess } from './server-process.ts'

/** @param checkout a directory */
export const programOf = (checkout: string): string => join(checkout, 'src', 'cli', 'cradle.ts')
export const CRADLE_PROGRAM = programOf(join(import.meta.dirname, '..'))
// The character after it shows that the key has been read to its end.
const KEY = /(cradle_[\w-]{20,})(?=[^\w-])/

export interface CradleSubject {
  readonly program: string
  readonly server: ServerProcess
  readonly dataDirectory: string
  readonly apiKey: string
  readonly names: OrderNames
  /** Length of the answer to the measured order, which the bare server matches. */
  readonly answerBytes: number
  readonly stop: () => Promise<void>
}

export async function startCradle(program: string, workers = 1): Promise<CradleSubject> {
  const directory = mkdtempSync(join(tmpdir(), 'cradle-bench-'))
  // Cradle runs its PostgreSQL as an unprivileged user when it is started by root, and that user has to get in.
  chmodSync(directory, 0o755)
  const dataDirectory = join(directory, 'data')
  const { flags, environment } = startCommand(program)
  const server = await startServer(
    [...flags, program, 'serve'],
    // All of the load bears one key: it is counted, and never too much.
    {
      ...environment,
      CRADLE_DATA_DIR: dataDirectory,
      CRADLE_PORT: '0',
      CRADLE_KEY_REQUESTS_PER_SECOND: '1000000',
      CRADLE_WORKERS: String(workers),
    },
    [KEY],
  )
  const stop = async () => {
    await server.stop()
    rmSync(directory, { recursive: true, force: true })
  }
  try {
    const apiKey = server.found[0] ?? ''
    const names = await findNames(server.port, apiKey)
    const answerBytes = await answerBytesOf(server.port, apiKey, names)
    return { program, server, dataDirectory, apiKey, names, answerBytes, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** The flags and variables with which `npm start` runs Node, in the checkout that the program is of. */
export function startCommand(program = CRADLE_PROGRAM) {
  const { scripts } = JSON.parse(readFileSync(join(dirname(program), '..', '..', 'package.json'), 'utf8')) as {
    scripts: { start: string }
  }
  const words = scripts.start.split(' ')
  return {
    flags: words.filter((word) => word.startsWith('--')),
    environment: Object.fromEntries(
      words.filter((word) => /^[A-Z_]+=/.test(word)).map((word) => word.split('=')),
    ) as Readonly<Record<string, string>>,
  }
}

/** The first model, road transport and packaging that the service offers: nothing is assumed about its data. */
async function findNames(port: number, apiKey: string): Promise<OrderNames> {
  const get = async (path: string): Promise<unknown> =>
    JSON.parse(await ask(`http://127.0.0.1:${port}${path}`, { headers: { 'X-API-Key': apiKey } }))
  const models = (await get('/api/device-model-emissions?type=laptop&limit=1')) as readonly { readonly id: string }[]
  const transports = (await get('/api/transportations')) as { readonly packagings: readonly Listed[] }
  const packagings = (await get('/api/packagings')) as { readonly packagings: readonly Listed[] }
  const road = transports.packagings.find(({ transportation_mode: mode }) => mode === 'road')
  return {
    productId: models[0]?.id ?? 'unknown',
    transportationId: road?.transportation_id ?? '',
    transportationMode: road?.transportation_mode ?? '',
    packagingId: packagings.packagings[0]?.packaging_id ?? '',
  }
}

interface Listed {
  readonly transportation_id?: string
  readonly transportation_mode?: string
  readonly packaging_id?: string
}

async function answerBytesOf(port: number, apiKey: string, names: OrderNames): Promise<number> {
  // The highest number: the load counts up from 0 and never gets there.
  const body = orderBody(names).replaceAll(NUMBER_MARK, '9'.repeat(NUMBER_MARK.length))
  const headers = { 'X-API-Key': apiKey, 'Content-Type': 'application/json' }
  return Buffer.byteLength(await ask(`http://127.0.0.1:${port}${ORDERS_PATH}`, { method: 'POST', headers, body }))
}

async function ask(url: string, init: RequestInit): Promise<string> {
  const response = await fetch(url, init)
  const text = await response.text()
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${text.slice(0, 1000)}`)
  return text
}
