// docs/errors.md lists every error code with its status, and the cases of conflicts.
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { API_ERRORS } from '../src/contract/errors.ts'
import { MESSAGE_FILES, merged } from '../console/src/service-texts/german-files.ts'
import { tableOf } from './markdown.ts'

const ROOT = join(import.meta.dirname, '..')

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

test('docs/errors.md has the cases of conflicts, by codes of messages that there are', () => {
  const documented = tableOf(readFileSync(join(ROOT, 'docs', 'errors.md'), 'utf8'), 'code in `reason`').flatMap(
    ([codes]) => codes!.replaceAll('`', '').split(', '),
  )
  const messages = merged(MESSAGE_FILES.map((file) => JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>))
  assert.deepEqual(
    documented.filter((code) => !Object.hasOwn(messages, code)),
    [],
  )
  const given = globSync('src/**/*.ts', { cwd: ROOT }).flatMap((path) =>
    [...readFileSync(join(ROOT, path), 'utf8').matchAll(/'conflict',\s+[A-Z_]+\.(\w+)\(/g)].map(([, code]) => code!),
  )
  assert.ok(given.length > 10)
  assert.deepEqual(
    given.filter((code) => !documented.includes(code)),
    [],
  )
})
