// Builds the console where its sources changed since it was built last, and prints as its last line where it is.
import { hash, randomUUID } from 'node:crypto'
import { existsSync, globSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, extname, join, sep } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { Plugin } from 'vite'
import { PAGE_SEGMENTS } from '../console/src/routes.ts'
import { CATALOGUE_FILE, MESSAGE_FILES, merged } from '../console/src/service-texts/german-files.ts'
import { parseMessages } from './parse-messages.ts'

const FOLDER = join(import.meta.dirname, '..', 'console')
const DIST = join(FOLDER, 'dist')
const SOURCES = [
  'index.html',
  'public/**',
  'src/**',
  '../package-lock.json',
  '../scripts/{build-console,parse-messages}.ts',
]

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
}

/** Every source by name and content: another fingerprint is another console. */
function fingerprint(): string {
  const paths = globSync(SOURCES, { cwd: FOLDER, exclude: ['**/*.md'] }).filter((path) => extname(path) !== '')
  const texts = paths.sort().map((path) => `${path}\0${hash('sha256', readFileSync(join(FOLDER, path)))}`)
  return hash('sha256', texts.join('\n')).slice(0, 16)
}

/** Messages are parsed while the console is built, so that it comes without their parser. */
const parsedMessages: Plugin = {
  name: 'parsed-messages',
  enforce: 'pre',
  transform: (code, id) => (/\/messages\.\w+\.json$/.test(id) ? { code: parsed(code), map: null } : null),
}

const parsed = (file: string): string => JSON.stringify(parseMessages(file))

/** The German of what the service says, in one file: a browser asks for it once. */
function writeGerman(): void {
  const messages = MESSAGE_FILES.map(readText).map(parseMessages)
  const names = JSON.parse(readText(CATALOGUE_FILE)) as object
  const path = join(FOLDER, 'generated', 'service-texts.de.json')
  mkdirSync(dirname(path), { recursive: true })
  // Moved to its place when it is whole: two processes may build at once.
  writeFileSync(`${path}.${process.pid}`, JSON.stringify({ ...merged(messages), ...names }))
  renameSync(`${path}.${process.pid}`, path)
}

const readText = (file: URL): string => readFileSync(file, 'utf8')

/** What the first page needs comes in one file; by itself the bundler would make many. */
function firstPage(): { readonly plugin: Plugin; readonly nameOf: (id: string) => string | null } {
  const imports = new Map<string, readonly string[]>()
  const needed = new Set<string>()
  const need = (id: string): void => {
    if (needed.has(id)) return
    needed.add(id)
    imports.get(id)?.forEach(need)
  }
  return {
    plugin: {
      name: 'first-page',
      moduleParsed: ({ id, importedIds }) => void imports.set(id, importedIds),
      buildEnd: () => need(join(FOLDER, 'src', 'main.tsx')),
    },
    nameOf: (id) => (needed.has(id) ? 'first-page' : null),
  }
}

/** Nothing is inlined: the page's policy allows no script or style that has no file. */
async function bundle(files: string): Promise<void> {
  const [vite, { default: react }] = await Promise.all([import('vite'), import('@vitejs/plugin-react')])
  const { plugin, nameOf } = firstPage()
  await vite.build({
    root: FOLDER,
    configFile: false,
    logLevel: 'error',
    plugins: [parsedMessages, plugin, react()],
    build: {
      outDir: files,
      target: ['chrome123', 'edge123', 'firefox128', 'safari17.5'],
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      rolldownOptions: { output: { codeSplitting: { groups: [{ name: nameOf }] } } },
    },
  })
}

/** Into a folder of its own that is moved to its place when all is there: two processes may build at once. */
async function build(target: string): Promise<void> {
  const startedAt = performance.now()
  const own = join(DIST, `.${randomUUID()}`)
  const files = join(own, 'files')
  mkdirSync(files, { recursive: true })
  writeGerman()
  await bundle(files)
  const paths = globSync('**/*', { cwd: files }).filter((path) => extname(path) !== '')
  for (const path of paths) compress(join(files, path))
  const manifest = { pages: PAGE_SEGMENTS, files: paths.sort().map(describe) }
  writeFileSync(join(own, 'manifest.json'), JSON.stringify(manifest, null, 2))
  if (!existsSync(target)) renameSync(own, target)
  for (const other of readdirSync(DIST).filter((name) => join(DIST, name) !== target && !name.startsWith('.'))) {
    rmSync(join(DIST, other), { recursive: true, force: true })
  }
  rmSync(own, { recursive: true, force: true })
  console.log(`The console was built in ${((performance.now() - startedAt) / 1000).toFixed(1)} s.`)
}

function describe(path: string) {
  const type = TYPES[extname(path)]
  if (type === undefined) throw new Error(`No content type is known for ${path}: name it in scripts/build-console.ts`)
  return { path: `/${path.split(sep).join('/')}`, type, isHashed: path.startsWith('assets') }
}

function compress(path: string): void {
  const bytes = readFileSync(path)
  const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY }
  writeFileSync(`${path}.br`, brotliCompressSync(bytes, { params }))
  writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }))
}

const target = join(DIST, fingerprint())
if (!existsSync(target)) await build(target)
console.log(target)
