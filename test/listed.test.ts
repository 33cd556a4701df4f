// docs/errors.md lists every error code with its status.
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { API_ERRORS } from '../src/contract/errors.ts'

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
