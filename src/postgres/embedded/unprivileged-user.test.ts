// Tests that root runs PostgreSQL as a dedicated user, and that a cluster keeps its owner.
import { after, test } from 'node:test'
import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createPool } from '../pool.ts'
import { startServer, type Server } from './server.ts'
import { chownTree, serverUser } from './unprivileged-user.ts'

const NOBODY = { uid: 65534, gid: 65534 }
const root = mkdtempSync(join(tmpdir(), 'cradle-test-'))
chmodSync(root, 0o711)
after(() => rmSync(root, { recursive: true, force: true }))

const asRoot = { skip: process.getuid?.() !== 0 && 'only root hands PostgreSQL to another user' }
const accounts = readFileSync('/etc/passwd', 'utf8')
  .split('\n')
  .map((line) => line.split(':')[2])

const start = (name: string) => startServer({ dataDirectory: join(root, name), report: () => {} })

async function query(server: Server, sql: string): Promise<unknown> {
  const pool = createPool(server.connection, {}, () => {})
  try {
    return (await pool.query(sql)).rows
  } finally {
    await pool.end()
  }
}

/** The owners of the cluster, of every file in it, and of the process. */
function owners(server: Server, name: string): readonly number[] {
  const cluster = join(root, name, 'cluster')
  const files = readdirSync(cluster, { recursive: true, encoding: 'utf8' }).map((file) => join(cluster, file))
  const paths = [cluster, ...files, ...(process.platform === 'linux' ? [`/proc/${server.pid}`] : [])]
  return [...new Set(paths.map((path) => statSync(path, { throwIfNoEntry: false })?.uid ?? -1))].filter(
    (uid) => uid >= 0,
  )
}

test('a new cluster gets a user of its own: no account, and not that of another data directory', asRoot, async () => {
  const server = await start('fresh')
  const [uid, ...others] = owners(server, 'fresh')
  assert.deepEqual([uid, others], [serverUser(join(root, 'fresh'))!.uid, []])
  assert.ok(![0, NOBODY.uid].includes(uid!) && !accounts.includes(String(uid)))
  await server.stop()
  const users = Array.from({ length: 50 }, (_, at) => serverUser(`/srv/cradle-${at}`)!.uid)
  assert.ok(new Set(users).size > 40)
})

test('a cluster that nobody owns, from an earlier version, goes on as it is', asRoot, async () => {
  const first = await start('older')
  await query(first, 'create table kept (n int); insert into kept values (7)')
  await first.stop()
  chownTree(join(root, 'older', 'cluster'), NOBODY)
  const second = await start('older')
  assert.deepEqual(await query(second, 'select n from kept'), [{ n: 7 }])
  assert.deepEqual(owners(second, 'older'), [NOBODY.uid])
  await second.stop()
})
