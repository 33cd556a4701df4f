// The Python client against a real service: the cases of all clients and the examples of its guide, sync and async.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test, type TestContext } from 'node:test'
import { promisify } from 'node:util'
import type { Document } from '../../scripts/client-operations.ts'
import { generatedPython } from '../../scripts/write-client.ts'
import type { AskedService } from '../asked-service.ts'
import { blocksOf } from '../markdown.ts'
import { sharedService } from '../shared-service.ts'
import { startCuttingProxy } from './cutting-proxy.ts'

const CLIENT = join(import.meta.dirname, '..', '..', 'clients', 'python')
const PACKAGE = join(CLIENT, 'src', 'cradle_client')
const GENERATED = '_operations.py'
const SOURCE_LINES_MAX = 500
const GUIDE_LINES_MAX = 100
const INSTALL_MS_MAX = 120_000
const RUN_MS_MAX = 240_000
const CANDIDATES = ['python3', 'python3.14', 'python3.13', 'python3.12', 'python3.11']
const IS_NEW_ENOUGH = 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))'

const run = promisify(execFile)
const read = (path: string): string => readFileSync(join(CLIENT, path), 'utf8')

let service: AskedService
let folder: string
let python: string
/** Why nothing can be run; null if it can. */
let missing: string | null
before(async () => {
  service = await sharedService()
  folder = mkdtempSync(join(tmpdir(), 'cradle-python-'))
  python = join(folder, 'bin', 'python')
  missing = await prepare()
})
after(async () => {
  rmSync(folder, { recursive: true })
  await service.stop()
})

/** Makes an environment with the packages that the client needs; what fails here says nothing of the client. */
async function prepare(): Promise<string | null> {
  const found = await firstThatWorks(CANDIDATES)
  if (found === null) return 'There is no Python of 3.11 or newer with venv and pip'
  const pip = ['-m', 'pip', '--disable-pip-version-check', '--timeout', '10', '--retries', '1', 'install', '-q']
  try {
    await run(found, ['-m', 'venv', folder], { timeout: INSTALL_MS_MAX })
    await run(python, [...pip, ...requirements()], { timeout: INSTALL_MS_MAX })
  } catch (error) {
    const { message, stderr } = error as Error & { readonly stderr?: string }
    return `PyPI cannot be reached, or not in time: ${(stderr || message).trim().split('\n').at(-1)}`
  }
  // Everything is there, so this uses no network, and has to work.
  await run(python, [...pip, '--no-index', '--no-build-isolation', CLIENT], { timeout: INSTALL_MS_MAX })
  return null
}

async function firstThatWorks(commands: readonly string[]): Promise<string | null> {
  for (const command of commands) {
    const works = await run(command, ['-c', IS_NEW_ENOUGH]).then(
      () => true,
      () => false,
    )
    if (works) return command
  }
  return null
}

/** To run the client, and to build it. */
function requirements(): readonly string[] {
  const lists = read('pyproject.toml').matchAll(/^(dependencies|requires) = (\[.*\])$/gm)
  const found = new Map([...lists].map(([, name, list]) => [name, JSON.parse(list!) as string[]]))
  return [...found.get('dependencies')!, ...found.get('requires')!]
}

/** A test that needs Python; without it, the output says why it was skipped. */
const withPython = (name: string, guarantee: () => Promise<void>): void =>
  void test(name, async (t: TestContext) => (missing === null ? guarantee() : t.skip(missing)))

async function output(...argv: readonly string[]): Promise<string> {
  const environment = { ...process.env, PYTHONDONTWRITEBYTECODE: '1', PYTHONIOENCODING: 'utf-8' }
  const options = { timeout: RUN_MS_MAX, cwd: folder, env: environment }
  const { stdout } = await run(python, ['-W', 'error', ...argv], options).catch(
    ({ message, stderr }: Error & { readonly stderr?: string }) => assert.fail(stderr || message),
  )
  return stdout
}

test('models and methods are those that the document gives now; scripts/write-client.ts writes them', () => {
  const text = readFileSync(join(PACKAGE, GENERATED), 'utf8')
  assert.equal(text, generatedPython(service.document as unknown as Document))
})

test('what is written by hand has at most 500 lines of code, and the guide at most 100 lines', () => {
  const names = readdirSync(PACKAGE).filter((name) => name.endsWith('.py') && name !== GENERATED)
  const code = names.map((name) => readFileSync(join(PACKAGE, name), 'utf8')).join('\n')
  const lines = code
    .replaceAll(/^ *"""[\s\S]*?"""$/gm, '')
    .split('\n')
    .filter((line) => !/^\s*(#|$)/.test(line))
  assert.ok(lines.length <= SOURCE_LINES_MAX, `${lines.length} lines`)
  assert.ok(read('README.md').split('\n').length <= GUIDE_LINES_MAX + 1)
})

for (const mode of ['sync', 'async']) {
  withPython(`every case of clients/cases.json holds for the ${mode} client`, async () => {
    const key = await service.createKey(undefined, null, `python cases, ${mode}`)
    const told = await output(join(CLIENT, 'tests', 'cases.py'), mode, service.server.url, key)
    const { cases, failed } = JSON.parse(told) as { readonly cases: number; readonly failed: readonly string[] }
    assert.deepEqual(failed, [])
    assert.ok(cases >= 200)
  })
}

withPython('what the client promises of repetition, requests, files, lists and webhooks holds', async () => {
  await output(join(CLIENT, 'tests', 'behaviour.py'))
})

withPython(
  'behind a proxy that cuts every third connection, every order and event is stored, and none twice',
  async () => {
    const ORDERS = 30
    const proxy = await startCuttingProxy(new URL(service.server.url))
    const key = await service.createKey(undefined, null, 'python, cut connections')
    const { url } = service.server
    const told = await output(join(CLIENT, 'tests', 'cut_connections.py'), proxy.url, url, key, `${ORDERS}`)
    proxy.stop()
    const { attempts, statuses, orders_of_devices } = JSON.parse(told) as Readonly<Record<string, unknown>>
    assert.deepEqual(statuses, Array(ORDERS).fill('returned'))
    assert.deepEqual(orders_of_devices, Array(ORDERS).fill(1))
    assert.ok(
      proxy.cut() >= 20 && attempts === 2 * ORDERS + proxy.cut(),
      `${proxy.cut()} of ${String(attempts)} were cut`,
    )
  },
)

withPython('the examples of the guide run, and print what it says', async () => {
  const key = await service.createKey(undefined, null, 'examples of the Python client')
  const program = blocksOf(read('README.md'), 'python')
    .join('\n')
    .replaceAll('http://localhost:8080', service.server.url)
    .replaceAll('cradle_…', key)
  writeFileSync(join(folder, 'examples.py'), program)
  const [emission, created, fault, tag, later, ...rest] = (await output('examples.py')).trim().split('\n')
  assert.deepEqual([emission, created, later], ['8.4375 kg CO2e', 'order-2024-1212 created', 'order-2024-1212 8.4375'])
  assert.match(fault!, /^\/order_date ./)
  assert.match(tag!, /^created "\d+-\d+-[\w-]+" [\w-]{36} 1$/)
  assert.equal(rest.at(-1), 'order.restated')
})
