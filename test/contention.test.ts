// A hundred writers on five devices from two processes, for a moment: nobody is turned away, and every device closes.
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { verifyAll } from '../src/cli/verify.ts'
import { contend } from './contention.ts'
import { durableMigratedDatabase } from './fresh-database.ts'

test('two processes on the same five devices answer each writer, and every row is what its facts give', async () => {
  const { connection, pool } = await durableMigratedDatabase()
  const { host, port, user, password, database } = connection
  const login = `${user}:${encodeURIComponent(password)}`
  const databaseUrl = `postgres://${login}@${encodeURIComponent(host)}:${port}/${database}`
  const contest = { databaseUrl, writers: 100, bystanders: 4, seconds: 3, quietSeconds: 0 }
  const { failures, statuses, entries } = await contend(pool, contest)
  assert.deepEqual(failures, [])
  assert.ok(statuses['order: 200']! > 0 && statuses['order event: 200']! > 0, JSON.stringify(statuses))
  assert.ok(entries.every((count) => count > 0))
  const { lines, differences } = await verifyAll(pool)
  assert.deepEqual([lines, differences], [[], 0])
})
