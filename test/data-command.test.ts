// `cradle data`: releases are made, checked, compared and installed beside a running service; docs/releases.md is run.
import assert from 'node:assert/strict'
import { execFile, execFileSync } from 'node:child_process'
import { appendFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { after, before, test } from 'node:test'
import type { DatasetFiles } from '../src/reference-data/files.ts'
import { cradle, freshDirectory, serve, type Ended, type Serving } from './command.ts'
import { emberRelease } from './ember-releases.ts'
import { blocksOf } from './markdown.ts'

const ROOT = join(import.meta.dirname, '..')
const root = freshDirectory()
const environment = { CRADLE_DATA_DIR: join(root, 'data') }
let serving: Serving
before(async () => void (serving = await serve(environment)))
after(async () => {
  await serving.end('SIGTERM')
  rmSync(root, { recursive: true, force: true })
})

const data = (...words: readonly string[]) => cradle(['data', ...words], environment)
interface Listed {
  readonly id: string
  readonly installed_at: string | null
  readonly is_newest: boolean
}
const list = async () => JSON.parse((await data('list', '--json')).stdout) as readonly Listed[]
const numbers = async () => (await list()).map(({ id }) => id.split('-')[0])

function write(name: string, files: DatasetFiles): string {
  const directory = join(root, name)
  for (const [file, text] of files) {
    mkdirSync(dirname(join(directory, file)), { recursive: true })
    writeFileSync(join(directory, file), text)
  }
  return directory
}

/** Runs a command of a guide from the root of the project, as its reader does. */
const shell = (command: string): Promise<Ended> =>
  new Promise((resolve) => {
    const { DATABASE_URL, ...inherited } = process.env
    void DATABASE_URL
    const options = { cwd: ROOT, env: { ...inherited, ...environment } }
    execFile('sh', ['-c', command], options, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : ((error.code as number | undefined) ?? 1), stdout, stderr }),
    )
  })

test('the guide makes a release from the shipped one, and its commands do what it says', async () => {
  const [year, month, third = '0'] = readFileSync(join(ROOT, 'data', 'RELEASE'), 'utf8')
    .trim()
    .split('.')
  const next = `${year}\\.${month}\\.${Number(third) + 1}`
  const guide = readFileSync(join(ROOT, 'docs', 'releases.md'), 'utf8')
  const commands = blocksOf(guide, 'sh').flatMap((block) => block.trim().split('\n'))
  const printed = new Map<string, string>()
  for (const command of commands) {
    const { code, stdout, stderr } = await shell(command.replaceAll('my-release', join(root, 'my-release')))
    assert.deepEqual([command, code, stderr], [command, 0, ''])
    printed.set(command, stdout)
  }
  assert.match(printed.get('bin/cradle data new my-release')!, new RegExp(`as release ${next}\\.\\n$`))
  assert.match(printed.get('bin/cradle data check my-release')!, /transportation: 0 added, 0 removed, 3 changed\n/)
  assert.match(printed.get('bin/cradle data check my-release')!, new RegExp(`Release ${next}-\\w{8} is sound\\.\\n$`))
  assert.match(
    printed.get('bin/cradle data diff newest my-release')!,
    /^transportation\/road-van-diesel\/factor_kg_co2e_per_tonne_km: 0\.78225 → 0\.93725 \(\+19\.81 %\)$/m,
  )
  assert.match(printed.get('bin/cradle data install my-release')!, /use it for new orders/)
  assert.match(printed.get('bin/cradle data list')!, new RegExp(`^${next}-\\w{8}\\tinstalled .*\\tnewest$`, 'm'))
})

