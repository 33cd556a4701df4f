// Tests that only one program uses a data directory at a time, however the previous one ended.
import { after, test } from 'node:test'
import assert from 'node:assert/strict'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { lockDataDirectory } from './data-directory.ts'

const directory = mkdtempSync(join(tmpdir(), 'cradle-test-'))
const children = new Set<ChildProcess>()

after(() => {
  for (const child of children) child.kill('SIGKILL')
  rmSync(directory, { recursive: true, force: true })
})

const PROGRAM = `
  const { lockDataDirectory } = await import(process.argv[1])
  try {
    await lockDataDirectory(process.argv[2], process.argv[3])
    console.log('locked')
    setInterval(() => {}, 1000)
  } catch (error) {
    console.log(error.message)
  }`

interface Attempt {
  readonly child: ChildProcess
  readonly said: string
}

/** Another process that tries to lock the directory, and the first thing that it prints. */
async function tryInChild(path: string, kind: string): Promise<Attempt> {
  const module = join(import.meta.dirname, 'data-directory.ts')
  const child = spawn(process.execPath, ['--input-type=module', '-e', PROGRAM, module, path, kind], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.add(child)
  const [said] = (await once(child.stdout, 'data')) as [Buffer]
  return { child, said: said.toString().trim() }
}

async function kill(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit')
  child.kill('SIGKILL')
  await exited
}

for (const kind of process.platform === 'linux' ? (['abstract', 'file'] as const) : (['file'] as const)) {
  test(`a second process is refused with the first one's number until that is killed (${kind})`, async () => {
    const first = await tryInChild(directory, kind)
    assert.equal(first.said, 'locked')
    await assert.rejects(
      lockDataDirectory(directory, kind),
      new RegExp(`in use by process ${first.child.pid}, started at 20.*CRADLE_DATA_DIR`),
    )
    await kill(first.child)
    const lock = await lockDataDirectory(directory, kind)
    await lock.release()
  })

  test(`of eight processes that start at the same moment exactly one gets the directory (${kind})`, async () => {
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => tryInChild(directory, kind)))
    const winners = outcomes.filter(({ said }) => said === 'locked')
    assert.equal(winners.length, 1, outcomes.map(({ said }) => said).join('\n'))
    const named = `process ${winners[0]!.child.pid},`
    for (const { said } of outcomes) assert.ok(said === 'locked' || said.includes(named), said)
    await kill(winners[0]!.child)
    // The next process to take the lock removes what the killed one left.
    await (await lockDataDirectory(directory, kind)).release()
  })
}

test('the same process is refused a second time, and another name of the directory is the same directory', async () => {
  const lock = await lockDataDirectory(directory)
  const alias = join(directory, 'alias')
  symlinkSync(directory, alias)
  await assert.rejects(lockDataDirectory(alias), new RegExp(`process ${process.pid},`))
  await lock.release()
  await (await lockDataDirectory(alias)).release()
})

const foreign = (beat: number) => JSON.stringify({ holder: 'x', pid: 41, host: 'box', namespace: 'another', beat })

test('a program that still beats in another container is refused, though its lock cannot be seen', async () => {
  let beat = 0
  const file = join(directory, 'in-use.json')
  writeFileSync(file, foreign(beat))
  const timer = setInterval(() => writeFileSync(file, foreign(++beat)), 200)
  try {
    await assert.rejects(lockDataDirectory(directory), /process 41 in another container or on another machine \(box\)/)
  } finally {
    clearInterval(timer)
  }
})

test('a program of another container that was killed keeps the directory for a few seconds only', async () => {
  writeFileSync(join(directory, 'in-use.json'), foreign(1))
  await (await lockDataDirectory(directory)).release()
})
