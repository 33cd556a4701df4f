// Files that are made to hurt whoever reads them: each is refused in a sentence, or read for about what a sound file
// costs that unpacks to as much, by a process of a small heap.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import * as LIMITS from '../src/spreadsheets/limits.ts'
import { HOSTILE_FILES } from './hostile-files/all-files.ts'
import type { ReadFile } from './hostile-files/read-files.ts'

const ROOT = join(import.meta.dirname, '..')
const READER = join(import.meta.dirname, 'hostile-files', 'read-files.ts')
/** A quarter of that of the service. */
const HEAP_MB = 256
/** What takes the square of a file takes hundreds or thousands of times as long as a sound one. */
const TIMES_MAX = 50
/** Problems of a header quote its names. */
const OUTPUT_BYTES_MAX = 16 * 1024 * 1024

const { stdout } = await promisify(execFile)(process.execPath, [`--max-old-space-size=${HEAP_MB}`, READER], {
  maxBuffer: OUTPUT_BYTES_MAX,
})
const read = new Map(
  stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as ReadFile)
    .map((file) => [file.name, file]),
)

for (const { name, what, outcome } of HOSTILE_FILES) {
  test(`${name}: ${what}`, () => {
    const found = read.get(name)!
    assert.match(found.outcome, outcome)
    assert.ok(found.ms < TIMES_MAX * found.soundMs, `${found.ms} ms, and ${found.soundMs} of a sound file`)
  })
}

test('the table of docs/imports.md names each bound of a file', () => {
  const section = readFileSync(join(ROOT, 'docs', 'imports.md'), 'utf8')
    .split('## What a file may hold')[1]!
    .split('## ')[0]!
  const isNamed = (limit: number) =>
    [limit.toLocaleString('en'), `${limit / 2 ** 20} MiB`, `${limit / 2 ** 30} GiB`].some((text) =>
      section.includes(text),
    )
  const unnamed = Object.entries(LIMITS).filter(([, limit]) => !isNamed(limit))
  assert.deepEqual(unnamed, [])
})

test('no two hostile files have one name', () => {
  assert.equal(read.size, HOSTILE_FILES.length)
})