test('a release with faults is refused with all of them, and nothing of it is stored', async () => {
  const before = await list()
  const directory = write('faulty', emberRelease('2024.01'))
  writeFileSync(join(directory, 'RELEASE'), 'soon')
  appendFileSync(join(directory, 'grid-factors.csv'), 'XX,2022,2022,0.1,ember-history\nFR,2022,2022,3,nobody\n')
  for (const command of ['check', 'install']) {
    const { code, stdout, stderr } = await data(command, directory)
    assert.deepEqual([code, stdout], [1, ''])
    assert.deepEqual(stderr.match(/^\S+:\d+ [\w-]+/gm), [
      'RELEASE:1 bad-release',
      'grid-factors.csv:6 bad-country',
      'grid-factors.csv:7 out-of-range',
      'grid-factors.csv:7 unknown-source',
    ])
  }
  assert.deepEqual(await list(), before)
})

test('installing a release twice says so; other content under its number is refused', async () => {
  const directory = write('first', emberRelease('2024.01'))
  assert.match(
    (await data('install', directory)).stdout,
    /^Release 2024\.01-\w{8} is installed\.\nAccounts .* use 2026/m,
  )
  const installed = await list()
  assert.match((await data('install', directory)).stdout, /^Release 2024\.01-\w{8} is installed already\.$/m)
  const archive = join(root, 'first.tar.gz')
  execFileSync('tar', ['-czf', archive, '-C', root, 'first'])
  assert.match((await data('install', archive)).stdout, /^Release 2024\.01-\w{8} is installed already\.$/m)
  assert.match((await data('install', join(directory, 'RELEASE'))).stderr, /neither a directory nor an archive/)
  writeFileSync(join(directory, 'grid-factors.csv'), emberRelease('2024.02').get('grid-factors.csv')!)
  const { code, stderr } = await data('install', directory)
  assert.equal(code, 1)
  assert.match(stderr, /^cradle: There is a release 2024\.01-\w{8} with other content/)
  assert.deepEqual(await list(), installed)
})

test('diff compares installed releases and directories, and prints what differs', async () => {
  const directory = write('second', emberRelease('2024.02'))
  const { stdout } = await data('diff', '2024.01', directory)
  const [lines, summary] = [stdout.split('\n').slice(0, 4), stdout.split('\n').slice(5).join('\n')]
  assert.deepEqual(lines, [
    'grid_factor/AT/2022/factor_kg_co2e_per_kwh: 0.15822 → 0.14179 (-10.38 %)',
    'grid_factor/DE/2022/factor_kg_co2e_per_kwh: 0.38539 → 0.42006 (+9 %)',
    'grid_factor/IN/2022/factor_kg_co2e_per_kwh: 0.6334 → 0.70513 (+11.32 %)',
    'grid_factor/US/2022/factor_kg_co2e_per_kwh: 0.3681 → 0.41037 (+11.48 %)',
  ])
  assert.equal(summary, 'grid_factor: 0 added, 0 removed, 4 changed\n')
  const json = JSON.parse((await data('diff', '2024.01', directory, '--json', '--kind', 'packaging')).stdout) as object
  assert.deepEqual(
    { ...json, from: null, to: null },
    { from: null, to: null, summary: {}, other_files: [], changes: [] },
  )
})

test('new refuses a directory with content, a number that is taken, and a release that is not there', async () => {
  const refusals = [
    [['new', join(root, 'second')], /something at/],
    [['new', join(root, 'third'), '--id', '2024.01'], /There is a release 2024\.01 already/],
    [['new', join(root, 'third'), '--id', '1'], /a number like 2026\.12\.1/],
    [['new', join(root, 'third'), '--from', '1999.01'], /neither a release nor a directory or archive "1999\.01"/],
    [['check', join(root, 'nothing')], /There is no directory/],
    [['diff', 'shipped', 'newest', '--kind', 'price'], /--kind takes one of model, /],
  ] as const
  for (const [words, sentence] of refusals) {
    const { code, stderr } = await data(...words)
    assert.equal(code, 1)
    assert.match(stderr, sentence)
  }
  await data('new', join(root, 'third'), '--from', '2024.01')
  assert.equal(readFileSync(join(root, 'third', 'RELEASE'), 'utf8'), '2024.01.1\n')
  assert.ok((await numbers()).includes('2024.01'))
})
