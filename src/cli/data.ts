// `cradle data`: releases of the figures are listed, copied to be edited, checked, compared and installed.
import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Database } from '../postgres/database.ts'
import {
  FIGURE_KINDS,
  countChanges,
  type FigureChange,
  type FigureKind,
} from '../engine/reference/release-difference.ts'
import { runToCompletion } from '../engine/numbers/steps.ts'
import { filesOfRelease, installRelease, listReleases } from '../postgres/dataset-releases.ts'
import { checkRelease, type CheckedRelease, type ReleaseViolation } from '../reference-data/check-release.ts'
import {
  CHANGES_FILE,
  PARENT_FILE,
  hashContent,
  readDatasetFiles,
  releaseFiles,
  type DatasetFiles,
} from '../reference-data/files.ts'
import { readArchive } from '../reference-data/release-archive.ts'
import { nameOfRelease } from '../reference-data/load.ts'
import { compareReleases } from '../reference-data/release-figures.ts'
import {
  RELEASE_FORM,
  compareVersions,
  newestRelease,
  nextVersion,
  versionOfName,
} from '../engine/reference/release-version.ts'
import { RELEASE_FILE } from '../reference-data/validate-tables.ts'
import { DATA, print, withDatabase } from './context.ts'

type Pool = Database['pool']

const SHIPPED = 'shipped'
const NEWEST = 'newest'

interface NamedFiles {
  readonly name: string
  readonly files: DatasetFiles
}

const named = (files: DatasetFiles): NamedFiles => ({ name: nameOfRelease(files), files })

/** Releases of the database, with the one that is newest for accounts that follow the newest. */
async function readReleases(pool: Pool) {
  const shipped = named(readDatasetFiles(DATA))
  const all = await listReleases(pool)
  const newest = newestRelease(shipped, all)
  return { shipped, all, newest }
}
type Releases = Awaited<ReturnType<typeof readReleases>>

async function filesOfNewest(pool: Pool, { shipped, newest }: Releases): Promise<NamedFiles> {
  return 'releaseId' in newest ? { name: newest.name, files: await filesOfRelease(pool, newest.releaseId) } : shipped
}

/** @throws Error if the path is none of a directory or of an archive that can be read */
function readRelease(path: string): DatasetFiles {
  if (!existsSync(path)) throw new Error(`There is no directory or archive "${path}"`)
  if (statSync(path).isDirectory()) return readDatasetFiles(path)
  if (!ARCHIVE.test(path))
    throw new Error(`"${path}" is neither a directory nor an archive whose name ends with .tar.gz or .tgz`)
  const files = readArchive(path, RELEASE_FILE)
  return releaseFiles((name) => files.get(name))
}

const ARCHIVE = /\.(?:tar\.gz|tgz)$/i

/** A directory or archive by its path, a release of the database by its name or number, or `shipped` or `newest`. */
async function openRelease(pool: Pool, text: string): Promise<NamedFiles> {
  if (existsSync(text)) return named(readRelease(text))
  const releases = await readReleases(pool)
  if (text === SHIPPED) return releases.shipped
  if (text === NEWEST) return filesOfNewest(pool, releases)
  const [found, ...others] = releases.all.filter(({ name }) => name === text || versionOfName(name) === text)
  if (found && others.length === 0) return { name: found.name, files: await filesOfRelease(pool, found.releaseId) }
  if (releases.shipped.name === text || (!found && versionOfName(releases.shipped.name) === text)) {
    return releases.shipped
  }
  throw new Error(
    found
      ? `Several releases have the number ${text}: ${[found, ...others].map(({ name }) => name).join(', ')}`
      : `There is neither a release nor a directory or archive "${text}"; see cradle data list`,
  )
}

export async function listReleasesCommand(options: { readonly json?: boolean }): Promise<void> {
  const { all, newest } = await withDatabase(({ pool }) => readReleases(pool))
  const rows = all.map(({ name, hash, createdAt, installedAt }) => ({
    id: name,
    hash,
    created_at: createdAt,
    installed_at: installedAt,
    is_newest: name === newest.name,
  }))
  if (options.json) return print(JSON.stringify(rows))
  for (const { id, created_at: createdAt, installed_at: installedAt, is_newest: isNewest } of rows) {
    const origin = installedAt ? `installed ${installedAt.toISOString()}` : `shipped, served ${createdAt.toISOString()}`
    print([id, origin, ...(isNewest ? ['newest'] : [])].join('\t'))
  }
  if (rows.length === 0) process.stderr.write(`There are no releases yet; the program serves ${newest.name}.\n`)
}

