// Tests that an unusable data directory is rejected immediately in one sentence that names the problem.
import { after, test } from 'node:test'
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createDataDirectory } from './data-directory.ts'
import { startServer } from './server.ts'

const isRoot = process.getuid?.() === 0
const root = mkdtempSync(join(tmpdir(), 'cradle-test-'))
chmodSync(root, 0o711)
after(() => rmSync(root, { recursive: true, force: true }))

const PROGRAM = `
  const { createDataDirectory } = await import(process.argv[1])
  try { createDataDirectory(process.argv[2]) } catch (error) { console.log(error.message) }`

/** The error message of a child process. The timeout of 30 seconds catches a regression: it used to run for ever. */
function refusalInChild(path: string, user = {}): string {
  const module = join(import.meta.dirname, 'data-directory.ts')
  const { stdout, signal } = spawnSync(process.execPath, ['--input-type=module', '-e', PROGRAM, module, path], {
    ...user,
    encoding: 'utf8',
    timeout: 30_000,
    killSignal: 'SIGKILL',
  })
  assert.equal(signal, null)
  return stdout.trim()
}

test('a directory is made with those above it, and nothing is left of the attempt to write to it', () => {
  const path = join(root, 'a', 'b')
  assert.equal(createDataDirectory(path), path)
  assert.equal(createDataDirectory(path), path)
  assert.deepEqual(readdirSync(path), [])
  assert.equal(statSync(path).mode & 0o777, isRoot ? 0o711 : 0o700)
})

const onLinux = { skip: process.platform !== 'linux' && 'there is no /proc' }

test('where the kernel makes no directories, the start ends with a sentence and does not try for ever', onLinux, () => {
  for (const path of ['/proc/x', '/proc/x/y', '/proc/self/x', '/sys/x']) {
    const sentence = refusalInChild(path)
    assert.match(
      sentence,
      new RegExp(`^The data directory ${path} cannot be used: .*\\. Choose another with CRADLE_DATA_DIR\\.$`),
    )
  }
})

const NOBODY = { uid: 65534, gid: 65534, cwd: '/' }

test('a directory of somebody else is refused', { skip: !isRoot && 'needs two users' }, () => {
  const path = join(root, 'of-root')
  mkdirSync(path, { mode: 0o755 })
  for (const each of [path, join(path, 'new')])
    assert.match(refusalInChild(each, NOBODY), /this user may not write to it/)
})

test('a file, a link to nothing, a circle of links and a name that is too long are told as what they are', () => {
  const file = join(root, 'file')
  const link = join(root, 'link')
  const circle = join(root, 'circle')
  writeFileSync(file, '')
  symlinkSync(join(root, 'unmounted'), link)
  symlinkSync(circle, circle)
  for (const [path, why] of [
    [file, /file is not a directory\. Choose/],
    [join(file, 'x'), /it, or what is above it, is not a directory \(ENOTDIR\)\. Choose/],
    ['/dev/null', /\/dev\/null is not a directory\. Choose/],
    [link, /link is a link to .*unmounted, where no directory is\. Choose/],
    [join(link, 'x'), /link is a link to .*unmounted, where no directory is\. Choose/],
    [circle, /links on the way to it lead in a circle \(ELOOP\)\. Choose/],
    [join(root, 'x'.repeat(300)), /its name is too long \(ENAMETOOLONG\)\. Choose/],
  ] as const) {
    assert.throws(() => createDataDirectory(path), why)
  }
})

const start = (dataDirectory: string) =>
  startServer({ dataDirectory, report: () => {}, outsideRoots: [join(root, 'out')] })

function directoryWith(name: string, make: (path: string) => void): string {
  const path = join(root, name)
  mkdirSync(path, { mode: 0o711 })
  make(path)
  return path
}

test('a cluster whose PG_VERSION is missing, empty or nonsense is told to be no database', async () => {
  for (const [name, text, fault] of [
    ['missing', null, 'cannot be read'],
    ['empty', '', 'is empty'],
    ['blank', '\n', 'is empty'],
    ['nonsense', '\0\0\0\0', 'has no version'],
  ] as const) {
    const path = directoryWith(name, (home) => {
      mkdirSync(join(home, 'cluster'))
      if (text !== null) writeFileSync(join(home, 'cluster', 'PG_VERSION'), text)
    })
    await assert.rejects(start(path), new RegExp(`is not a PostgreSQL database: its file PG_VERSION ${fault}\\. Bring`))
  }
})

test('a link in the place of the cluster that leads nowhere is refused, and makes no new database', async () => {
  const path = directoryWith('elsewhere', (home) => symlinkSync('/mnt/not-mounted', join(home, 'cluster')))
  await assert.rejects(start(path), /cluster is a link to \/mnt\/not-mounted, where nothing is\. Mount the disk/)
})

test('a note of where the cluster is that cannot be read is refused in a sentence', async () => {
  for (const [at, text] of ['', '{', 'null', '{"home": 7}'].entries()) {
    const path = directoryWith(`note-${at}`, (home) => writeFileSync(join(home, 'cluster-location.json'), text))
    await assert.rejects(start(path), /cluster-location\.json says where the database is, and cannot be read\. Bring/)
  }
})
