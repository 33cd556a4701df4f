// The console as it was built, built again where its sources changed; without it all else is served all the same.
import { execFile } from 'node:child_process'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { hash } from 'node:crypto'
import { CONSOLE_BUILD_MS_MAX } from './config.ts'
import type { Console, ConsoleFile, ConsoleNotBuilt } from './http/console/console-files.ts'

const ROOT = join(import.meta.dirname, '..')
const BUILDER = join(ROOT, 'scripts', 'build-console.ts')
const BUILT = join(ROOT, 'console', 'dist')

/** What the builder leaves beside the files. */
interface Manifest {
  readonly pages: readonly string[]
  readonly files: readonly Omit<ConsoleFile, 'bodies' | 'etag'>[]
}

/** All files are held in memory: some hundreds of kB. */
export async function openConsole(report: (sentence: string) => void): Promise<Console | ConsoleNotBuilt> {
  try {
    return readConsole(existsSync(BUILDER) ? await build(report) : shipped())
  } catch (error) {
    report(`The console is not there, everything else is: ${(error as Error).message}`)
    return { problem: 'The console could not be built: see the log, run "npm run console:build", start again.\n' }
  }
}

/** A process of its own: what a bundler takes of memory is given back. It says where the files are. */
async function build(report: (sentence: string) => void): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [BUILDER], { timeout: CONSOLE_BUILD_MS_MAX })
  const said = stdout.trimEnd().split('\n')
  for (const sentence of said.slice(0, -1)) report(sentence)
  return said.at(-1)!
}

/** In a container the sources stay behind. */
function shipped(): string {
  const [only] = existsSync(BUILT) ? readdirSync(BUILT) : []
  if (only === undefined) throw new Error(`${BUILT} is empty`)
  return join(BUILT, only)
}

function readConsole(folder: string): Console {
  const { pages, files } = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as Manifest
  return { pages, files: files.map((file) => withBodies(file, join(folder, 'files', file.path))) }
}

function withBodies(file: Manifest['files'][number], path: string): ConsoleFile {
  const [identity, br, gzip] = [readFileSync(path), readFileSync(`${path}.br`), readFileSync(`${path}.gz`)]
  return { ...file, etag: `"${hash('sha256', identity).slice(0, 32)}"`, bodies: { br, gzip, identity } }
}