/** Writes the files of a release to a new directory, with the next number, to be edited. */
export async function newReleaseCommand(
  directory: string,
  options: { readonly from: string; readonly id?: string },
): Promise<void> {
  if (existsSync(directory) && (!statSync(directory).isDirectory() || readdirSync(directory).length > 0))
    throw new Error(`There is something at "${directory}" already; name a new directory`)
  if (options.id !== undefined && !RELEASE_FORM.test(options.id))
    throw new Error(`--id takes a number like 2026.12.1, not "${options.id}"`)
  const { parent, id } = await withDatabase(async ({ pool }) => {
    const from = await openRelease(pool, options.from)
    const taken = new Set((await listReleases(pool)).map(({ name }) => versionOfName(name)))
    if (options.id !== undefined && taken.has(options.id))
      throw new Error(`There is a release ${options.id} already; see cradle data list`)
    let next = nextVersion(versionOfName(from.name))
    while (taken.has(next)) next = nextVersion(next)
    return { parent: from, id: options.id ?? next }
  })
  const files = new Map(parent.files)
    .set(RELEASE_FILE, `${id}\n`)
    .set(PARENT_FILE, `${parent.name}\n`)
    .set(CHANGES_FILE, 'key,reason\n')
  for (const [name, text] of files) {
    mkdirSync(dirname(join(directory, name)), { recursive: true })
    writeFileSync(join(directory, name), text)
  }
  print(`${files.size} files of ${parent.name} are in ${directory}, as release ${id}.`)
}

/** Ends with 1 if the release breaks a rule. */
export async function checkReleaseCommand(directory: string): Promise<void> {
  const files = readRelease(directory)
  await withDatabase(async ({ pool }) => judge(pool, files))
  print(`Release ${nameOfRelease(files)} is sound.`)
}

export async function installReleaseCommand(directory: string): Promise<void> {
  const files = readRelease(directory)
  const release = nameOfRelease(files)
  const installed = await withDatabase(async ({ pool }) => {
    await judge(pool, files)
    const version = versionOfName(release)
    const isNewest = compareVersions(version, versionOfName((await readReleases(pool)).newest.name)) >= 0
    const described = { version, name: release, hash: hashContent(files), isNewest }
    return { ...(await installRelease(pool, described, files)), newest: (await readReleases(pool)).newest.name }
  })
  if (installed.outcome === 'taken') {
    throw new Error(
      `There is a release ${installed.by} with other content; give these files another number in ${RELEASE_FILE}`,
    )
  }
  print(`Release ${release} is installed${installed.outcome === 'installed-already' ? ' already' : ''}.`)
  print(
    installed.newest === release
      ? 'Accounts that follow the newest release use it for new orders within some seconds.'
      : `Accounts that follow the newest release use ${installed.newest}; an account can pin this one.`,
  )
}

/** Prints what is in a release beside the newest one. @throws Error with all faults */
async function judge(pool: Pool, files: DatasetFiles): Promise<void> {
  const newest = await filesOfNewest(pool, await readReleases(pool))
  const checked = checkRelease(files, newest.files)
  if (checked.faults.length > 0) throw new Error(describeFaults(checked.faults))
  if (checked.difference) for (const line of reportOn(newest.name, checked)) print(line)
}

const describeFaults = (faults: readonly ReleaseViolation[]): string =>
  [
    `The release breaks ${faults.length} ${faults.length === 1 ? 'rule' : 'rules'}:`,
    ...faults.map(({ file, line, rule, message }) => `${file}:${line} ${rule}: ${message}`),
  ].join('\n')

function reportOn(newest: string, { difference, jumps }: CheckedRelease): readonly string[] {
  return [
    `Compared with ${newest}:`,
    ...summaryLines(difference!.changes),
    `${jumps.length} move by more than 20 %, with a reason in ${CHANGES_FILE}`,
    ...otherFilesLines(difference!.otherFiles),
  ]
}

export async function diffReleasesCommand(
  a: string,
  b: string,
  options: { readonly kind?: string; readonly json?: boolean },
): Promise<void> {
  const kind = options.kind === undefined ? null : readKind(options.kind)
  const [from, to] =
    existsSync(a) && existsSync(b)
      ? [named(readRelease(a)), named(readRelease(b))]
      : await withDatabase(async ({ pool }) => [await openRelease(pool, a), await openRelease(pool, b)] as const)
  const { changes: all, otherFiles } = runToCompletion(compareReleases(from.files, to.files))
  const changes = kind === null ? all : all.filter((change) => change.kind === kind)
  if (options.json) {
    const summary = countChanges(changes)
    return print(JSON.stringify({ from: from.name, to: to.name, summary, other_files: otherFiles, changes }))
  }
  for (const { key, old, new: current, percent } of changes) {
    const sign = percent !== null && !percent.startsWith('-') ? '+' : ''
    print(`${key}: ${old ?? '–'} → ${current ?? '–'}${percent === null ? '' : ` (${sign}${percent} %)`}`)
  }
  print(`From ${from.name} to ${to.name}:`)
  for (const line of [...summaryLines(changes), ...otherFilesLines(otherFiles)]) print(line)
}

function readKind(text: string): FigureKind {
  const kind = FIGURE_KINDS.find((known) => known === text)
  if (!kind) throw new Error(`--kind takes one of ${FIGURE_KINDS.join(', ')}, not "${text}"`)
  return kind
}

function summaryLines(changes: readonly FigureChange[]): readonly string[] {
  const summary = Object.entries(countChanges(changes))
  if (summary.length === 0) return ['no figure differs']
  return summary.map(([kind, { added, removed, changed }]) =>
    [`${kind}: ${added} added`, `${removed} removed`, `${changed} changed`].join(', '),
  )
}

const otherFilesLines = (files: readonly string[]): readonly string[] =>
  files.length === 0 ? [] : [`other differences in ${files.join(', ')}`]
