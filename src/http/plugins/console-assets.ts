// The console's files: built if sources have changed, compressed in advance, and served under their own paths.
import { execFile } from 'node:child_process'
import { hash } from 'node:crypto'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { CONSOLE_BUILD_MS_MAX } from '../../config.ts'
import { operationLabel } from '../../observability/request-metrics.ts'
import { producing } from './content-negotiation.ts'
import { sendFile, type StaticFile } from './static-files.ts'

interface ConsoleFile extends StaticFile {
  /** The path under which the file is served. */
  readonly path: string
  /** Whether the name changes with the content, so that the file can be cached indefinitely. */
  readonly isHashed: boolean
}

export interface Console {
  readonly files: readonly ConsoleFile[]
  /** First segments of the paths that are answered with the page itself, which does the routing. */
  readonly pages: readonly string[]
}

/** Message for users who open the console if it could not be built. */
export interface ConsoleNotBuilt {
  readonly problem: string
}

const PAGE = '/index.html'

/** The page may load from and connect to its own origin only. `data:` and `blob:` images are for downloading charts. */
const POLICY =
  "default-src 'self'; img-src 'self' data: blob:; object-src 'none'; base-uri 'none'; form-action 'self'; " +
  "frame-ancestors 'none'"

export function serveConsole(app: FastifyInstance, console: Console | ConsoleNotBuilt): void {
  if ('problem' in console) {
    app.get('/', (_, reply) => secure(reply).code(503).type('text/plain; charset=utf-8').send(console.problem))
    return
  }
  const config = { ...operationLabel('getConsole'), ...producing('*/*') }
  for (const file of console.files) {
    const paths =
      file.path === PAGE ? ['/', ...console.pages.flatMap((page) => [`/${page}`, `/${page}/*`])] : [file.path]
    for (const path of paths) app.get(path, { config }, (request, reply) => send(request, reply, file))
  }
}

const secure = (reply: FastifyReply): FastifyReply =>
  reply
    .header('content-security-policy', POLICY)
    .header('x-content-type-options', 'nosniff')
    .header('referrer-policy', 'same-origin')
    .header('cross-origin-opener-policy', 'same-origin')

const send = (request: FastifyRequest, reply: FastifyReply, file: ConsoleFile): FastifyReply =>
  sendFile(request, secure(reply), file, file.isHashed ? 'public, max-age=31536000, immutable' : 'no-cache')

const ROOT = join(import.meta.dirname, '..', '..', '..')
const BUILDER = join(ROOT, 'scripts', 'build-console.ts')
const BUILT = join(ROOT, 'console', 'dist')

/** The manifest that the builder writes next to the files. */
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

/**
 * Builds in a separate process, so that the bundler's memory is released. Its output ends with the directory of the
 * files.
 */
async function build(report: (sentence: string) => void): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [BUILDER], { timeout: CONSOLE_BUILD_MS_MAX })
  const said = stdout.trimEnd().split('\n')
  for (const sentence of said.slice(0, -1)) report(sentence)
  return said.at(-1)!
}

/** A container image does not contain the sources. */
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
