// What the documents list is what there is: every file at its folder, every code with its status.
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { API_ERRORS } from '../src/http/errors.ts'

const ROOT = join(import.meta.dirname, '..')

test('ARCHITECTURE.md names every file of the service at its folder, and no other', () => {
  const rows = readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8').matchAll(/^\| (?:`([^`]+)`)? ?\| ([^|]*) \|/gm)
  const named: string[] = []
  let folder = ''
  for (const [, first, names] of rows) {
    folder = first ?? folder
    if (/^src\b/.test(folder)) for (const [, name] of names!.matchAll(/`([^`]+)`/g)) named.push(`${folder}/${name}.ts`)
  }
  const there = globSync('src/**/*.ts', {
    cwd: ROOT,
    exclude: ['**/*.test.ts', '**/*.d.ts', 'src/postgres/embedded/**'],
  })
  const listed = (paths: readonly string[]) => paths.filter((path) => !path.includes('/matching/match-')).toSorted()
  assert.deepEqual(listed(named), listed(there))
})

test('docs/errors.md has every code with its status, and no other', () => {
  const rows = readFileSync(join(ROOT, 'docs', 'errors.md'), 'utf8').matchAll(
    /^\| `(\w+)` \| (\d{3}) \| \S.* \| \S.* \|$/gm,
  )
  const documented = [...rows].map(([, code, status]) => [code!, Number(status)])
  assert.deepEqual(
    documented,
    Object.entries(API_ERRORS).map(([code, [status]]) => [code, status]),
  )
})
