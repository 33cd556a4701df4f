// `cradle keys` and `cradle import`: beside a running service and without one, and with a sentence where they cannot.
import { after, before, test } from 'node:test'
import assert from 'node:assert/strict'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cradle, freshDirectory, serve, trueAfter, type Serving } from './command.ts'
import { closeConnections, exchange } from './raw-http.ts'

/** Commands that run side by side: each is a process of its own. */
const AT_ONCE = 3
const root = freshDirectory()
const environment = { CRADLE_DATA_DIR: join(root, 'data') }
let serving: Serving
before(async () => void (serving = await serve(environment)))
after(async () => {
  closeConnections()
  await serving.end('SIGTERM')
  rmSync(root, { recursive: true, force: true })
})

const keys = (...words: readonly string[]) => cradle(['keys', ...words], environment)
const statusOf = async (key: string, path = '/api/packagings') =>
  (await exchange(serving.address, path, { headers: { 'x-api-key': key } })).status

test('create prints the key alone on standard output, and it works at once on the running service', async () => {
  const { code, stdout, stderr } = await keys('create', '--account', 'acme')
  assert.deepEqual([code, stderr], [0, 'The account "acme" is new.\n'])
  assert.match(stdout, /^cradle_[0-9A-Za-z]{38}\n$/)
  assert.equal(await statusOf(stdout.trim()), 200)
  assert.equal((await keys('create', '--account', 'acme')).stderr, '')
})

test('create --json says what was made, with the scopes and the expiry that were asked for', async () => {
  const words = [
    'create',
    '--account',
    'json',
    '--scope',
    'orders:read,catalogue:read',
    '--expires',
    '2100-01-01',
    '--label',
    'for reports',
    '--json',
  ]
  const made = JSON.parse((await keys(...words)).stdout) as { readonly key: string }
  assert.deepEqual(made, {
    key: made.key,
    account: 'json',
    label: 'for reports',
    scopes: ['orders:read', 'catalogue:read'],
    expires_at: '2100-01-01T00:00:00.000Z',
  })
  assert.equal(await statusOf(made.key), 200)
  const refused = await exchange(serving.address, '/api/customer-orders', {
    method: 'POST',
    headers: { 'x-api-key': made.key },
  })
  assert.equal(refused.status, 403)
})

test('list shows every key by its number and account, and no key itself', async () => {
  const key = (await keys('create', '--account', 'listed', '--scope', 'admin')).stdout.trim()
  for (const words of [['list'], ['list', '--json']]) {
    const { code, stdout } = await keys(...words)
    assert.equal(code, 0)
    assert.match(stdout, /listed/)
    assert.equal(stdout.includes(key.slice(12, -5)), false)
    assert.doesNotMatch(stdout, /cradle_[0-9A-Za-z]{38}/)
  }
})

test('revoke stops a key within a second on the running service', async (t) => {
  const key = (await keys('create', '--account', 'revoked')).stdout.trim()
  assert.equal(await statusOf(key), 200)
  const listed = JSON.parse((await keys('list', '--json')).stdout) as readonly {
    readonly keyId: number
    readonly account: string
  }[]
  const { keyId } = listed.find(({ account }) => account === 'revoked')!
  const inUse = setInterval(() => void statusOf(key).catch(() => undefined), 50)
  t.after(() => clearInterval(inUse))
  const refused = await keys('revoke', String(keyId))
  assert.deepEqual([refused.code, /say --even-last-admin/.test(refused.stderr)], [1, true])
  assert.equal(await statusOf(key), 200)
  const { code, stderr } = await keys('revoke', String(keyId), '--even-last-admin')
  assert.deepEqual([code, stderr], [0, `Key ${keyId} is revoked.\n`])
  await trueAfter(1_000, async () => (await statusOf(key)) === 401, 'the key still works after a second')
  assert.equal((await keys('revoke', String(keyId))).code, 1)
})

test('import takes in a template, writes the rows to mend, and ends with a code for each kind of fault', async () => {
  await keys('create', '--account', 'importing')
  const run = (...words: readonly string[]) => cradle(['import', ...words], environment)
  const { stdout: template } = await run('--template', 'items')
  const [file, faults, good] = ['faulty.csv', 'faults.csv', 'good.csv'].map((name) => join(root, name))
  writeFileSync(file!, template.replace('2025-01-01', 'someday'))
  writeFileSync(good!, template)
  const ofImporting = ['--account', 'importing']
  const ended = await Promise.all([
    run(file!, ...ofImporting, '--dry-run', '--errors', faults!),
    run(good!, ...ofImporting, '--set', 'delimiter=comma'),
    run(good!, ...ofImporting, '--set', 'decimals=comma'),
    run(good!),
    run(good!, '--account', 'nobody'),
    run(`${good}.gone`, ...ofImporting),
  ])
  assert.deepEqual(
    ended.map(({ code }) => code),
    [5, 0, 2, 2, 3, 3],
    ended.map(({ stderr }) => stderr).join(''),
  )
  assert.match(ended[0].stdout, /orders failed 1, rows 3/)
  assert.match(readFileSync(faults!, 'utf8'), /^\ufeffimport_reason.*\r\n.*someday/)
  assert.match(ended[1].stdout, /orders stored 2/)
  assert.match(ended[2].stderr, /decimal/)
})

test('what makes no sense ends with 1, a sentence on standard error, and nothing on standard output', async () => {
  const wrong: readonly (readonly [readonly string[], RegExp])[] = [
    [['create', '--account', 'x', '--scope', 'everything'], /no scope "everything"; there are orders:write/],
    [['create', '--account', 'x', '--expires', 'tomorrow'], /--expires takes a day or time like/],
    [['create', '--account', 'x', '--expires', '2001-01-01'], /is in the past/],
    [['create', '--account', ' '], /--account takes a name/],
    [['create'], /--account/],
    [['revoke', 'x'], /is not a number of a key/],
    [['revoke', '999999'], /no key 999999 that works/],
  ]
  const check = async ([words, sentence]: (typeof wrong)[number]) => {
    const { code, stdout, stderr } = await keys(...words)
    assert.deepEqual([code, stdout], [1, ''], words.join(' '))
    assert.match(stderr, sentence)
    assert.doesNotMatch(stderr, /\n\s+at /)
  }
  for (let at = 0; at < wrong.length; at += AT_ONCE) await Promise.all(wrong.slice(at, at + AT_ONCE).map(check))
  assert.doesNotMatch((await keys('list')).stdout, /\tx\t/)
})

test('without a running service, a key is made in its data directory all the same', async () => {
  const home = { CRADLE_DATA_DIR: join(root, 'idle') }
  const { code, stdout } = await cradle(['keys', 'create', '--account', 'acme'], home)
  assert.equal(code, 0)
  assert.match(stdout, /^cradle_[0-9A-Za-z]{38}\n$/)
  assert.match((await cradle(['keys', 'list'], home)).stdout, /acme/)
})
